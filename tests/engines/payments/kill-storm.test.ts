import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { Hold } from '#contract/booking.ts'
import { CardStart, PaymentStatus, ReturnResponse, WalletStart } from '#contract/payments.ts'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { newId } from '#server/kernel/ids.ts'
import { insertPatients, makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { type MadeAccount, makeAccount, PASSWORD, signedInAs } from '#tests/harness/accounts.ts'
import {
  createDatabase,
  drawWithPlaces,
  MIGRATED_TEMPLATE,
  runOnPostgres,
} from '#tests/harness/servers/empty-database.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import {
  freePort,
  realEnvironment,
  ServerProcess,
  waitUntil,
} from '#tests/harness/servers/server-process.ts'
import { startSmtpServer } from '#tests/harness/servers/smtp-server.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { verifyCode } from '#tests/harness/visits.ts'
import { Dice } from './crashes.ts'
import { fastClock, type KillJob } from './kill-child.ts'
import { findViolations } from './payment-invariants.ts'
import { isExpectedError, settleEverything } from './payment-storm.ts'
import { GatewayActions } from './storm-gateways.ts'
import type { OfferedSlot, Tally } from './storm-people.ts'

const DAY = 86_400_000
const HALF_AN_HOUR = 30 * 60_000

const Tokens = z.object({ tokens: z.object({ access_token: z.string() }) })

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'apposite-kill-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Faults for one order: the capture, and all later reads of the order. */
function faultsForOrder(order: string, capture: 'drop_before' | 'drop_after') {
  const path = `/v2/checkout/orders/${order}`
  return [
    { path: `${path}/capture`, fault: capture, times: 99 },
    { path, method: 'GET' as const, fault: 'drop_before' as const, times: 99 },
  ]
}

test('a server killed during a payment and restarted settles it, and charges nothing twice', async () => {
  await using folder = await makeFolder()
  await using sandbox = await startSandbox({ now: Date.now })
  await writeFile(join(folder.path, 'apposite.db'), await drawWithPlaces())
  const database = openDatabase(`sqlite:${join(folder.path, 'apposite.db')}`)
  await using testApp = await makeTestApp({ database, newId })
  await using post = await startSmtpServer()
  const env = { ...(await realEnvironment(sandbox, folder.path)), SMTP_URL: post.url }
  await using server = new ServerProcess(env, await freePort())

  const first = Math.ceil(Date.now() / HALF_AN_HOUR) * HALF_AN_HOUR + 3 * DAY
  const starts = [0, 1, 2, 3].map((at) => first + at * HALF_AN_HOUR)
  // Two providers: from one network newcomers may hold three times with one.
  const providerIds = await Promise.all(
    [starts.slice(0, 2), starts.slice(2)].map((times) =>
      makeProviderWithSlots(
        testApp,
        times.map((start) => ({ start, minutes: 30 })),
      ),
    ),
  )
  const people = [await makeAccount(testApp), await makeAccount(testApp)] as const
  await server.start()

  const signIn = async ({ email, kind }: MadeAccount) => {
    const input = { email, password: PASSWORD, user_type: kind }
    return Tokens.parse(await server.act('auth.signIn', input)).tokens.access_token
  }
  const [one, other] = [await signIn(people[0]), await signIn(people[1])]
  const begin = async (at: number, procedure: string) => {
    const [account, token] = at < 2 ? [people[0], one] : [people[1], other]
    const startsAt = new Date(starts[at] ?? 0).toISOString()
    const providerId = providerIds[at < 2 ? 0 : 1]
    const hold = Hold.parse(await server.act('booking.hold', { providerId, startsAt }, token))
    await verifyCode({ ...signedInAs(testApp.services, account), now: Date.now }, hold.id)
    const terms = {
      holdId: hold.id,
      typeOfVisit: 'first_visit',
      purposeForVisit: 'A cough that will not go away',
      shown: hold.fees.first_visit,
    }
    return { hold, token, started: await server.act(`payments.${procedure}`, terms, token) }
  }
  const wallet = async (at: number) => {
    const { hold, token, started } = await begin(at, 'startWallet')
    const { orderId } = WalletStart.parse(started)
    sandbox.approve(orderId)
    return { hold, token, orderId }
  }
  const unasked = await wallet(0)
  const unanswered = await wallet(1)
  const untold = await wallet(2)
  const card = await begin(3, 'startCard')
  const session = CardStart.parse(card.started).clientSecret.split('_secret_')[0] ?? ''

  // One capture never reaches the gateway; for the other the response is lost …
  const rules = [
    ...faultsForOrder(unasked.orderId, 'drop_before'),
    ...faultsForOrder(unanswered.orderId, 'drop_after'),
  ]
  await sandbox.tell({ do: 'fail_calls', rules })
  const { store } = sandbox.sandbox.ctx
  const pressed = [unasked, unanswered].map(({ orderId, token }) =>
    server.act('payments.capture', { orderId }, token).catch(() => null),
  )
  const capturing = database.db.selectFrom('payments').where('state', '=', 'capturing').select('no')
  await waitUntil(async () => (await capturing.execute()).length === 2)
  await waitUntil(() => store.list('capture').length === 1)
  await server.kill()
  await Promise.all(pressed)
  // … and the card is paid while the server is down.
  sandbox.payByCard(session)
  await sandbox.tell({ do: 'fail_calls', rules: [] })

  await server.start()
  for (const { orderId, token, hold } of [unasked, unanswered]) {
    const status = async () =>
      PaymentStatus.parse(await server.ask('payments.status', { orderId }, token))
    await waitUntil(async () => (await status()).status !== 'PENDING')
    expect(await status()).toEqual({ status: 'COMPLETED', reason: null, visitId: hold.id })
  }
  const returned = await server.ask('payments.returned', { session_id: session }, other)
  const { status, visit } = ReturnResponse.parse(returned)
  expect([status, visit?.id]).toEqual(['complete', card.hold.id])
  // An approval the server never learned of charges nothing, and the time is released.
  const left = await server.act('payments.leave', { holdId: untold.hold.id }, untold.token)
  expect(left).toEqual({ released: true })

  expect(
    store
      .list('capture')
      .map(({ order }) => order)
      .toSorted(),
  ).toEqual([unasked.orderId, unanswered.orderId].toSorted())
  const unsent = () =>
    database.db.selectFrom('outbox').select('id').where('done_at', 'is', null).execute()
  await waitUntil(async () => (await unsent()).length === 0)
  expect(await findViolations(testApp, sandbox)).toEqual([])
})

// Two servers on one database and one sandbox, killed with SIGKILL at random moments and restarted. Full run:
// `KILL_SEEDS=20 KILLS=50 vitest run … kill-storm`; KILL_SEED repeats a failed run.

const MINUTE = 60_000
/** Clock speed: one minute passes in two seconds, so holds expire and visits begin during the test. */
const RATE = 30
const PROCESSES = 2
const first = Number(process.env['KILL_SEED'] ?? 2026)
const seeds = Array.from({ length: Number(process.env['KILL_SEEDS'] ?? 1) }, (_, n) => first + n)
const KILLS = Number(process.env['KILLS'] ?? 4)

const Line = z.object({ port: z.optional(z.int()), defect: z.optional(z.string()) })

/** A server that is killed and restarted. */
class KillableServer {
  readonly #job: KillJob
  readonly #defects: string[]
  #child: ChildProcess | null = null
  port: number | null = null

  constructor(job: KillJob, defects: string[]) {
    this.#job = job
    this.#defects = defects
  }

  /** Resolves when it serves requests or has exited. */
  start(seed: number): Promise<void> {
    const args = [
      join(import.meta.dirname, 'kill-child.ts'),
      JSON.stringify({ ...this.#job, seed }),
    ]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child = child
    return new Promise((resolve) => {
      child.once('exit', () => resolve())
      createInterface({ input: child.stdout }).on('line', (line) => {
        const { port, defect } = Line.parse(JSON.parse(line))
        if (defect !== undefined) this.#defects.push(defect)
        if (port === undefined) return
        this.port = port
        resolve()
      })
    })
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.port = null
    if (child === null) return
    if (child.exitCode !== null) this.#defects.push(`a server ended with ${child.exitCode}`)
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
}

async function makeOffers(testApp: TestApp): Promise<OfferedSlot[]> {
  const now = Math.ceil(testApp.services.now() / MINUTE) * MINUTE
  const starts = Array.from({ length: 600 }, (_, n) => now + n * 5 * MINUTE)
  const offers: OfferedSlot[] = []
  for (let provider = 0; provider < 2; provider += 1) {
    const slots = starts.map((start, n) => ({ start, minutes: n % 3 === 0 ? 5 : 10 }))
    const providerId = await makeProviderWithSlots(testApp, slots)
    for (const { start } of slots) {
      offers.push({ providerId, startsAt: new Date(start).toISOString() })
    }
  }
  return offers
}

async function runKillStorm(url: string, seed: number): Promise<string[]> {
  const dice = new Dice(seed)
  const epoch = Date.now()
  const database = openDatabase(url, { poolSize: 8 })
  const at: { testApp?: TestApp; isCalm?: boolean; servers: KillableServer[] } = { servers: [] }
  const clock = fastClock({ epoch, rate: RATE })
  await using sandbox = await startSandbox({
    now: () => at.testApp?.services.now() ?? clock(),
    deliver: async (request) => {
      const alive = at.servers.flatMap(({ port }) => (port === null ? [] : [port]))
      const { pathname } = new URL(request.url)
      if (at.isCalm === true) return at.testApp?.app.fetch(request, '127.0.0.1') ?? Response.error()
      if (alive.length === 0) return new Response(null, { status: 503 })
      const body = await request.text()
      const init = { method: 'POST', headers: request.headers, body }
      return fetch(`http://127.0.0.1:${dice.pick(alive)}${pathname}`, init)
    },
  })
  try {
    await migrateToLatest(database)
    await using testApp = await makeTestApp({ database, newId, sandbox: sandbox.connection, clock })
    at.testApp = testApp
    const patients = await insertPatients(testApp, 40)
    const offers = await makeOffers(testApp)
    const access = await sandbox.connection.access()
    const job: KillJob = { url, seed, access, epoch, rate: RATE, patients, offers }
    const defects: string[] = []
    let kills = 0
    const { services } = testApp
    const tally: Tally = {}
    const gateways = new GatewayActions({ services, sandbox, dice, tally })
    const torment = async (server: KillableServer) => {
      while (kills < KILLS && defects.length === 0) {
        const started = server.start(dice.below(2 ** 31))
        // One in ten times it is killed without waiting until it is ready.
        if (dice.next() < 0.9) await started
        await sleep(dice.below(2_500))
        await server.kill()
        kills += 1
      }
    }
    at.servers = Array.from({ length: PROCESSES }, () => new KillableServer(job, defects))
    const over = new AbortController()
    const runActions = async () => {
      while (!over.signal.aborted) {
        await gateways.comeBack()
        const act = dice.weigh<() => Promise<void>>([
          [20, () => gateways.payByCard()],
          [20, () => gateways.approve()],
          [1, () => gateways.fault()],
          [6, () => gateways.webhooks()],
          [2, () => gateways.executeLate()],
          [0.15, () => gateways.goAway([2, 5, 12])],
          [0.5, () => gateways.forget()],
          [1, () => gateways.refundByHand()],
          [0.5, () => gateways.dispute()],
        ])
        await act().catch((error: unknown) => {
          if (!isExpectedError(error)) defects.push(String(error))
        })
        await sleep(dice.below(80))
      }
    }
    const storming = runActions()
    try {
      await Promise.all(at.servers.map(torment))
    } finally {
      over.abort()
      await storming
      for (const server of at.servers) await server.kill()
    }
    at.isCalm = true
    const booked = await database.db.selectFrom('bookings').select('no').execute()
    tally['holds'] = booked.length
    const ended = await database.db.selectFrom('payments').select('state').execute()
    for (const { state } of ended) tally[state] = (tally[state] ?? 0) + 1
    process.stdout.write(
      `kills: ${database.engine}, seed ${seed}, ${kills} kills, ${JSON.stringify(tally)}\n`,
    )
    await gateways.calm()
    await settleEverything({ testApp, sandbox })
    const wrong = [...defects, ...(await findViolations(testApp, sandbox))]
    for (const one of wrong) process.stdout.write(`kills: seed ${seed}, ${one}\n`)
    return wrong
  } finally {
    for (const server of at.servers) await server.kill()
    await database.close()
  }
}

const limit = { timeout: 120_000 + KILLS * 10_000 }
const title = 'two servers killed again and again: both books agree in the end (%i)'

test.each(seeds)(`on one SQLite file, ${title}`, limit, async (seed) => {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-kills-'))
  try {
    const url = `sqlite:${join(folder, 'apposite.db')}`
    expect(await runKillStorm(url, seed), `KILL_SEED=${seed}`).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test.each(seeds)(`on Postgres, ${title}`, limit, async (seed) => {
  const server = inject('postgresUrl')
  const name = `kills_${randomBytes(6).toString('hex')}`
  await runOnPostgres(server, (admin) => createDatabase(admin, name, MIGRATED_TEMPLATE))
  try {
    expect(await runKillStorm(`${server}/${name}`, seed), `KILL_SEED=${seed}`).toEqual([])
  } finally {
    await runOnPostgres(server, (admin) =>
      sql`drop database ${sql.id(name)} with (force)`.execute(admin.db),
    )
  }
})
