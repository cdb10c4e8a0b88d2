import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import { seeded } from '#bench/data.ts'
import { type DemoServer, startOwnDemo } from '#bench/demo-server.ts'
import { type Question, queryPath, sendRequests } from '#bench/load.ts'
import { type FreeTime, openRegistry, type Patient, VISITS_PER_PATIENT } from '#bench/patients.ts'
import { memoryText } from '#bench/process-usage.ts'
import { Hold } from '#contract/booking.ts'
import { CaptureResponse, CardStart, PaymentStatus, WalletStart } from '#contract/payments.ts'
import { RADII, SORTS } from '#contract/search.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import { Caller, Tally } from '#scripts/drill/caller.ts'
import { paymentTerms } from '#tests/harness/payment-fixture.ts'

/** Patients at once. A card payment waits for the webhook, about a second. */
const CONCURRENCY = 32
const POLL_MS = 250
const TIMEOUT_MS = 120_000

type Booker = { caller: Caller; patient: Patient }

/** Calls a mutation as a patient's script would. */
function callMutation({ caller, patient }: Booker, path: string, body: object): Promise<unknown> {
  const { token, network } = patient
  return caller.data({ kind: path, path: `/trpc/${path}`, body, token, network })
}

const CARD = {
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Sam Buyer',
  country: 'GB',
  postcode: 'SE1 6ET',
}

/** What the buyer does on the sandbox's page, proxied by the server. */
function postToSandbox({ caller, patient }: Booker, path: string, body: object): Promise<unknown> {
  return caller.data({ kind: path, path: `/sandbox/${path}`, body, network: patient.network })
}

/** Polls as the page does, until the webhook has turned the hold into a visit. */
async function waitForVisit({ caller, patient }: Booker, orderId: string): Promise<void> {
  const { token, network } = patient
  const path = queryPath('payments.status', { orderId })
  const giveUpAt = performance.now() + TIMEOUT_MS
  while (performance.now() < giveUpAt) {
    const status = PaymentStatus.parse(await caller.data({ kind: 'status', path, token, network }))
    if (status.visitId !== null) return
    await sleep(POLL_MS)
  }
  throw new Error('A payment by card was not confirmed.')
}

/** Holds a time, pays, and waits for the visit. */
async function book(as: Booker, time: FreeTime, isCard: boolean): Promise<void> {
  const hold = Hold.parse(await callMutation(as, 'booking.hold', { ...time, overlapOk: true }))
  const input = paymentTerms(hold)
  if (isCard) {
    const { clientSecret } = CardStart.parse(await callMutation(as, 'payments.startCard', input))
    await postToSandbox(as, 'stripe/pay', { client_secret: clientSecret, ...CARD })
    await waitForVisit(as, clientSecret.split('_secret_')[0] ?? '')
    return
  }
  const { orderId } = WalletStart.parse(await callMutation(as, 'payments.startWallet', input))
  await postToSandbox(as, 'paypal/approve', { token: orderId, outcome: 'pay' })
  CaptureResponse.parse(await callMutation(as, 'payments.capture', { orderId }))
}

/**
 * Makes `count` bookings over HTTP from hold to confirmation, half of them paid by card and half by wallet
 * through the sandbox. Only the emailed code is bypassed. Throws when a booking is missing.
 */
async function makeBookings({ port, dataDir }: DemoServer, count: number): Promise<void> {
  const registry = await openRegistry(dataDir)
  const tally = new Tally()
  const caller = new Caller([`http://127.0.0.1:${port}`], tally)
  try {
    const before = await registry.countConfirmed()
    const patients = await registry.signIn(
      Math.max(Math.ceil(count / VISITS_PER_PATIENT), Math.min(count, CONCURRENCY)),
    )
    const times = (await registry.freeTimes(count)).entries()
    const each = Math.ceil(count / patients.length)
    const work = async () => {
      for (let patient = patients.pop(); patient !== undefined; patient = patients.pop()) {
        for (const [n, time] of times.take(each)) await book({ caller, patient }, time, n % 2 === 0)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    if (tally.failures.length > 0) throw new Error(tally.failures.slice(0, 5).join('\n'))
    const made = (await registry.countConfirmed()) - before
    if (made !== count) throw new Error(`${made} of ${count} bookings were confirmed.`)
  } finally {
    await registry.close()
  }
}

const MAX_MB = 300
const STAGES = 5
const FULL = { searches: 100_000, bookings: 10_000 }

/** Enough addresses that none reaches its rate limit. */
const ADDRESSES = 4_000

/** Random searches: any place, specialty, order and page, from thousands of networks. */
async function searches(): Promise<() => Question> {
  const file = new URL('../../db/geo/uk-sectors.tsv', import.meta.url)
  const sectors = (await readFile(file, 'utf8')).split('\n').slice(1, -1)
  const random = seeded(4)
  const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  let count = 0
  return () => {
    const address = count++ % ADDRESSES
    const path = queryPath('search.providers', {
      postcode: one(sectors)?.split('\t')[0],
      specialty: specialtyByNo(1 + Math.floor(random() * 30)).slug,
      radius: one(RADII),
      sort: one(SORTS),
      page: 1 + Math.floor(random() * 3),
      ...(random() < 0.3 ? { available: '3' } : {}),
    })
    return { path, headers: { 'x-forwarded-for': `10.1.${address >> 8}.${address & 255}` } }
  }
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const total = options.quick ? { searches: 8_000, bookings: 100 } : FULL
  const server = await startOwnDemo(options, { TRUSTED_PROXIES: '127.0.0.1' })
  try {
    const { port } = server
    const next = await searches()
    const memory: number[] = []
    let resident = Number.NaN
    for (let stage = 0; stage < STAGES; stage++) {
      await sendRequests({ port, connections: 8, next }, total.searches / STAGES)
      await makeBookings(server, total.bookings / STAGES)
      const now = server.memory()
      // Pages of the mapped database file are excluded: the system reclaims them when it needs memory.
      const own = now.total - (now.kinds.get('database file') ?? 0)
      options.say(`After ${stage + 1} of ${STAGES} parts: ${own.toFixed(0)} of ${memoryText(now)}`)
      resident = now.total
      memory.push(own)
    }
    const last = memory.at(-1) ?? Number.NaN
    return [
      {
        name: `memory after ${total.searches} searches and ${total.bookings} bookings`,
        ours: last,
        limit: MAX_MB,
        unit: 'MB',
        bar: { atMost: 1 },
      },
      {
        name: 'memory at the end, against two fifths of the way',
        ours: last,
        limit: memory[1] ?? Number.NaN,
        unit: 'MB',
        bar: { atMost: 1.1 },
      },
      {
        name: 'the same with the pages of the database file',
        ours: resident,
        limit: MAX_MB,
        unit: 'MB',
        bar: null,
      },
    ]
  } finally {
    await server.close()
  }
}

export const bar: Bar = { no: 18, title: 'Memory', run }
