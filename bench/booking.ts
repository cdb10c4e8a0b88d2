import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { Hold } from '#contract/booking.ts'
import { CaptureResponse, CardStart, PaymentStatus, WalletStart } from '#contract/payments.ts'
import { type FreeTime, openRegistry, type Patient, VISITS_PER_PATIENT } from './patients.ts'

/** Patients at once. A card payment waits for the webhook, about a second. */
const CONCURRENCY = 32
const POLL_MS = 250
const TIMEOUT_MS = 120_000

type Site = { port: number; dataDir: string }
type Call = { site: Site; patient: Patient }

async function read(answer: Response): Promise<unknown> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

async function post(url: string, body: unknown, headers: Record<string, string>): Promise<unknown> {
  const type = { 'content-type': 'application/json' }
  const init = { method: 'POST', body: JSON.stringify(body), headers: { ...type, ...headers } }
  return read(await fetch(url, init))
}

const Answer = z.object({ result: z.object({ data: z.unknown() }) })

function headersOf({ token, network }: Patient): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-forwarded-for': network }
}

/** Calls a mutation as a patient's script would. */
async function callMutation(
  { site, patient }: Call,
  path: string,
  input: object,
): Promise<unknown> {
  const url = `http://127.0.0.1:${site.port}/trpc/${path}`
  return Answer.parse(await post(url, input, headersOf(patient))).result.data
}

/** Calls a query as a patient's script would. */
async function callQuery({ site, patient }: Call, path: string, input: object): Promise<unknown> {
  const text = encodeURIComponent(JSON.stringify(input))
  const url = `http://127.0.0.1:${site.port}/trpc/${path}?input=${text}`
  return Answer.parse(await read(await fetch(url, { headers: headersOf(patient) }))).result.data
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
function postToSandbox({ site, patient }: Call, path: string, form: object): Promise<unknown> {
  return post(`http://127.0.0.1:${site.port}/sandbox/${path}`, form, {
    'x-forwarded-for': patient.network,
  })
}

/** Polls as the page does, until the webhook has turned the hold into a visit. */
async function waitForVisit(as: Call, orderId: string): Promise<void> {
  const giveUpAt = performance.now() + TIMEOUT_MS
  while (performance.now() < giveUpAt) {
    const status = PaymentStatus.parse(await callQuery(as, 'payments.status', { orderId }))
    if (status.visitId !== null) return
    await sleep(POLL_MS)
  }
  throw new Error('A payment by card was not confirmed.')
}

/** Holds a time, pays, and waits for the visit. */
async function book(as: Call, time: FreeTime, isCard: boolean): Promise<void> {
  const hold = Hold.parse(await callMutation(as, 'booking.hold', { ...time, overlapOk: true }))
  const input = {
    holdId: hold.id,
    typeOfVisit: 'first_visit',
    purposeForVisit: 'A cough that will not go away',
    shown: hold.fees.first_visit,
  }
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
export async function makeBookings(site: Site, count: number): Promise<void> {
  const registry = await openRegistry(site.dataDir)
  try {
    const before = await registry.countConfirmed()
    const patients = await registry.signIn(
      Math.max(Math.ceil(count / VISITS_PER_PATIENT), Math.min(count, CONCURRENCY)),
    )
    const times = (await registry.freeTimes(count)).entries()
    const each = Math.ceil(count / patients.length)
    const work = async () => {
      for (let patient = patients.pop(); patient !== undefined; patient = patients.pop()) {
        for (const [n, time] of times.take(each)) await book({ site, patient }, time, n % 2 === 0)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    const made = (await registry.countConfirmed()) - before
    if (made !== count) throw new Error(`${made} of ${count} bookings were confirmed.`)
  } finally {
    await registry.close()
  }
}
