import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AppProcess } from '#scripts/topology/app-process.ts'
import type { Topology } from '#scripts/topology/start-topology.ts'
import { verifyAudit } from '#server/audit/verify-audit.ts'
import { sealAudit } from '#server/jobs/seal-audit.ts'
import { countWebhooks } from '#server/jobs/store.ts'
import { findViolations } from '#tests/engines/payment-books.ts'
import { calmDown } from '#tests/engines/payment-storm.ts'
import type { TestSandbox } from '#tests/harness/servers/sandbox.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import type { Tally, ToldVisit } from './tally.ts'

const LOOK_MS = 500
const GIVE_UP_MS = 120_000

async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  for (let left = ms; left > 0; left -= LOOK_MS) {
    if (await isSo()) return true
    await sleep(LOOK_MS)
  }
  return isSo()
}

/** What the job process still has to do; empty once all of it is done. */
async function findUndone({ database: { db } }: TestApp): Promise<string[]> {
  const unsent = await db
    .selectFrom('outbox')
    .select('topic')
    .where('done_at', 'is', null)
    .execute()
  const events = await countWebhooks(db)
  return [...unsent.map(({ topic }) => topic), ...(events > 0 ? [`${events} webhooks`] : [])]
}

/** Checks that the jobs have caught up by themselves, though their process was killed. */
async function judgeJobs(testApp: TestApp): Promise<string[]> {
  if (await within(GIVE_UP_MS, async () => (await findUndone(testApp)).length === 0)) return []
  return (await findUndone(testApp)).map((what) => `jobs: ${what} was left undone`)
}

/** Checks that the standby has everything the primary has. */
async function judgeStandby({ primary, standby }: Topology): Promise<string[]> {
  if (standby === null) return []
  const { rows } = await primary.ask(({ db }) =>
    sql<{ at: string }>`select pg_current_wal_lsn()::text as at`.execute(db),
  )
  const isLevel = await within(GIVE_UP_MS, async () => {
    const replayed = await standby.ask(({ db }) =>
      sql<{ level: boolean }>`
        select pg_last_wal_replay_lsn() >= ${rows[0]?.at ?? ''}::pg_lsn as level`.execute(db),
    )
    return replayed.rows[0]?.level === true
  })
  return isLevel ? [] : ['standby: it has not caught up']
}

/** Checks that the holds and payments patients were told of exist, whatever happened to them since. */
async function judgeBegun({ database: { db } }: TestApp, tally: Tally): Promise<string[]> {
  const bookings = await db.selectFrom('bookings').select('id').execute()
  const payments = await db.selectFrom('payments').select('gw_session').execute()
  const known = new Set<string | null>([
    ...bookings.map(({ id }) => id),
    ...payments.map(({ gw_session: session }) => session),
  ])
  const lost = [...tally.holds, ...tally.payments].filter((id) => !known.has(id))
  return lost.map((id) => `I3: ${id} was told to its patient and is gone`)
}

/** Checks that the visits clients were told of exist, and that no two are at the same time. */
async function judgeTold(testApp: TestApp, told: readonly ToldVisit[]): Promise<string[]> {
  const rows = await testApp.database.db
    .selectFrom('bookings')
    .select('id')
    .where('state', '=', 'confirmed')
    .execute()
  const confirmed = new Set<string>(rows.map(({ id }) => id))
  const lost = told.filter(({ visitId }) => !confirmed.has(visitId))
  const times = Map.groupBy(told, ({ providerId, startsAt }) => `${providerId} ${startsAt}`)
  const double = [...times].filter(([, visits]) => visits.length > 1)
  return [
    ...lost.map(({ visitId }) => `I3: ${visitId} was told to its patient and is gone`),
    ...double.map(([time]) => `I2: two patients were told that ${time} is theirs`),
  ]
}

async function judgeAudit({ services }: TestApp): Promise<string[]> {
  await sealAudit(services)
  const { brokenAt } = await verifyAudit(services)
  return brokenAt === null ? [] : [`audit: the log is broken at ${brokenAt}`]
}

/** A migration that waits for a lock lets others proceed after two seconds; soon after, they are done. */
const MOST_LOCK_MS = 5_000

function judgeLocks({ spans }: Tally): string[] {
  return spans.flatMap(({ what, lockMs = 0 }) =>
    lockMs > MOST_LOCK_MS ? [`${what}: somebody waited ${lockMs} ms for a lock`] : [],
  )
}

async function stop(processes: readonly AppProcess[]): Promise<string[]> {
  const wrong: string[] = []
  for (const one of processes) {
    const code = await one.terminate()
    if (code !== 0) wrong.push(`process: ${one.name} ended with ${code} when asked to stop`)
  }
  return wrong
}

type Books = {
  topology: Topology
  /** A test app on the same database and sandbox, whose clock can be advanced. */
  testApp: TestApp
  sandbox: TestSandbox
  tally: Tally
  /** Directs webhooks to the test app from now on. */
  takeOver: () => void
}

/**
 * Compares everything once the load is over: what clients were told, our records, those of the gateways, the
 * audit log and the standby. Each sentence is a problem.
 */
export async function judgeBooks(books: Books): Promise<string[]> {
  const { topology, testApp, sandbox, tally, takeOver } = books
  const processes = [...topology.web, topology.jobs]
  const wrong = [...(await judgeJobs(testApp)), ...(await judgeStandby(topology))]
  wrong.push(...judgeLocks(tally))
  wrong.push(...processes.flatMap(({ crashes }) => crashes).map((one) => `process: ${one}`))
  wrong.push(...(await stop(processes)))
  takeOver()
  // Unpaid holds expire in their time, and the gateways' lists are compared with ours.
  await calmDown({ testApp, sandbox })
  wrong.push(...(await judgeBegun(testApp, tally)), ...(await judgeTold(testApp, tally.visits)))
  wrong.push(...(await findViolations(testApp, sandbox)))
  wrong.push(...(await judgeAudit(testApp)))
  return wrong
}
