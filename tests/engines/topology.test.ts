import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Fault, planFaults } from '#scripts/drill/faults.ts'
import { runDrill } from '#scripts/drill/run-drill.ts'
import { findPgbouncer } from '#scripts/topology/pgbouncer.ts'
import type { PostgresNode } from '#scripts/topology/postgres.ts'
import { AppProcess } from '#scripts/topology/processes.ts'
import type { Topology } from '#scripts/topology.ts'
import { freePort, waitUntil } from '#tests/harness/servers/server-process.ts'

// The full version, ten minutes long: `npm run drill`.

const LENGTH_MS = 24_000

/** A free time on this node, and the number of bookings it shows. */
async function readNode(node: PostgresNode) {
  return node.ask(async ({ db }) => {
    const time = await db
      .selectFrom('slots')
      .innerJoin('providers', 'providers.no', 'slots.provider_no')
      .select(['providers.id', 'slots.start_at'])
      .where('slots.free', '=', 1)
      .orderBy('slots.start_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const wish = { providerId: time.id, startsAt: new Date(time.start_at).toISOString() }
    return { wish, bookings: (await db.selectFrom('bookings').select('no').execute()).length }
  })
}

type Answer = { status: number; retryAfter: string | null }

async function ask(url: string, body?: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const post = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(url, post)
  await response.arrayBuffer()
  return { status: response.status, retryAfter: response.headers.get('retry-after') }
}

type LostPrimaryResult = {
  health: Answer
  search: Answer
  hold: Answer
  before: number
  after: number
}

/**
 * The lost primary restarts with its old data, together with a forgotten app process that still connects to
 * it.
 */
async function restartLostPrimary(
  old: PostgresNode,
  { web }: Topology,
): Promise<LostPrimaryResult> {
  await old.start()
  const { wish, bookings: before } = await readNode(old)
  const env = { ...web[0]?.env, ROLE: 'all', DATABASE_URL: old.url }
  const log = join(old.place.folder, 'forgotten.log')
  const forgotten = new AppProcess({ name: 'forgotten', port: await freePort(), env, log })
  // It is never healthy.
  const starting = forgotten.start().catch(() => undefined)
  const health = () => ask(`${forgotten.url}/healthz`)
  try {
    await waitUntil(() =>
      health().then(
        () => true,
        () => false,
      ),
    )
    const point = encodeURIComponent('{"postcode":"","latitude":51.5,"longitude":-0.1}')
    const search = await ask(`${forgotten.url}/trpc/search.providers?input=${point}`)
    const hold = await ask(`${forgotten.url}/trpc/booking.holdAsVisitor`, wish)
    return { health: await health(), search, hold, before, after: (await readNode(old)).bookings }
  } finally {
    await forgotten.kill()
    await starting
    await old.stop('immediate')
  }
}

const ways = findPgbouncer() === null ? [false] : [true, false]

test.each(ways)(
  'behind PgBouncer: %s; kills, restarts, a migration and a fail-over under load lose nothing',
  async (hasPgbouncer) => {
    const folder = await mkdtemp(join(tmpdir(), 'apposite-topology-'))
    const met: LostPrimaryResult[] = []
    try {
      const { tally, wrong, confirmed } = await runDrill({
        folder,
        lengthMs: LENGTH_MS,
        clients: 6,
        thinkMs: 600,
        hasStandby: true,
        hasPgbouncer,
        seed: 7,
        // Without fsync, data written by a killed server survives in the operating system's cache.
        postgres: ['fsync=off'],
        plan: (run): Fault[] => [
          ...planFaults(run),
          {
            atMs: LENGTH_MS,
            what: 'the lost primary comes back',
            after: 'everything',
            act: async () => {
              const [old] = run.topology.nodes
              if (old !== undefined) met.push(await restartLostPrimary(old, run.topology))
            },
          },
        ],
        say: () => undefined,
      })
      expect(wrong).toEqual([])
      expect(tally.failures).toEqual([])
      expect(tally.unanswered).toEqual([])
      expect(tally.faults.length).toBeGreaterThanOrEqual(10)
      expect(tally.spans.map(({ what }) => what)).toEqual(['rollout', 'fail-over'])
      expect(tally.retries.get('status 503 with Retry-After')).toBeGreaterThan(0)
      expect(tally.holds.length).toBeGreaterThan(10)
      expect(confirmed).toBeGreaterThan(0)
      expect(tally.count('search')).toBeGreaterThan(0)
      expect(tally.visits.length).toBeLessThanOrEqual(confirmed)
      // It waits for a standby it no longer has, so a write is refused and never becomes visible.
      expect(met).toEqual([
        {
          health: { status: 503, retryAfter: '5' },
          search: { status: 200, retryAfter: null },
          hold: { status: 503, retryAfter: '2' },
          before: met[0]?.before,
          after: met[0]?.before,
        },
      ])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  600_000,
)
