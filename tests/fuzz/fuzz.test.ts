import { expect, test } from 'vitest'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { makeWorld, type World } from '#tests/harness/world.ts'
import { fuzz, nameOf, type Report } from './fuzz.ts'
import { everyTarget } from './targets.ts'

/** `FUZZ_SEED` does a run again; `FUZZ_COUNT` makes it longer, as `npm run fuzz` does. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const count = Number(process.env['FUZZ_COUNT'] ?? 3_000)

function print(engine: string, { statuses, tried, passed }: Report): void {
  const byStatus = [...statuses].toSorted(([a], [b]) => a - b)
  const sum = byStatus.reduce((total, [, n]) => total + n, 0)
  const list = byStatus.map(([status, n]) => `${status}: ${n}`).join(', ')
  process.stdout.write(
    `fuzz on ${engine}, FUZZ_SEED=${seed}: ${sum} requests to ${tried.size} targets, ${passed.size} of which let somebody in (${list})\n`,
  )
}

describeEngines('made-up requests', (makeDatabase) => {
  test('are answered without a failure of ours, tell nothing of the inside, and break nothing', {
    timeout: 60_000 + count * 100,
  }, async () => {
    const database = await makeDatabase()
    const at: { world?: World } = {}
    await using sandbox = await startSandbox({
      now: () => at.world?.services.now() ?? 0,
      deliver: (request) => at.world?.app.fetch(request) ?? Promise.reject(new Error('too early')),
    })
    const world = await makeWorld({
      database,
      standIn: sandbox.standIn,
      // A demo has doors of its own, and asks staff for no second factor.
      config: { demo: database.engine === 'postgres', publicUrl: 'http://localhost:3000' },
    })
    at.world = world
    const share = database.engine === 'sqlite' ? 0.75 : 0.25
    const report = await fuzz({ world, sandbox }, { seed, count: Math.ceil(count * share) })
    print(database.engine, report)
    expect(report.findings.join('\n'), `FUZZ_SEED=${seed} does it again`).toBe('')
    // Nothing found is worth nothing where nobody was let in.
    const sum = [...report.statuses.values()].reduce((total, n) => total + n, 0)
    const good = [...report.statuses].filter(([status]) => status < 300)
    expect(good.reduce((total, [, n]) => total + n, 0) / sum).toBeGreaterThan(0.1)
    const all = Object.values(everyTarget()).flat().map(nameOf).slice(0, sum)
    expect(all.filter((name) => !report.tried.has(name))).toEqual([])
  })
})
