import type { Difference, SettleDifferenceInput } from '#contract/payments-review.ts'
import { type AsStaff, type Context, type Services, systemContext } from '#server/context.ts'
import type {
  GatewayCharge,
  GatewayRefund,
  GatewayTransactions,
} from '#server/gateways/payment-gateways.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { rowsInPages } from '#server/kernel/limits/semaphore.ts'
import { listStaffNames } from '#server/payments/history/staff-store.ts'
import { settleOrResume } from '#server/payments/paying/capture.ts'
import { listRefundsOf } from '#server/payments/refunds/refund-store.ts'
import { adoptRefunds, recheckRefunds } from '#server/payments/refunds/run-refunds.ts'
import { findDifference, markResolved } from '#server/payments/review/review-store.ts'
import {
  comparedFrom,
  isComparisonDue,
  isDecided,
  isRefundOf,
  judgeCharge,
  refundedMinor,
} from '#server/payments/rules.ts'
import type { GatewayName, Payment } from '#server/payments/store.ts'
import { disputeDifference, notifyStaff, recordDifference, showDifference } from './differences.ts'
import {
  findByCharge,
  findComparedAt,
  hasVisit,
  listUpdated,
  type Moved,
  setComparedAt,
} from './reconciliation-store.ts'

const BATCH = 200

type Round = { ctx: Context; gateway: GatewayName; signal: AbortSignal | undefined }

async function compareCharge(round: Round, taken: GatewayCharge): Promise<void> {
  const { ctx, gateway } = round
  const { db } = ctx.database
  const found = await findByCharge(db, { gateway, ...taken })
  const difference = { gateway, object: taken.gwPayment, money: taken }
  if (found === undefined) {
    await recordDifference(ctx, { ...difference, kind: 'no_payment', payment: null })
    return
  }
  // Settled first, so that only real differences remain.
  const payment = isDecided(found.state) ? found : await settleOrResume(ctx, found)
  const isVisited = await hasVisit(db, payment.no)
  const refunds = await listRefundsOf(db, payment.no)
  const kind = judgeCharge(taken, { payment, isVisited, refunds, now: ctx.now() })
  if (kind !== null) await recordDifference(ctx, { ...difference, kind, payment })
}

async function compareRefund(round: Round, returned: GatewayRefund): Promise<void> {
  const { ctx, gateway } = round
  const { db } = ctx.database
  const payment = await findByCharge(db, { gateway, ...returned })
  if (returned.state === 'failed') {
    if (payment !== undefined) await recheckRefunds(ctx, payment)
    return
  }
  if (payment === undefined) {
    const difference = { gateway, object: returned.id, money: returned, payment: null }
    await recordDifference(ctx, { ...difference, kind: 'refund_unknown' })
    return
  }
  const refunds = await listRefundsOf(db, payment.no)
  if (refunds.some((refund) => isRefundOf(refund, returned))) return
  await adoptRefunds(ctx, { ...payment, payment_no: payment.no })
}

/** Checks a paid payment of ours that is missing from the gateway's list by reading it there. */
async function comparePaid(round: Round, payment: Payment, taken: GatewayCharge[]): Promise<void> {
  const { gateway, gw_session: session, gw_payment: gwPayment } = payment
  if (payment.state !== 'paid' || session === null) return
  if (taken.some((money) => money.gwPayment === gwPayment)) return
  const gatewayState = await round.ctx.gateways[gateway].read({ session, gwPayment })
  if (gatewayState.state === 'paid' && gatewayState.gwPayment === gwPayment) return
  await recordDifference(round.ctx, {
    kind: 'no_money',
    gateway,
    object: gwPayment ?? session,
    payment,
    money: { amountMinor: payment.amount_minor, currency: payment.currency },
  })
}

async function compareMoney(round: Round, { taken, returned }: GatewayTransactions): Promise<void> {
  for (const money of taken) {
    if (round.signal?.aborted === true) return
    await compareCharge(round, money)
  }
  for (const money of returned) {
    if (round.signal?.aborted === true) return
    await compareRefund(round, money)
  }
}

/** Records disputes whose event was lost, or arrived before the payment was known. */
async function compareDisputes(round: Round, since: number): Promise<void> {
  const { ctx, gateway, signal } = round
  for (const dispute of await ctx.gateways[gateway].listDisputes(since)) {
    if (signal?.aborted === true) return
    const named = { gateway, paymentId: null, gwPayment: dispute.gwPayment }
    const payment = (await findByCharge(ctx.database.db, named)) ?? null
    await recordDifference(ctx, disputeDifference({ gateway, payment, dispute }))
  }
}

/** Payments that were updated since an instant. */
function updatedPayments({ ctx, gateway, signal }: Round, since: number): AsyncIterable<Payment> {
  const until = ctx.now()
  const list = (after: Moved | null) =>
    listUpdated(ctx.database.db, { gateway, since, until, after, limit: BATCH })
  return rowsInPages(ctx.background, { size: BATCH, list }, signal)
}

/** Unlisted refunds of a capture whose order is gone: their amounts are unknown, only that they exist. */
async function compareUnlisted(round: Round, payment: Payment): Promise<void> {
  const { ctx, gateway } = round
  const { gw_session: session, gw_payment: gwPayment, amount_minor: amount } = payment
  if (payment.state !== 'paid' || session === null || gwPayment === null) return
  const { returnedMinor } = await ctx.gateways[gateway].read({ session, gwPayment })
  const refunded = refundedMinor(await listRefundsOf(ctx.database.db, payment.no))
  // For a partial refund the capture does not give the amount.
  if (refunded >= Math.max(returnedMinor, 1)) return
  await recordDifference(ctx, {
    kind: 'refund_unknown',
    gateway,
    object: gwPayment,
    payment,
    money: { amountMinor: returnedMinor || amount, currency: payment.currency },
    details: `PayPal says that ${returnedMinor > 0 ? 'all' : 'a part'} of it was refunded, but lists no refunds`,
  })
}

async function compareWallet(round: Round, payment: Payment): Promise<void> {
  const { gw_session: session, gw_payment: gwPayment } = payment
  const names = { session: session ?? '', gwPayment }
  const moved = await round.ctx.gateways.paypal.listTransactions(names)
  await compareMoney(round, { ...moved, returned: moved.returned ?? [] })
  if (moved.returned === null) await compareUnlisted(round, payment)
  await comparePaid(round, payment, moved.taken)
}

/** Number of unreadable objects in a row after which the gateway counts as down. */
const DOWN_AFTER = 3

/**
 * Compares rows one by one and returns the failures: an object that cannot be read must not keep later ones from being
 * compared. Throws once the gateway counts as down.
 */
async function compareEach<Row>(
  { signal }: Round,
  rows: Iterable<Row> | AsyncIterable<Row>,
  compare: (row: Row) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = []
  let failuresInRow = 0
  for await (const row of rows) {
    if (signal?.aborted === true) break
    try {
      await compare(row)
      failuresInRow = 0
    } catch (error) {
      failures.push(error)
      failuresInRow += 1
      if (!(error instanceof UpstreamError) || failuresInRow === DOWN_AFTER) throw error
    }
  }
  return failures
}

async function compareCards(round: Round, since: number): Promise<void> {
  const { taken, returned } = await round.ctx.gateways.stripe.listSince(since)
  const payments = updatedPayments(round, since)
  const failures = [
    ...(await compareEach(round, taken, (money) => compareCharge(round, money))),
    ...(await compareEach(round, returned, (money) => compareRefund(round, money))),
    ...(await compareEach(round, payments, (payment) => comparePaid(round, payment, taken))),
  ]
  await compareDisputes(round, since)
  if (failures.length > 0) throw failures[0]
}

async function compareWallets(round: Round, since: number): Promise<void> {
  const payments = updatedPayments(round, since)
  const failures = await compareEach(round, payments, (payment) => compareWallet(round, payment))
  await compareDisputes(round, since)
  if (failures.length > 0) throw failures[0]
}

/** False if the gateway could not be read completely. */
async function tryGateway(ctx: Context, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error }, 'a gateway could not be reconciled yet')
    return false
  }
}

/**
 * Daily reconciliation: compares charges and refunds at the gateways with our own rows, both ways: money
 * without a payment, money without a visit or a refund, refunds we did not send, other amounts, payments
 * without money, and disputes. `settle` resolves what it can; the rest is recorded for staff, once each. The
 * card gateway lists everything; for the wallet our own orders are read one by one (see
 * `WalletGateway.listTransactions`). Runs every hour: an incomplete comparison is retried. Safe to run in several
 * processes at once.
 */
export async function reconcileGateways(services: Services, signal?: AbortSignal): Promise<void> {
  const ctx = systemContext(services, 'compare')
  const now = services.now()
  const { db } = services.database
  const last = await findComparedAt(db)
  if (!isComparisonDue(last, now)) return
  const since = comparedFrom(last, now)
  const cards = await tryGateway(ctx, () => compareCards({ ctx, gateway: 'stripe', signal }, since))
  const wallets = await tryGateway(ctx, () =>
    compareWallets({ ctx, gateway: 'paypal', signal }, since),
  )
  await notifyStaff(ctx)
  if (cards && wallets && signal?.aborted !== true) await setComparedAt(db, now)
}

/**
 * Marks a difference as resolved, with a note; moves no money. If it was resolved already, returns the first
 * resolution.
 */
export async function settleDifference(
  ctx: AsStaff,
  input: SettleDifferenceInput,
): Promise<Difference> {
  const by = ctx.viewer.id
  await ctx.transaction(async (tx) => {
    const dealt = { by, note: input.reason, now: ctx.now() }
    if (!(await markResolved(tx.db, input, dealt))) return
    await tx.audit.add({
      action: 'payment.difference_settled',
      entity: input.object,
      details: { kind: input.kind, via: input.gateway },
    })
  })
  const { db } = ctx.database
  const row = await findDifference(db, input)
  if (row === undefined) throw new AppError('not_found')
  return showDifference(row, await listStaffNames(db, row.dealt_by === null ? [] : [row.dealt_by]))
}
