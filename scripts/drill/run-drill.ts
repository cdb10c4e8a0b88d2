import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { seeded } from '#bench/data.ts'
import { type Patient, registryOf, VISITS_PER_PATIENT } from '#bench/patients.ts'
import { openDatabase } from '#db/engine.ts'
import type { AppProcess } from '#scripts/topology/processes.ts'
import { startTopology, type Topology } from '#scripts/topology.ts'
import { verifyAudit } from '#server/audit/audit.ts'
import { sealAudit } from '#server/jobs/seal-audit.ts'
import { countWebhooks } from '#server/jobs/store.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeSecrets, readMasterKey } from '#server/kernel/security/secrets.ts'
import { findViolations } from '#tests/engines/payments/payment-invariants.ts'
import { settleEverything } from '#tests/engines/payments/payment-storm.ts'
import { startSandbox, type TestSandbox } from '#tests/harness/servers/sandbox.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { Caller, type ReportedVisit, Tally, Unanswered } from './caller.ts'
import { type Fault, planFaults, type Run, runFaults } from './faults.ts'
import { type JourneyContext, makeBooker, makeOffers, search } from './journeys.ts'

const POLL_MS = 500
const TIMEOUT_MS = 120_000

async function waitUntil(ms: number, condition: () => Promise<boolean>): Promise<boolean> {
  for (let left = ms; left > 0; left -= POLL_MS) {
    if (await condition()) return true
    await sleep(POLL_MS)
  }
  return condition()
}

/** What the job process still has to do; empty once all of it is done. */
async function findPendingWork({ database: { db } }: TestApp): Promise<string[]> {
  const unsent = await db
    .selectFrom('outbox')
    .select('topic')
    .where('done_at', 'is', null)
    .execute()
  const events = await countWebhooks(db)
  return [...unsent.map(({ topic }) => topic), ...(events > 0 ? [`${events} webhooks`] : [])]
}

/** Checks that the jobs have caught up by themselves, though their process was killed. */
async function checkJobs(testApp: TestApp): Promise<string[]> {
  if (await waitUntil(TIMEOUT_MS, async () => (await findPendingWork(testApp)).length === 0))
    return []
  return (await findPendingWork(testApp)).map((what) => `jobs: ${what} was left undone`)
}

/** Checks that the standby has everything the primary has. */
async function checkStandby({ primary, standby }: Topology): Promise<string[]> {
  if (standby === null) return []
  const { rows } = await primary.ask(({ db }) =>
    sql<{ at: string }>`select pg_current_wal_lsn()::text as at`.execute(db),
  )
  const isLevel = await waitUntil(TIMEOUT_MS, async () => {
    const replayed = await standby.ask(({ db }) =>
      sql<{ level: boolean }>`
        select pg_last_wal_replay_lsn() >= ${rows[0]?.at ?? ''}::pg_lsn as level`.execute(db),
    )
    return replayed.rows[0]?.level === true
  })
  return isLevel ? [] : ['standby: it has not caught up']
}

/** Checks that the holds and payments patients were told of exist, whatever happened to them since. */
async function checkStarted({ database: { db } }: TestApp, tally: Tally): Promise<string[]> {
  const bookings = await db.selectFrom('bookings').select('id').execute()
  const payments = await db.selectFrom('payments').select('gw_session').execute()
  const known = new Set<string | null>([
    ...bookings.map(({ id }) => id),
    ...payments.map(({ gw_session: session }) => session),
  ])
  const lost = [...tally.holds, ...tally.payments].filter((id) => !known.has(id))
  return lost.map((id) => `I3: ${id} was confirmed to its patient but does not exist`)
}

/** Checks that the visits clients were told of exist, and that no two are at the same time. */
async function checkConfirmedVisits(
  testApp: TestApp,
  reported: readonly ReportedVisit[],
): Promise<string[]> {
  const rows = await testApp.database.db
    .selectFrom('bookings')
    .select('id')
    .where('state', '=', 'confirmed')
    .execute()
  const confirmed = new Set<string>(rows.map(({ id }) => id))
  const lost = reported.filter(({ visitId }) => !confirmed.has(visitId))
  const times = Map.groupBy(reported, ({ providerId, startsAt }) => `${providerId} ${startsAt}`)
  const double = [...times].filter(([, visits]) => visits.length > 1)
  return [
    ...lost.map(({ visitId }) => `I3: ${visitId} was confirmed to its patient but does not exist`),
    ...double.map(([time]) => `I2: two patients were told that ${time} is theirs`),
  ]
}

async function checkAuditLog({ services }: TestApp): Promise<string[]> {
  await sealAudit(services)
  const { brokenAt } = await verifyAudit(services)
  return brokenAt === null ? [] : [`audit: the log is broken at ${brokenAt}`]
}

/** A migration that waits for a lock lets others proceed after two seconds; soon after, they are done. */
const MAX_LOCK_MS = 5_000

function checkLocks({ spans }: Tally): string[] {
  return spans.flatMap(({ what, lockMs = 0 }) =>
    lockMs > MAX_LOCK_MS ? [`${what}: somebody waited ${lockMs} ms for a lock`] : [],
  )
}

async function stopProcesses(processes: readonly AppProcess[]): Promise<string[]> {
  const wrong: string[] = []
  for (const one of processes) {
    const code = await one.terminate()
    if (code !== 0) wrong.push(`process: ${one.name} ended with ${code} when asked to stop`)
  }
  return wrong
}

type RecordsToCheck = {
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
async function checkRecords(records: RecordsToCheck): Promise<string[]> {
  const { topology, testApp, sandbox, tally, takeOver } = records
  const processes = [...topology.web, topology.jobs]
  const wrong = [...(await checkJobs(testApp)), ...(await checkStandby(topology))]
  wrong.push(...checkLocks(tally))
  wrong.push(...processes.flatMap(({ crashes }) => crashes).map((one) => `process: ${one}`))
  wrong.push(...(await stopProcesses(processes)))
  takeOver()
  // Unpaid holds expire in their time, and the gateways' lists are compared with ours.
  await settleEverything({ testApp, sandbox })
  wrong.push(
    ...(await checkStarted(testApp, tally)),
    ...(await checkConfirmedVisits(testApp, tally.visits)),
  )
  wrong.push(...(await findViolations(testApp, sandbox)))
  wrong.push(...(await checkAuditLog(testApp)))
  return wrong
}

/** Share of bookings among the acts; the others are searches. */
const BOOKING_SHARE = 0.1

/** How long clients continue after the last fault. */
const COOL_DOWN_MS = 3_000

/** Extra time to provide patients for, when faults take longer than the planned run. */
const SPARE_MS = 60_000

export type DrillOptions = {
  folder: string
  lengthMs: number
  /** Concurrent clients. */
  clients: number
  /** Milliseconds a client waits between two of its acts, on average. */
  thinkMs: number
  hasStandby: boolean
  hasPgbouncer: boolean
  seed: number
  /** Postgres settings, such as `fsync=off`. */
  postgres?: string[]
  /** Faults of the run; those of `planFaults` when left out. */
  plan?: (run: Run) => Fault[]
  say: (line: string) => void
}

/** Result of a drill; `wrong` holds a sentence for every problem. */
export type DrillReport = {
  tally: Tally
  wrong: string[]
  hasPgbouncer: boolean
  confirmed: number
}

type Load = {
  stage: JourneyContext
  patients: Patient[]
  options: DrillOptions
  isOver: () => boolean
}

/** Searches, and now and then books, on each client until the run is over. */
async function runClients({ stage, patients, options, isOver }: Load): Promise<void> {
  const { random } = stage
  const client = async () => {
    const book = makeBooker(stage, patients)
    while (!isOver()) {
      if (random() < BOOKING_SHARE) await book()
      else {
        await search(stage).catch((error: unknown) => {
          if (!(error instanceof Unanswered)) throw error
        })
      }
      await sleep(2 * random() * options.thinkMs)
    }
  }
  await Promise.all(Array.from({ length: options.clients }, client))
}

type Site = { topology: Topology; stage: JourneyContext; patients: Patient[] }

async function runWithFaults(
  { topology, stage, patients }: Site,
  options: DrillOptions,
): Promise<string[]> {
  const { lengthMs, say, plan = planFaults } = options
  const start = performance.now()
  const failed: string[] = []
  const note = (what: string) => {
    const line = `${Math.round((performance.now() - start) / 1_000)} s: ${what}`
    stage.tally.faults.push(line)
    say(line)
  }
  let hasHappened = false
  const happen = async () => {
    await runFaults(plan({ topology, lengthMs, tally: stage.tally }), {
      now: () => performance.now(),
      note,
      failed: (why) => failed.push(`process: ${why}`),
    })
    await sleep(COOL_DOWN_MS)
    hasHappened = true
  }
  const isOver = () => hasHappened && performance.now() - start >= lengthMs
  await Promise.all([runClients({ stage, patients, options, isOver }), happen()])
  return failed
}

/** An upper bound for the patients needed: each client books as fast as it thinks. */
function countPatients(options: DrillOptions): number {
  const { lengthMs, clients, thinkMs } = options
  const bookings = (BOOKING_SHARE * clients * (lengthMs + SPARE_MS)) / thinkMs
  return Math.ceil(bookings / VISITS_PER_PATIENT) + 2 * clients
}

type TestConnections = { topology: Topology; sandbox: TestSandbox }

/** Opens the current database over its own connection, with the secrets of the processes. */
async function withTestApp<T>(
  { topology, sandbox }: TestConnections,
  work: (testApp: TestApp) => Promise<T>,
): Promise<T> {
  const database = openDatabase(topology.primary.url, { poolSize: 8 })
  try {
    const { connection } = sandbox
    await using testApp = await makeTestApp({
      database,
      newId,
      sandbox: connection,
      clock: Date.now,
    })
    testApp.services.secrets = makeSecrets(await readMasterKey(readConfig(topology.env)))
    return await work(testApp)
  } finally {
    await database.close()
  }
}

async function countConfirmed({ database: { db } }: TestApp): Promise<number> {
  const confirmed = db.selectFrom('bookings').select('no').where('state', '=', 'confirmed')
  return (await confirmed.execute()).length
}

async function createFixtures(testApp: TestApp, options: DrillOptions) {
  const { database, services } = testApp
  const times = await makeOffers(testApp, { providers: 40, count: 300 })
  const registry = await registryOf(database, services.secrets)
  return { times, patients: await registry.signIn(countPatients(options)) }
}

/**
 * Starts everything from scratch in a folder, runs clients against it during the faults, and compares the
 * records.
 */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const { say, seed, lengthMs, clients } = options
  const at: { testApp?: TestApp; isOver: boolean; topology?: Topology } = { isOver: false }
  let turn = 0
  const deliver = async (request: Request): Promise<Response> => {
    if (at.isOver) return (await at.testApp?.app.fetch(request, '127.0.0.1')) ?? Response.error()
    const web = at.topology?.web ?? []
    const one = web[(turn += 1) % web.length]
    if (one === undefined) return new Response(null, { status: 503 })
    const { pathname } = new URL(request.url)
    const init = { method: 'POST', headers: request.headers, body: await request.text() }
    return fetch(`${one.url}${pathname}`, init)
  }
  const now = () => at.testApp?.services.now() ?? Date.now()
  await using sandbox = await startSandbox({ now, deliver })
  await using topology = await startTopology({ ...options, sandbox })
  at.topology = topology
  const hands = { topology, sandbox }
  say('Making providers and patients')
  const { times, patients } = await withTestApp(hands, (testApp) =>
    createFixtures(testApp, options),
  )
  const tally = new Tally()
  const addresses = topology.web.map(({ url }) => url)
  const caller = new Caller(addresses, tally)
  const stage = { caller, sandbox, tally, times, random: seeded(seed) }
  say(`Load of ${clients} clients for ${Math.round(lengthMs / 1_000)} s`)
  const wrong = await runWithFaults({ topology, stage, patients }, options)
  say('The load is over: comparing the records')
  return await withTestApp(hands, async (testApp) => {
    at.testApp = testApp
    const takeOver = () => {
      at.isOver = true
    }
    wrong.push(...(await checkRecords({ topology, testApp, sandbox, tally, takeOver })))
    const hasPgbouncer = topology.pgbouncer !== null
    return { tally, wrong, hasPgbouncer, confirmed: await countConfirmed(testApp) }
  })
}
