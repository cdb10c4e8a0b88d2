import { setTimeout as sleep } from 'node:timers/promises'
import { type Patient, registryOf, VISITS_EACH } from '#bench/patients.ts'
import { seeded } from '#bench/random.ts'
import { openDatabase } from '#db/engine.ts'
import { startTopology, type Topology } from '#scripts/topology/start-topology.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { newId } from '#server/kernel/ids.ts'
import { readMasterKey } from '#server/kernel/security/secret-key.ts'
import { makeSecrets } from '#server/kernel/security/secrets.ts'
import { startSandbox, type TestSandbox } from '#tests/harness/servers/sandbox.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { judgeBooks } from './books.ts'
import { Caller, Unanswered } from './caller.ts'
import { type Fault, letHappen, planFaults, type Run } from './faults.ts'
import { makeOffers } from './free-times.ts'
import { makeBooker, type Stage, search } from './journeys.ts'
import { Tally } from './tally.ts'

/** Share of bookings among the acts; the others are searches. */
const BOOKING_SHARE = 0.1

/** How long clients continue after the last fault. */
const AFTERWARDS_MS = 3_000

/** Extra time to provide patients for, when faults take longer than the planned run. */
const SPARE_MS = 60_000

export type DrillOptions = {
  folder: string
  lengthMs: number
  /** Concurrent clients. */
  clients: number
  /** Milliseconds a client waits between two of its acts, on average. */
  thinkMs: number
  /** Share of bookings among the acts, from 0 to 1; a tenth when left out. */
  bookingShare?: number
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

type Load = { stage: Stage; patients: Patient[]; options: DrillOptions; isOver: () => boolean }

/** Searches, and now and then books, on each client until the run is over. */
async function makeLoad({ stage, patients, options, isOver }: Load): Promise<void> {
  const { random } = stage
  const { thinkMs, bookingShare = BOOKING_SHARE } = options
  const client = async () => {
    const book = makeBooker(stage, patients)
    while (!isOver()) {
      if (random() < bookingShare) await book()
      else {
        await search(stage).catch((error: unknown) => {
          if (!(error instanceof Unanswered)) throw error
        })
      }
      await sleep(2 * random() * thinkMs)
    }
  }
  await Promise.all(Array.from({ length: options.clients }, client))
}

type Site = { topology: Topology; stage: Stage; patients: Patient[] }

async function storm(
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
    await letHappen(plan({ topology, lengthMs, tally: stage.tally }), {
      now: () => performance.now(),
      note,
      failed: (why) => failed.push(`process: ${why}`),
    })
    await sleep(AFTERWARDS_MS)
    hasHappened = true
  }
  const isOver = () => hasHappened && performance.now() - start >= lengthMs
  await Promise.all([makeLoad({ stage, patients, options, isOver }), happen()])
  return failed
}

/** The most patients that could be needed: each client books as fast as it thinks. */
function countPatients(options: DrillOptions): number {
  const { lengthMs, clients, thinkMs, bookingShare = BOOKING_SHARE } = options
  const bookings = (bookingShare * clients * (lengthMs + SPARE_MS)) / thinkMs
  return Math.ceil(bookings / VISITS_EACH) + 2 * clients
}

type Hands = { topology: Topology; sandbox: TestSandbox }

/** Opens the current database over its own connection, with the secrets of the processes. */
async function withTestApp<T>(
  { topology, sandbox }: Hands,
  work: (testApp: TestApp) => Promise<T>,
): Promise<T> {
  const database = openDatabase(topology.primary.url, { poolSize: 8 })
  try {
    const { standIn } = sandbox
    await using testApp = await makeTestApp({ database, newId, standIn, clock: Date.now })
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

async function fill(testApp: TestApp, options: DrillOptions) {
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
  const { times, patients } = await withTestApp(hands, (testApp) => fill(testApp, options))
  const tally = new Tally()
  const addresses = topology.web.map(({ url }) => url)
  const caller = new Caller(addresses, tally)
  const stage = { caller, sandbox, tally, times, random: seeded(seed) }
  say(`Load of ${clients} clients for ${Math.round(lengthMs / 1_000)} s`)
  const wrong = await storm({ topology, stage, patients }, options)
  say('The load is over: comparing the books')
  return await withTestApp(hands, async (testApp) => {
    at.testApp = testApp
    const takeOver = () => {
      at.isOver = true
    }
    wrong.push(...(await judgeBooks({ topology, testApp, sandbox, tally, takeOver })))
    const hasPgbouncer = topology.pgbouncer !== null
    return { tally, wrong, hasPgbouncer, confirmed: await countConfirmed(testApp) }
  })
}
