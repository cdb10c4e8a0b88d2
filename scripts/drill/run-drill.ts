import { setTimeout as sleep } from 'node:timers/promises'
import { type Patient, registryOf, VISITS_EACH } from '#bench/patients.ts'
import { seeded } from '#bench/random.ts'
import { openDatabase } from '#db/engine.ts'
import { startTopology, type Topology } from '#scripts/topology/start-topology.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { newId } from '#server/kernel/ids.ts'
import { readMasterKey } from '#server/kernel/security/secret-key.ts'
import { makeSecrets } from '#server/kernel/security/secrets.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { judgeBooks } from './books.ts'
import { Caller, Unanswered } from './caller.ts'
import { letHappen, planFaults } from './faults.ts'
import { makeOffers } from './free-times.ts'
import { makeBooker, type Stage, search } from './journeys.ts'
import { Tally } from './tally.ts'

const BOOKING_SHARE = 0.1

export type DrillOptions = {
  folder: string
  lengthMs: number
  /** Clients at once. */
  clients: number
  /** Milliseconds a client waits between two of its acts, on average. */
  thinkMs: number
  hasStandby: boolean
  hasPgbouncer: boolean
  seed: number
  /** Of Postgres, such as `fsync=off`. */
  postgres?: string[]
  say: (line: string) => void
}

/** How a drill went; `wrong` holds a sentence for everything that should not have been. */
export type DrillReport = {
  tally: Tally
  wrong: string[]
  hasPgbouncer: boolean
  confirmed: number
}

type Load = { stage: Stage; patients: Patient[]; options: DrillOptions }

/** Nine searches of ten, and a booking, on each client one after the other until time is up. */
async function makeLoad({ stage, patients, options }: Load): Promise<void> {
  const { random } = stage
  const end = performance.now() + options.lengthMs
  const client = async () => {
    const book = makeBooker(stage, patients)
    while (performance.now() < end) {
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

type Site = { topology: Topology; testApp: TestApp; stage: Stage; patients: Patient[] }

async function storm(
  { topology, stage, patients }: Site,
  options: DrillOptions,
): Promise<string[]> {
  const { lengthMs, say } = options
  const start = performance.now()
  const failed: string[] = []
  const note = (what: string) => {
    const line = `${Math.round((performance.now() - start) / 1_000)} s: ${what}`
    stage.tally.faults.push(line)
    say(line)
  }
  const faults = letHappen(planFaults(topology, lengthMs), {
    now: () => performance.now(),
    note,
    failed: (why) => failed.push(`process: ${why}`),
  })
  await Promise.all([makeLoad({ stage, patients, options }), faults])
  return failed
}

/** As many as could be needed: each client books as fast as it thinks. */
function countPatients({ lengthMs, clients, thinkMs }: DrillOptions): number {
  const bookings = (BOOKING_SHARE * clients * lengthMs) / thinkMs
  return Math.ceil(bookings / VISITS_EACH) + 2 * clients
}

/** Starts everything anew in a folder, lets clients at it while it is harmed, and compares the books. */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const { folder, hasStandby, hasPgbouncer, say, postgres = [] } = options
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
  await using sandbox = await startSandbox({
    now: () => at.testApp?.services.now() ?? Date.now(),
    deliver,
  })
  await using topology = await startTopology({
    folder,
    sandbox,
    hasStandby,
    hasPgbouncer,
    postgres,
    say,
  })
  at.topology = topology
  const database = openDatabase(topology.primary.url, { poolSize: 8 })
  try {
    const clock = { database, newId, standIn: sandbox.standIn, clock: Date.now }
    await using testApp = await makeTestApp(clock)
    at.testApp = testApp
    const secrets = makeSecrets(await readMasterKey(readConfig(topology.env)))
    testApp.services.secrets = secrets
    say('Making providers and patients')
    const times = await makeOffers(testApp, { providers: 40, count: 300 })
    const patients = await (await registryOf(database, secrets)).signIn(countPatients(options))
    const tally = new Tally()
    const caller = new Caller(
      topology.web.map(({ url }) => url),
      tally,
    )
    const stage = { caller, sandbox, tally, times, random: seeded(options.seed) }
    say(`Load of ${options.clients} clients for ${Math.round(options.lengthMs / 1_000)} s`)
    const wrong = await storm({ topology, testApp, stage, patients }, options)
    say('The load is over: comparing the books')
    const takeOver = () => {
      at.isOver = true
    }
    wrong.push(...(await judgeBooks({ topology, testApp, sandbox, tally, takeOver })))
    const confirmed = await database.db
      .selectFrom('bookings')
      .select('no')
      .where('state', '=', 'confirmed')
      .execute()
    const isBehind = topology.pgbouncer !== null
    return { tally, wrong, hasPgbouncer: isBehind, confirmed: confirmed.length }
  } finally {
    await database.close()
  }
}
