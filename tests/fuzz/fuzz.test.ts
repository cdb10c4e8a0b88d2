import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { openEmptyDatabase } from '#tests/harness/servers/empty-database.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { fuzz, nameOf, type Report } from './fuzz.ts'
import type { Site } from './round.ts'
import { everyTarget } from './targets.ts'

/** `FUZZ_SEED` repeats a run; `FUZZ_COUNT` makes it longer, as `npm run fuzz` does. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const count = Number(process.env['FUZZ_COUNT'] ?? 2_000)

function print(engine: string, { statuses, tried, passed }: Report): void {
  const byStatus = [...statuses].toSorted(([a], [b]) => a - b)
  const sum = byStatus.reduce((total, [, n]) => total + n, 0)
  const list = byStatus.map(([status, n]) => `${status}: ${n}`).join(', ')
  process.stdout.write(
    `fuzz on ${engine}, FUZZ_SEED=${seed}: ${sum} requests to ${tried.size} targets, ${passed.size} of which let somebody in (${list})\n`,
  )
}

/** A test app with a sandbox that reaches it over HTTP; both end with the test. */
async function openSite(database: Database, stack: AsyncDisposableStack): Promise<Site> {
  const at: { testApp?: TestApp } = {}
  const sandbox = await startSandbox({
    now: () => at.testApp?.services.now() ?? 0,
    deliver: (request) => at.testApp?.app.fetch(request) ?? Promise.reject(new Error('too early')),
  })
  stack.use(sandbox)
  const testApp = await makeTestApp({
    database,
    sandbox: sandbox.connection,
    // A demo has additional endpoints, and requires no second factor of staff.
    config: { demo: database.engine === 'postgres', publicUrl: 'http://localhost:3000' },
  })
  at.testApp = testApp
  return { testApp, sandbox }
}

describeEngines('generated requests', (makeDatabase) => {
  test('cause no defect, leak no internals, and violate no invariant', {
    timeout: 60_000 + count * 100,
  }, async () => {
    const database = await makeDatabase()
    await using stack = new AsyncDisposableStack()
    const site = await openSite(database, stack)
    const share = database.engine === 'sqlite' ? 0.75 : 0.25
    const report = await fuzz(site, { seed, count: Math.ceil(count * share) })
    print(database.engine, report)
    expect(report.failure, `FUZZ_SEED=${seed} repeats the run`).toBe('')
    // Finding nothing proves nothing unless enough requests were accepted.
    const sum = [...report.statuses.values()].reduce((total, n) => total + n, 0)
    const good = [...report.statuses].filter(([status]) => status < 300)
    expect(good.reduce((total, [, n]) => total + n, 0) / sum).toBeGreaterThan(0.1)
    const all = Object.values(everyTarget()).flat().map(nameOf).slice(0, sum)
    expect(all.filter((name) => !report.tried.has(name))).toEqual([])
  })
})

test('a planted fault is found, and the same seed finds it again', async () => {
  const failures: string[] = []
  for (let time = 0; time < 2; time += 1) {
    await using stack = new AsyncDisposableStack()
    const { testApp, sandbox } = await openSite(await openEmptyDatabase(), stack)
    stack.use(testApp)
    // A planted fault: answers 500 with an error message when the body has the key `__proto__`.
    const careless: typeof testApp.app.fetch = async (request, address) => {
      const text = request.body === null ? '' : await request.clone().text()
      // Bodies that are not valid text or JSON are ignored, because they are not printed as sent.
      const isJson = request.headers.get('content-type')?.includes('json') === true
      if (!isJson || text.includes('\uFFFD') || !text.includes('"__proto__"'))
        return testApp.app.fetch(request, address)
      return new Response('TypeError: x is not a function', { status: 500 })
    }
    const planted = { ...testApp, app: { ...testApp.app, fetch: careless } }
    const { failure } = await fuzz({ testApp: planted, sandbox }, { seed: 1, count: 960 })
    // Removes session tokens and access tokens, which differ between runs.
    failures.push((failure.split('\n    at ')[0] ?? '').replace(/(?:_token=|apo_)[\w-]+/g, ''))
  }
  expect(failures[0]).toContain('status 500')
  expect(failures[0]).toContain('__proto__')
  expect(failures[1]).toBe(failures[0])
})
