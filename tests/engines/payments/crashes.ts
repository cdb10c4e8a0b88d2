import { seeded } from '#bench/data.ts'
import type { Database } from '#db/engine.ts'
import type { PaymentGateways } from '#server/gateways/payment-gateways.ts'

/** A simulated crash: memory is lost, committed data stays. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** Repeatable random numbers, and crashes at random. */
export class Dice {
  /** From 0 to 1, like `Math.random`. */
  readonly next: () => number
  crashes = 0
  /** Probability of a crash at each possible point. */
  crashChance = 0

  constructor(seed: number) {
    this.next = seeded(seed)
  }

  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  pick<T>(from: readonly T[]): T {
    const one = from[this.below(from.length)]
    if (one === undefined) throw new Error('Nothing to pick from.')
    return one
  }

  /** A random item, weighted. */
  weigh<T>(weighed: readonly (readonly [weight: number, one: T])[]): T {
    let left = this.next() * weighed.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, one] of weighed) {
      left -= weight
      if (left < 0) return one
    }
    throw new Error('Nothing to pick from.')
  }

  crash(): void {
    if (this.crashChance === 0 || this.next() >= this.crashChance) return
    this.crashes += 1
    throw new Crash()
  }
}

/** Crashes before a commit, which is rolled back, or after it, before the caller gets the result. */
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

/** Crashes before a call to a gateway, or after it, with the response lost. */
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
      listDisputes: (from) => around(() => stripe.listDisputes(from)),
      readEvent: (body, headers) => stripe.readEvent(body, headers),
      readFacts: (body) => stripe.readFacts(body),
      listSince: (from) => around(() => stripe.listSince(from)),
    },
    paypal: {
      open: (order) => around(() => paypal.open(order)),
      read: (names) => around(() => paypal.read(names)),
      capture: (session, id) => around(() => paypal.capture(session, id)),
      refund: (order) => around(() => paypal.refund(order)),
      readRefund: (id) => around(() => paypal.readRefund(id)),
      listReturned: (names) => around(() => paypal.listReturned(names)),
      listDisputes: (from) => around(() => paypal.listDisputes(from)),
      readEvent: (body, headers) => paypal.readEvent(body, headers),
      readFacts: (body) => paypal.readFacts(body),
      listTransactions: (names) => around(() => paypal.listTransactions(names)),
    },
  }
}
