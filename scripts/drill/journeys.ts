import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { queryPath } from '#bench/load.ts'
import { type FreeTime, type Patient, VISITS_PER_PATIENT } from '#bench/patients.ts'
import { Hold } from '#contract/booking.ts'
import { CardStart, PaymentStatus, WalletStart } from '#contract/payments.ts'
import { paymentTerms } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import type { TestSandbox } from '#tests/harness/servers/sandbox.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { type Call, type Caller, type CallResult, type Tally, Unanswered } from './caller.ts'

const STEP_MS = 30 * 60_000
const DAY_MS = 86_400_000
/** Patients choose among the earliest times of a few providers, so they compete. */
const CHOICE = { providers: 8, times: 3 }
/** How long a page still shows a time that was taken. */
const STALE_MS = 5_000

/** Times that are still free as far as clients know. */
class FreeTimes {
  readonly #byProvider: Map<string, string[]>

  constructor(byProvider: Map<string, string[]>) {
    this.#byProvider = byProvider
  }

  /** One of the earliest times of some provider; others may get the same one. */
  pick(random: () => number): FreeTime {
    const left = [...this.#byProvider].filter(([, starts]) => starts.length > 0)
    const providers = left.slice(0, CHOICE.providers)
    const [providerId, starts = []] = providers[Math.floor(random() * providers.length)] ?? []
    const startsAt = starts[Math.floor(random() * Math.min(CHOICE.times, starts.length))]
    if (providerId === undefined || startsAt === undefined) throw new Error('No time is left.')
    return { providerId, startsAt }
  }

  /** Marks a time as just taken; others keep trying it for a few seconds. */
  take(time: FreeTime): void {
    setTimeout(() => this.drop(time), STALE_MS).unref()
  }

  /** Removes a time that is known to be gone. */
  drop({ providerId, startsAt }: FreeTime): void {
    const starts = this.#byProvider.get(providerId) ?? []
    const at = starts.indexOf(startsAt)
    if (at >= 0) starts.splice(at, 1)
  }
}

/** Creates this many providers around London, each with `count` half hours from the day after tomorrow on. */
export async function makeOffers(
  testApp: TestApp,
  { providers, count }: { providers: number; count: number },
): Promise<FreeTimes> {
  const first = Math.ceil(testApp.services.now() / STEP_MS) * STEP_MS + 2 * DAY_MS
  const slots = Array.from({ length: count }, (_, n) => first + n * STEP_MS)
  const byProvider = new Map<string, string[]>()
  for (let n = 0; n < providers; n += 1) {
    const place = { latitude: 51.4 + (n % 7) * 0.03, longitude: -0.3 + (n % 11) * 0.04 }
    const { id } = await makeProvider(testApp, { slots, place })
    byProvider.set(
      id,
      slots.map((start) => new Date(start).toISOString()),
    )
  }
  return new FreeTimes(byProvider)
}

/** How often a page polls for the payment, and for how long. */
const POLL_MS = 500
const MAX_POLLS = 240

export type JourneyContext = {
  caller: Caller
  sandbox: TestSandbox
  tally: Tally
  times: FreeTimes
  /** From 0 to 1, like `Math.random`. */
  random: () => number
}

const SPECIALTY = 'gp'

/** One search around London, by the site's own call or by the documented path. */
export async function search({ caller, random }: JourneyContext): Promise<void> {
  const latitude = 51.5 + (random() - 0.5) * 0.4
  const longitude = -0.1 + (random() - 0.5) * 0.6
  const asked = { latitude, longitude, specialty: SPECIALTY }
  const number = Math.floor(random() * 65_536)
  const network = `10.9.${number >> 8}.${number & 255}`
  const documented = `/api/test-search/?${new URLSearchParams(
    Object.entries(asked).map(([name, value]) => [name, String(value)]),
  )}`
  const own = queryPath('search.providers', { postcode: '', ...asked })
  const path = random() < 0.2 ? documented : own
  await caller.call({ kind: 'search', path, network })
}

const Tokens = z.object({
  tokens: z.object({ access_token: z.string(), refresh_token: z.string() }),
})

/**
 * The response to a refresh came too late: by then its token looks stolen, and ends the session. The patient would sign
 * in again.
 */
class SignedOut extends Error {
  override readonly name = 'SignedOut'
}

/** A patient at a screen; some of them send every write with a key. */
class Visitor {
  readonly #stage: JourneyContext
  #patient: Patient
  readonly #hasKeys: boolean

  constructor(stage: JourneyContext, patient: Patient) {
    this.#stage = stage
    this.#patient = patient
    this.#hasKeys = stage.random() < 0.5
  }

  /** Exchanges the refresh token for the next pair, as every program has to from time to time. */
  async #refresh(): Promise<void> {
    const { refresh: token, network } = this.#patient
    const call = { kind: 'refresh', path: '/trpc/auth.refresh', body: {}, network, token }
    const result = await this.#stage.caller.call(call)
    if (!result.ok) throw new SignedOut()
    const { tokens } = Tokens.parse(result.data)
    this.#patient = { network, token: tokens.access_token, refresh: tokens.refresh_token }
  }

  async #call(call: Omit<Call, 'token' | 'network'>): Promise<CallResult> {
    for (;;) {
      const { token, network } = this.#patient
      const result = await this.#stage.caller.call({ ...call, token, network })
      if (result.ok || result.code !== 'sign_in_required') return result
      await this.#refresh()
    }
  }

  write(kind: string, procedure: string, body: object): Promise<CallResult> {
    const key = this.#hasKeys ? { key: randomUUID() } : {}
    return this.#call({ kind, path: `/trpc/${procedure}`, body, ...key })
  }

  async look(orderId: string): Promise<PaymentStatus | null> {
    const result = await this.#call({
      kind: 'look',
      path: queryPath('payments.status', { orderId }),
    })
    return result.ok ? PaymentStatus.parse(result.data) : null
  }

  /** Waits as the page does, until the payment has succeeded or failed. */
  async seeTheEnd(orderId: string, time: FreeTime): Promise<void> {
    const { tally } = this.#stage
    for (let looks = 0; looks < MAX_POLLS; looks += 1) {
      const seen = await this.look(orderId)
      if (seen !== null && seen.visitId !== null) {
        tally.visits.push({ visitId: seen.visitId, ...time })
        return
      }
      if (seen?.status === 'FAILED') {
        tally.answered('paid, and not booked', seen.reason ?? 'no reason', 0)
        return
      }
      await sleep(POLL_MS)
    }
    tally.unanswered.push(`the payment ${orderId}`)
  }
}

type Held = { visitor: Visitor; hold: Hold; time: FreeTime }

async function payByCard({ sandbox, random, tally }: JourneyContext, held: Held): Promise<void> {
  const { visitor, time } = held
  const result = await visitor.write('pay by card', 'payments.startCard', paymentTerms(held.hold))
  if (!result.ok) return
  const session = CardStart.parse(result.data).clientSecret.split('_secret_')[0] ?? ''
  tally.payments.push(session)
  sandbox.payByCard(session)
  // A patient who closes the page gets the visit all the same.
  if (random() < 0.8) await visitor.seeTheEnd(session, time)
}

async function payByWallet({ sandbox, tally }: JourneyContext, held: Held): Promise<void> {
  const { visitor, time } = held
  const result = await visitor.write(
    'pay by wallet',
    'payments.startWallet',
    paymentTerms(held.hold),
  )
  if (!result.ok) return
  const { orderId } = WalletStart.parse(result.data)
  tally.payments.push(orderId)
  sandbox.approve(orderId)
  await visitor.write('capture', 'payments.capture', { orderId })
  await visitor.seeTheEnd(orderId, time)
}

/** Codes of a patient who has to pay for something before they may hold a time again. */
const LIMIT_CODES = ['too_many_holds', 'too_many_unpaid_holds']

/**
 * Holds a contested time, and pays for it, leaves it, or walks away. Returns how many of their visits that was: none
 * when another was faster, all when they may have no more.
 */
async function book(stage: JourneyContext, visitor: Visitor): Promise<number> {
  const { times, random, tally } = stage
  const time = times.pick(random)
  const result = await visitor.write('hold', 'booking.hold', { ...time, overlapOk: true })
  if (!result.ok) {
    if (result.code.startsWith('slot_')) times.drop(time)
    return LIMIT_CODES.includes(result.code) ? VISITS_PER_PATIENT : 0
  }
  times.take(time)
  const held = { visitor, time, hold: Hold.parse(result.data) }
  tally.holds.push(held.hold.id)
  const choice = random()
  if (choice < 0.05) return 1
  if (choice < 0.1) {
    await visitor.write('leave', 'payments.leave', { holdId: held.hold.id })
    return 1
  }
  await (random() < 0.5 ? payByCard : payByWallet)(stage, held)
  return 1
}

/** Makes the bookings of one patient after the other, one step per call. */
export function makeBooker(stage: JourneyContext, patients: Patient[]): () => Promise<void> {
  let visitor: Visitor | null = null
  let left = 0
  return async () => {
    if (left === 0) {
      const patient = patients.pop()
      visitor = patient === undefined ? null : new Visitor(stage, patient)
      left = VISITS_PER_PATIENT
    }
    if (visitor === null) throw new Error('There are too few patients for so many bookings.')
    try {
      left = Math.max(0, left - (await book(stage, visitor)))
    } catch (error) {
      if (!(error instanceof Unanswered || error instanceof SignedOut)) throw error
      left = 0
    }
  }
}
