import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import { seeded } from '#bench/data.ts'
import { queryPath } from '#bench/load.ts'
import { type FreeTime, type Patient, registryOf, VISITS_PER_PATIENT } from '#bench/patients.ts'
import { cpuSeconds } from '#bench/process-usage.ts'
import { Hold } from '#contract/booking.ts'
import { CardStart, PaymentStatus, ReturnResponse, WalletStart } from '#contract/payments.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { Caller, type ReportedVisit, Tally } from '#scripts/drill/caller.ts'
import { type PostgresNode, startPrimary } from '#scripts/topology/postgres.ts'
import { AppProcess } from '#scripts/topology/processes.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeSecrets, readMasterKey } from '#server/kernel/security/secrets.ts'
import { makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { readGatewayTotals } from '#tests/engines/payments/payment-invariants.ts'
import { paymentTerms } from '#tests/harness/payment-fixture.ts'
import { startSandbox, type TestSandbox } from '#tests/harness/servers/sandbox.ts'
import { freePort, realEnvironment } from '#tests/harness/servers/server-process.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const STEP = 30 * 60_000
const DAY = 86_400_000

/** Wishes per turn: for one provider each, for different times of one provider, and for the same time. */
const MIX = { each: 112, ofOne: 32, same: 16 }
const TURN_SIZE = MIX.each + MIX.ofOne + MIX.same

/** Clients at once. */
const CONCURRENCY = 24

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** The times clients want in each turn; wishes for the same time are sent at the same moment. */
async function makeRequests(testApp: TestApp, turns: number): Promise<FreeTime[][]> {
  const first = Math.ceil(testApp.services.now() / STEP) * STEP + 2 * DAY
  const half = (n: number) => first + n * STEP
  const slots = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ start: half(n), minutes: 30 }))
  const time = (providerId: string, n: number): FreeTime => ({
    providerId,
    startsAt: new Date(half(n)).toISOString(),
  })
  const many: string[] = []
  for (let n = 0; n < MIX.each; n += 1)
    many.push(await makeProviderWithSlots(testApp, slots(turns)))
  const random = seeded(5)
  const requests: FreeTime[][] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const one = await makeProviderWithSlots(testApp, slots(MIX.ofOne))
    const wanted = await makeProviderWithSlots(testApp, slots(1))
    const apart = shuffled(
      [
        ...many.map((providerId) => time(providerId, turn)),
        ...Array.from({ length: MIX.ofOne }, (_, n) => time(one, n)),
      ],
      random,
    )
    const rush = Array.from({ length: MIX.same }, () => time(wanted, 0))
    const at = Math.floor(random() * apart.length)
    requests.push([...apart.slice(0, at), ...rush, ...apart.slice(at)])
  }
  return requests
}

/** Patients who may still book, longest idle first. */
class Patients {
  readonly #rested: { patient: Patient; left: number }[]

  constructor(patients: readonly Patient[]) {
    this.#rested = patients.map((patient) => ({ patient, left: VISITS_PER_PATIENT }))
  }

  /** Calls `act` with the patient who has been idle longest; it returns whether a visit was booked. */
  async take(act: (patient: Patient) => Promise<boolean>): Promise<void> {
    const next = this.#rested.shift()
    if (next === undefined) throw new Error('There are too few patients for so many bookings.')
    const left = (await act(next.patient)) ? next.left - 1 : next.left
    if (left > 0) this.#rested.push({ ...next, left })
  }
}

type Desk = { caller: Caller; tally: Tally; sandbox: TestSandbox; patients: Patients }

/** Pays by the chosen method; returns the visit shown to the patient. */
async function pay({ caller, sandbox }: Desk, patient: Patient, hold: Hold): Promise<string> {
  const { token, network } = patient
  const call = (kind: string, path: string, body?: object) =>
    caller.data({ kind, path, network, token, ...(body && { body }) })
  const input = paymentTerms(hold)
  if (hold.id.charCodeAt(hold.id.length - 1) % 2 === 0) {
    const { orderId } = WalletStart.parse(await call('pay', '/trpc/payments.startWallet', input))
    sandbox.approve(orderId)
    await call('capture', '/trpc/payments.capture', { orderId })
    const status = await call('see', queryPath('payments.status', { orderId }))
    return PaymentStatus.parse(status).visitId ?? ''
  }
  const started = CardStart.parse(await call('pay', '/trpc/payments.startCard', input))
  const session = started.clientSecret.split('_secret_')[0] ?? ''
  sandbox.payByCard(session)
  // The page the buyer returns to settles the payment, as the webhook would.
  const seen = await call('see', queryPath('payments.returned', { session_id: session }))
  return ReturnResponse.parse(seen).visit?.id ?? ''
}

/** Holds and pays; false when another client was faster. */
async function book(desk: Desk, patient: Patient, time: FreeTime): Promise<boolean> {
  const { caller, tally } = desk
  const { token, network } = patient
  const body = { ...time, overlapOk: true }
  const result = await caller.call({
    kind: 'hold',
    path: '/trpc/booking.hold',
    body,
    network,
    token,
  })
  if (!result.ok) {
    if (result.code.startsWith('slot_')) return false
    throw new Error(`hold: ${result.code}`)
  }
  const visitId = await pay(desk, patient, Hold.parse(result.data))
  tally.visits.push({ visitId, ...time })
  return true
}

/** Runs all wishes of a turn with a limited number of clients; returns the milliseconds it took. */
async function bookAll(desk: Desk, requests: readonly FreeTime[]): Promise<number> {
  const queue = requests.values()
  const start = performance.now()
  const client = async () => {
    for (const time of queue) await desk.patients.take((patient) => book(desk, patient, time))
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, client))
  return performance.now() - start
}

/** Numbers of processes that serve requests. */
const COUNTS = [1, 2, 4] as const
const MAX_PROCESSES = 4

/** Each turn runs once for every number of processes; the first turn is not counted. */
const TURNS = { full: 9, quick: 2 }

/** More processes may be this much slower on the same work and still count as equally fast, given noise. */
const NOISE = 0.9

/**
 * Fixtures need not survive a crash, so they are committed without waiting for the disk; bookings are not.
 */
const ASYNC_COMMIT = '?options=-c%20synchronous_commit%3Doff'

type CpuSeconds = { app: number; postgres: number; ours: number }

/** The results for one number of processes. */
class Way {
  readonly tally = new Tally()
  /** Visits per second in each turn. */
  readonly rates: number[] = []
  /** CPU time in seconds; `seconds` below is wall-clock time. */
  readonly used: CpuSeconds = { app: 0, postgres: 0, ours: 0 }
  seconds = 0
  readonly processes: readonly AppProcess[]
  readonly caller: Caller

  constructor(processes: readonly AppProcess[]) {
    this.processes = processes
    this.caller = new Caller(
      processes.map(({ url }) => url),
      this.tally,
    )
  }
}

type Site = {
  node: PostgresNode
  database: Database
  sandbox: TestSandbox
  processes: AppProcess[]
  env: Record<string, string>
}

function secondsNow({ node, processes }: Site): CpuSeconds {
  const of = (pid: number | undefined) => (pid === undefined ? 0 : (cpuSeconds(pid) ?? 0))
  const app = processes.reduce((sum, one) => sum + of(one.pid), 0)
  const { user, system } = process.cpuUsage()
  return { app, postgres: of(node.pid), ours: (user + system) / 1e6 }
}

type Turn = { wishes: Parameters<typeof bookAll>[1]; patients: Patients; isCounted: boolean }

async function runTurn(site: Site, way: Way, { wishes, patients, isCounted }: Turn): Promise<void> {
  const visitsBefore = way.tally.visits.length
  const before = secondsNow(site)
  const { caller, tally } = way
  const desk = { caller, tally, sandbox: site.sandbox, patients }
  const seconds = (await bookAll(desk, wishes)) / 1_000
  const after = secondsNow(site)
  if (!isCounted) return
  way.rates.push((way.tally.visits.length - visitsBefore) / seconds)
  way.seconds += seconds
  for (const name of ['app', 'postgres', 'ours'] as const) {
    way.used[name] += after[name] - before[name]
  }
}

/**
 * Compares what patients were told, our visits and the gateways' records: finds lost visits, lost money and
 * times booked twice.
 */
async function compareRecords(
  { database: { db }, sandbox }: Site,
  reported: readonly ReportedVisit[],
) {
  const visits = await db
    .selectFrom('bookings as b')
    .innerJoin('payments as p', 'p.no', 'b.paid_by')
    .select(['b.id', 'p.id as payment_id', 'p.amount_minor', 'p.state'])
    .where('b.state', '=', 'confirmed')
    .execute()
  const ids = new Set<string>(visits.map(({ id }) => id))
  const totals = readGatewayTotals(sandbox)
  const unpaid = visits.filter(({ payment_id: id, amount_minor: minor, state }) => {
    const moved = totals.get(id)
    return state !== 'paid' || moved?.captured !== minor || moved.refunded !== 0
  })
  const lost =
    reported.filter(({ visitId }) => !ids.has(visitId)).length +
    Math.abs(visits.length - reported.length) +
    Math.abs(visits.length - totals.size) +
    unpaid.length
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from bookings a join bookings b
    on a.provider_no = b.provider_no and a.no < b.no and a.start_at < b.end_at and b.start_at < a.end_at
    where a.state = 'confirmed' and b.state = 'confirmed'`.execute(db)
  const times = new Set(reported.map(({ providerId, startsAt }) => `${providerId} ${startsAt}`))
  return { lost, double: (rows[0]?.n ?? 0) + reported.length - times.size }
}

async function deadlocks({ db }: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]?.n ?? 0
}

/** Calls answered with "try again in a moment", which is the response to a failed transaction. */
function busy(ways: readonly Way[]): number {
  return ways
    .flatMap(({ tally }) => [...tally.retries])
    .reduce((sum, [why, count]) => (why.startsWith('status 503') ? sum + count : sum), 0)
}

function reportUsage({ say }: BenchOptions, ways: readonly Way[]): void {
  const cores = availableParallelism()
  for (const { processes, used, seconds, tally } of ways) {
    const of = (name: keyof CpuSeconds) => (used[name] / seconds).toFixed(2)
    say(
      `${processes.length} of ${MAX_PROCESSES} processes: of ${cores} cores they take ${of('app')}, Postgres ${of('postgres')}, patients and gateways ${of('ours')}`,
    )
    for (const line of tally.lines()) say(`  ${line}`)
  }
}

async function measure(site: Site, options: BenchOptions): Promise<Measure[]> {
  const { database, sandbox, processes } = site
  const turns = 1 + (options.quick ? TURNS.quick : TURNS.full)
  await using testApp = await makeTestApp({
    database,
    newId,
    sandbox: sandbox.connection,
    clock: Date.now,
  })
  testApp.services.secrets = makeSecrets(await readMasterKey(readConfig(site.env)))
  options.say('Making providers and patients')
  const requests = await makeRequests(testApp, COUNTS.length * turns)
  const registry = await registryOf(database, testApp.services.secrets)
  const count = Math.ceil((COUNTS.length * turns * TURN_SIZE) / VISITS_PER_PATIENT)
  const patients = new Patients(await registry.signIn(count))
  const ways = COUNTS.map((n) => new Way(processes.slice(0, n)))
  const before = await deadlocks(database)
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [at, way] of ways.entries()) {
      const wanted = requests[turn * COUNTS.length + at] ?? []
      await runTurn(site, way, { wishes: wanted, patients, isCounted: turn > 0 })
    }
  }
  reportUsage(options, ways)
  const failures = ways.flatMap(({ tally }) => [...tally.failures, ...tally.unanswered])
  if (failures.length > 0) throw new Error(failures.slice(0, 5).join('\n'))
  const reported = ways.flatMap(({ tally }) => tally.visits)
  options.say(`${reported.length} visits booked, ${(await deadlocks(database)) - before} deadlocks`)
  const { lost, double } = await compareRecords(site, reported)
  const rates = ways.map((way) => percentile(way.rates, 0.5))
  const [one = Number.NaN] = rates
  const faster = COUNTS.map(
    (n, at): Measure => ({
      name: `bookings from the hold to the paid visit, ${n} ${n === 1 ? 'process' : 'processes'} against one`,
      ours: rates[at] ?? Number.NaN,
      limit: one,
      unit: '/s',
      bar: n === 2 ? { atLeast: NOISE } : null,
    }),
  )
  const tries = COUNTS.length * turns * TURN_SIZE
  const failed = busy(ways)
  const none = { limit: 1, unit: '', bar: { atMost: 0 } }
  return [
    ...faster,
    {
      name: 'tries the database refused',
      ours: failed,
      limit: tries,
      unit: '',
      bar: { atMost: 0.1 },
    },
    { name: 'visits or money lost', ours: lost, ...none },
    { name: 'times that two have', ours: double, ...none },
  ]
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-bookings-'))
  await using sandbox = await startSandbox({ now: Date.now })
  // Postgres may run as another user, which needs access to its files.
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'data'))
  const node = await startPrimary({ folder })
  const processes: AppProcess[] = []
  const database = openDatabase(`${node.url}${ASYNC_COMMIT}`, { poolSize: 8 })
  try {
    const env = {
      ...(await realEnvironment(sandbox, join(folder, 'data'))),
      ROLE: 'web',
      LOG_LEVEL: 'warn',
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: 'smtp://127.0.0.1:1',
      DATABASE_URL: node.url,
    }
    options.say(`Starting Postgres and ${MAX_PROCESSES} processes`)
    for (let n = 1; n <= MAX_PROCESSES; n += 1) {
      const name = `web-${n}`
      const one = new AppProcess({
        name,
        port: await freePort(),
        env,
        log: join(folder, `${name}.log`),
      })
      processes.push(one)
      await one.start()
    }
    return await measure({ node, database, sandbox, processes, env }, options)
  } finally {
    for (const one of processes) await one.terminate()
    await database.close()
    await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export const bar: Bar = { no: 23, title: 'Bookings on Postgres, by 1, 2 and 4 processes', run }
