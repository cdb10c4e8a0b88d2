import { type Context, type Services, systemContext } from '#server/context.ts'
import type { GatewayBooks, ReturnedMoney, TakenMoney } from '#server/gateways/payment-gateways.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { resumeCapture } from './capture.ts'
import {
  comparedFrom,
  type DifferenceKind,
  isComparisonDue,
  isOwnRefund,
  judgeTaken,
} from './compare-rules.ts'
import {
  findByMoney,
  findComparedAt,
  hasVisit,
  insertDifference,
  listMoved,
  setComparedAt,
  setTold,
} from './compare-store.ts'
import { listRefundsOf } from './refund-store.ts'
import { isDecided } from './rules.ts'
import { recheckRefunds } from './run-refunds.ts'
import { settle } from './settle.ts'
import type { GatewayName, Payment } from './store.ts'

const BATCH = 200

type Round = { ctx: Context; gateway: GatewayName; signal: AbortSignal | undefined }

type Difference = {
  kind: DifferenceKind
  object: string
  payment: Payment | null
  money: { amountMinor: number; currency: string }
}

/** Written down once, however often it is found; staff are mailed at the end of the round. */
async function layAside({ ctx, gateway }: Round, difference: Difference): Promise<void> {
  const { kind, object, payment, money } = difference
  const { amountMinor, currency } = money
  await ctx.transaction(async (tx) => {
    const isNew = await insertDifference(tx.db, {
      gateway,
      object,
      kind,
      payment_no: payment?.no ?? null,
      amount_minor: amountMinor,
      currency,
      found_at: ctx.now(),
    })
    if (!isNew) return
    await tx.audit.add({
      action: 'payment.differs',
      outcome: 'failed',
      entity: payment?.id ?? object,
      actor: { kind: 'system', id: null },
      details: { kind, object, amount: amountMinor, currency, via: gateway },
    })
  })
}

/** What can be put right is: the same way a webhook would have done it. */
function settled(ctx: Context, payment: Payment): Promise<Payment> {
  if (isDecided(payment.state)) return Promise.resolve(payment)
  return payment.state === 'capturing' ? resumeCapture(ctx, payment) : settle(ctx, payment)
}

async function compareTaken(round: Round, taken: TakenMoney): Promise<void> {
  const { ctx, gateway } = round
  const { db } = ctx.database
  const found = await findByMoney(db, { gateway, ...taken })
  const aside = { object: taken.gwPayment, money: taken }
  if (found === undefined) {
    await layAside(round, { ...aside, kind: 'no_payment', payment: null })
    return
  }
  const payment = await settled(ctx, found)
  const isVisited = await hasVisit(db, payment.no)
  const kind = judgeTaken(taken, { payment, isVisited, now: ctx.now() })
  if (kind !== null) await layAside(round, { ...aside, kind, payment })
}

async function compareReturned(round: Round, returned: ReturnedMoney): Promise<void> {
  const { ctx, gateway } = round
  const { db } = ctx.database
  const payment = await findByMoney(db, { gateway, ...returned })
  if (returned.isFailed) {
    if (payment !== undefined) await recheckRefunds(ctx, payment)
    return
  }
  const refunds = payment === undefined ? [] : await listRefundsOf(db, payment.no)
  if (isOwnRefund(returned, refunds)) return
  const aside = { object: returned.id, money: returned, payment: payment ?? null }
  await layAside(round, { ...aside, kind: 'refund_unknown' })
}

/** A payment of ours against what the gateway says of it alone. */
async function comparePaid(round: Round, payment: Payment, taken: TakenMoney[]): Promise<void> {
  if (payment.state !== 'paid' || payment.gw_session === null) return
  if (taken.some(({ gwPayment }) => gwPayment === payment.gw_payment)) return
  const truth = await round.ctx.gateways[payment.gateway].read(payment.gw_session)
  if (truth.state === 'paid' && truth.gwPayment === payment.gw_payment) return
  await layAside(round, {
    kind: 'no_money',
    object: payment.gw_payment ?? payment.gw_session,
    payment,
    money: { amountMinor: payment.amount_minor, currency: payment.currency },
  })
}

async function compareMoney(round: Round, { taken, returned }: GatewayBooks): Promise<void> {
  for (const money of taken) {
    if (round.signal?.aborted === true) return
    await compareTaken(round, money)
  }
  for (const money of returned) {
    if (round.signal?.aborted === true) return
    await compareReturned(round, money)
  }
}

type Compare = (payment: Payment) => Promise<void>

async function walkOurs(round: Round, since: number, compare: Compare): Promise<void> {
  const { ctx, gateway, signal } = round
  let after = 0
  for (;;) {
    const page = await listMoved(ctx.database.db, { gateway, since, after, limit: BATCH })
    for (const payment of page) {
      if (signal?.aborted === true) return
      await compare(payment)
    }
    after = page.at(-1)?.no ?? after
    if (page.length < BATCH) return
  }
}

async function compareCards(round: Round, since: number): Promise<void> {
  const books = await round.ctx.gateways.stripe.listSince(since)
  await compareMoney(round, books)
  await walkOurs(round, since, (payment) => comparePaid(round, payment, books.taken))
}

async function compareWallets(round: Round, since: number): Promise<void> {
  await walkOurs(round, since, async (payment) => {
    const books = await round.ctx.gateways.paypal.readBooks(payment.gw_session ?? '')
    await compareMoney(round, books)
    await comparePaid(round, payment, books.taken)
  })
}

/** One mail for all that was found, also by a round that died before it could tell. */
async function tellStaff(ctx: Context): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    if ((await setTold(tx.db, now)) === 0) return
    await tx.outbox.add('payment.differences', { toldAt: String(now) })
  })
}

/** False when the gateway could not be asked to the end. */
async function reached(ctx: Context, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error }, 'the books of a gateway could not be compared yet')
    return false
  }
}

/**
 * Once a day compares what moved at the gateways with our own rows, both ways: money without a payment,
 * money without a visit or a refund, refunds nobody here sent, other amounts, and payments without
 * money. What `settle` can put right it does; the rest is laid aside for staff, once each. The cards'
 * gateway lists everything; of the wallet's, our own orders are walked (see `WalletGateway.readBooks`).
 * Called every hour: a day that could not be compared to its end is tried again. Several processes may
 * do it at once; what they find is the same.
 */
export async function compareBooks(services: Services, signal?: AbortSignal): Promise<void> {
  const ctx = systemContext(services, 'compare')
  const now = services.now()
  const { db } = services.database
  const last = await findComparedAt(db)
  if (!isComparisonDue(last, now)) return
  const since = comparedFrom(last, now)
  const cards = await reached(ctx, () => compareCards({ ctx, gateway: 'stripe', signal }, since))
  const wallets = await reached(ctx, () =>
    compareWallets({ ctx, gateway: 'paypal', signal }, since),
  )
  await tellStaff(ctx)
  if (cards && wallets && signal?.aborted !== true) await setComparedAt(db, now)
}
