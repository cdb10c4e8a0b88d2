import type { Hold } from '#contract/booking.ts'
import type { Database } from '#db/engine.ts'
import { holdSlot } from '#server/booking/hold-slot.ts'
import { renewHold } from '#server/booking/renew-hold.ts'
import type { SignedIn } from '#server/context.ts'
import type { PaymentGateways } from '#server/gateways/payment-gateways.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { capture } from '#server/payments/capture.ts'
import { leave } from '#server/payments/leave.ts'
import { processEvents } from '#server/payments/process-events.ts'
import { readReturn } from '#server/payments/read-return.ts'
import { readStatus } from '#server/payments/read-status.ts'
import { reconcile } from '#server/payments/reconcile.ts'
import { runRefunds } from '#server/payments/run-refunds.ts'
import { startCard, startWallet } from '#server/payments/start-payment.ts'
import { sweepHolds } from '#server/payments/sweep-holds.ts'
import { Failure } from '#server/sandbox/failure.ts'
import { type CallFault, WebhookFault } from '#server/sandbox/faults.ts'
import type { Somebody } from '#tests/engines/race-crowd.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import type { TestSandbox } from '#tests/harness/sandbox.ts'
import { verifyCode } from '#tests/harness/visits.ts'
import type { World } from '#tests/harness/world.ts'

/** The process ended here: whatever was in memory is gone, what was committed stays. */
class Crash extends Error {
  override readonly name = 'Crash'
}

/** Chance that can be repeated: mulberry32. */
export class Dice {
  #state: number
  crashes = 0
  /** Of a crash at each point where one is possible. */
  crashChance = 0

  constructor(seed: number) {
    this.#state = seed
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  pick<T>(from: readonly T[]): T {
    const one = from[this.below(from.length)]
    if (one === undefined) throw new Error('Nothing to pick from.')
    return one
  }

  crash(): void {
    if (this.crashChance === 0 || this.next() >= this.crashChance) return
    this.crashes += 1
    throw new Crash()
  }
}

/** Ends the process before a commit, which is undone, or after it, when nobody hears of it. */
export function crashingDatabase(database: Database, dice: Dice): Database {
  return {
    ...database,
    transaction: async (work) => {
      const result = await database.transaction(async (db) => {
        const inner = await work(db)
        dice.crash()
        return inner
      })
      dice.crash()
      return result
    },
  }
}

/** Ends the process before a call to a gateway, or after it, with the answer lost. */
export function crashingGateways(gateways: PaymentGateways, dice: Dice): PaymentGateways {
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    dice.crash()
    const answer = await call()
    dice.crash()
    return answer
  }
  const { stripe, paypal } = gateways
  return {
    ...gateways,
    stripe: {
      open: (order) => around(() => stripe.open(order)),
      read: (names) => around(() => stripe.read(names)),
      close: (session) => around(() => stripe.close(session)),
      refund: (order) => around(() => stripe.refund(order)),
      readRefund: (id) => around(() => stripe.readRefund(id)),
      listReturned: (names) => around(() => stripe.listReturned(names)),
      readEvent: (body, headers) => stripe.readEvent(body, headers),
      readFacts: (body) => stripe.readFacts(body),
      listSince: (from) => stripe.listSince(from),
    },
    paypal: {
      open: (order) => around(() => paypal.open(order)),
      read: (names) => around(() => paypal.read(names)),
      capture: (session, id) => around(() => paypal.capture(session, id)),
      refund: (order) => around(() => paypal.refund(order)),
      readRefund: (id) => around(() => paypal.readRefund(id)),
      listReturned: (names) => around(() => paypal.listReturned(names)),
      readEvent: (body, headers) => paypal.readEvent(body, headers),
      readFacts: (body) => paypal.readFacts(body),
      readBooks: (names) => paypal.readBooks(names),
    },
  }
}

export type Storm = {
  world: World
  sandbox: TestSandbox
  dice: Dice
  patients: Somebody[]
  /** What providers offer. */
  offers: { providerId: string; startsAt: string }[]
}

/** How often what happened. */
export type Tally = Record<string, number>

type Checkout = { who: Somebody; hold: Hold; session?: string; order?: string }

const CARDS = [
  '4242 4242 4242 4242',
  '4242 4242 4242 4242',
  '4242 4242 4242 4242',
  '4000 0000 0000 0002',
  '4000 0000 0000 9995',
  '4000 0025 0000 3155',
  '4000 0084 0000 1629',
]
const OUTCOMES = ['pay', 'pay', 'pay', 'decline', 'pending_complete', 'pending_deny'] as const
const PURPOSE = 'A cough that will not go away'
const MINUTE = 60_000
/** Those that end by themselves: no call waits for the storm to be over. */
const CALL_FAULTS: readonly CallFault[] = [
  'drop_before',
  'drop_after',
  'error_500',
  'error_500_kept',
  'error_500_kept_done',
  'conflict_409',
  'too_many_429',
]

/** What sort of error was logged. */
function kindOf(err: unknown): unknown {
  return typeof err === 'object' && err !== null && 'kind' in err ? err.kind : null
}

/** Patients, gateways, webhooks, clocks and crashes, all at once and all by chance. */
export class Weather {
  readonly #storm: Storm
  readonly tally: Tally = {}
  #checkouts: Checkout[] = []

  constructor(storm: Storm) {
    this.#storm = storm
  }

  #count(what: string): void {
    this.tally[what] = (this.tally[what] ?? 0) + 1
  }

  #ctx(who: Somebody): SignedIn {
    return signedInAs(this.#storm.world.services, who)
  }

  #checkout(): Checkout | undefined {
    const recent = this.#checkouts.slice(-24)
    return recent.length === 0 ? undefined : this.#storm.dice.pick(recent)
  }

  async #hold(): Promise<void> {
    const { dice, patients, offers } = this.#storm
    const who = dice.pick(patients)
    const ctx = this.#ctx(who)
    try {
      const hold = await holdSlot(ctx, dice.pick(offers))
      await verifyCode(ctx, hold.id)
      this.#checkouts.push({ who, hold })
      this.#count('holds')
    } catch (error) {
      if (error instanceof AppError) this.#count('holds refused')
      throw error
    }
  }

  async #press(gateway: 'stripe' | 'paypal'): Promise<void> {
    const checkout = this.#checkout()
    if (checkout === undefined) return
    const typeOfVisit = this.#storm.dice.pick(['first_visit', 'follow_up'] as const)
    const input = {
      holdId: checkout.hold.id,
      typeOfVisit,
      purposeForVisit: PURPOSE,
      shown: checkout.hold.fees[typeOfVisit],
    }
    const ctx = this.#ctx(checkout.who)
    if (gateway === 'stripe') {
      const { clientSecret } = await startCard(ctx, input)
      checkout.session = clientSecret.split('_secret_')[0] ?? ''
    } else {
      checkout.order = (await startWallet(ctx, input)).orderId
    }
    this.#count(`${gateway} begun`)
  }

  /** Also long after the hold is over: whoever left the page open may still press Pay. */
  #payByCard(): void {
    const { sandbox, dice } = this.#storm
    const session = this.#checkout()?.session
    if (session === undefined) return
    sandbox.payByCard(session, dice.pick(CARDS))
    if (dice.next() < 0.5) sandbox.answerBank(session, dice.next() < 0.8)
    this.#count('cards tried')
  }

  async #payByWallet(): Promise<void> {
    const { sandbox, dice } = this.#storm
    const checkout = this.#checkout()
    if (checkout?.order === undefined) return
    sandbox.approve(checkout.order, dice.pick(OUTCOMES))
    if (dice.next() < 0.3) return
    await capture(this.#ctx(checkout.who), { orderId: checkout.order })
    this.#count('wallets captured')
  }

  async #look(): Promise<void> {
    const checkout = this.#checkout()
    if (checkout === undefined) return
    const ctx = this.#ctx(checkout.who)
    if (checkout.order !== undefined) await readStatus(ctx, { orderId: checkout.order })
    if (checkout.session !== undefined) await readReturn(ctx, { session_id: checkout.session })
  }

  async #leave(): Promise<void> {
    const checkout = this.#checkout()
    if (checkout === undefined) return
    const ctx = this.#ctx(checkout.who)
    if (this.#storm.dice.next() < 0.5) await renewHold(ctx, { holdId: checkout.hold.id })
    else await leave(ctx, { holdId: checkout.hold.id })
  }

  async #job(): Promise<void> {
    const { services, logged } = this.#storm.world
    await this.#storm.dice.pick([sweepHolds, sweepHolds, reconcile, runRefunds, processEvents])(
      services,
    )
    // Jobs go on after a defect, so as to hold nobody up, and log it: here it counts all the same.
    const defect = logged.find(({ level, err }) => level === 50 && kindOf(err) !== 'Crash')
    if (defect !== undefined) throw new Error(JSON.stringify(defect))
  }

  async #fault(): Promise<void> {
    const { dice, sandbox } = this.#storm
    const path = dice.pick(['/v1/checkout', '*/expire', '/v2/checkout', '*/capture', '/v1/refunds'])
    if (dice.next() < 0.5) {
      const rule = { path, fault: dice.pick(CALL_FAULTS), times: 1 + dice.below(3) }
      await sandbox.tell({ do: 'fail_calls', rules: [rule] })
    } else {
      await sandbox.tell({ do: 'fail_webhooks', fault: dice.pick(WebhookFault.options) })
    }
    this.#count('faults')
  }

  async #webhooks(): Promise<void> {
    const { dice, sandbox } = this.#storm
    if (dice.next() < 0.3) {
      await sandbox.tell({ do: 'release_webhooks', order: dice.pick(['fifo', 'lifo']) })
    }
    const event = sandbox.sandbox.desk.store.list('event', 20)[dice.below(20)]
    if (event !== undefined && dice.next() < 0.3) {
      await sandbox.tell({ do: 'resend', event: event.id })
    }
    await sandbox.deliverDue()
  }

  #act(): Promise<void> | void {
    const roll = this.#storm.dice.next()
    if (roll < 0.22) return this.#hold()
    if (roll < 0.36) return this.#press('stripe')
    if (roll < 0.46) return this.#press('paypal')
    if (roll < 0.58) return this.#payByCard()
    if (roll < 0.68) return this.#payByWallet()
    if (roll < 0.74) return this.#look()
    if (roll < 0.78) return this.#leave()
    if (roll < 0.88) return this.#job()
    if (roll < 0.91) return this.#fault()
    if (roll < 0.96) return this.#webhooks()
    this.#storm.world.advance(this.#storm.dice.below(6 * MINUTE))
  }

  /** Several things at once; what a caller would be told, and crashes, are part of the weather. */
  async blow(): Promise<void> {
    const acts = Array.from({ length: 1 + this.#storm.dice.below(4) }, async () => this.#act())
    for (const outcome of await Promise.allSettled(acts)) {
      if (outcome.status === 'fulfilled') continue
      const error: unknown = outcome.reason
      // Failure: what the gateway's own pages answer, such as to a card tried when all is over.
      const isWeather = [Crash, AppError, UpstreamError, Failure].some(
        (kind) => error instanceof kind,
      )
      if (!isWeather) throw error
    }
  }

  /** Everything works again, and time passes until nothing is owed any more. */
  async calm(): Promise<void> {
    const { dice, sandbox, world } = this.#storm
    dice.crashChance = 0
    await sandbox.tell({ do: 'fail_calls', rules: [] })
    await sandbox.tell({ do: 'fail_webhooks', fault: 'none' })
    await sandbox.tell({ do: 'release_webhooks', order: 'lifo' })
    for (let round = 0; round < 10; round += 1) {
      world.advance(11 * MINUTE)
      await sandbox.deliverDue()
      await processEvents(world.services)
      await sweepHolds(world.services)
      await reconcile(world.services)
      await runRefunds(world.services)
      await world.drainOutbox()
    }
  }
}
