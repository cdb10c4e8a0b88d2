import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runDrill } from '#scripts/drill/run-drill.ts'
import { findPgbouncer } from '#scripts/topology/pgbouncer.ts'

// The full version, ten minutes long: `npm run drill`.

const LENGTH_MS = 24_000

const between =
  findPgbouncer() === null ? 'without PgBouncer, which is not installed' : 'behind PgBouncer'

test(`${between}: processes are killed, Postgres restarts, a new version migrates and the standby takes over under load, and nothing is lost`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-topology-'))
  try {
    const { tally, wrong, confirmed } = await runDrill({
      folder,
      lengthMs: LENGTH_MS,
      clients: 6,
      thinkMs: 300,
      hasStandby: true,
      hasPgbouncer: true,
      seed: 7,
      // Without fsync, data written by a killed server survives in the operating system's cache.
      postgres: ['fsync=off'],
      say: () => undefined,
    })
    expect(wrong).toEqual([])
    expect(tally.failures).toEqual([])
    expect(tally.unanswered).toEqual([])
    expect(tally.faults.length).toBeGreaterThanOrEqual(9)
    expect(tally.spans.map(({ what }) => what)).toEqual(['rollout', 'fail-over'])
    expect(confirmed).toBeGreaterThan(0)
    expect(tally.count('search')).toBeGreaterThan(0)
    expect(tally.visits.length).toBeLessThanOrEqual(confirmed)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 600_000)
