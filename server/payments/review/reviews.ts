import type { ErrorCode } from '#contract/base/errors.ts'
import { formatExactMoney } from '#contract/base/money.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { staffRefusal } from '#contract/base/staff.ts'
import { toIso } from '#contract/base/time.ts'
import { paymentLife } from '#contract/life-cycles/payment.ts'
import type { StaffPayment } from '#contract/payments.ts'
import type {
  DecideReviewInput,
  ReviewCount,
  Reviews,
  SettleRefundInput,
} from '#contract/payments-review.ts'
import type { Instant } from '#db/columns.ts'
import type { PaymentRow } from '#db/tables/payments.ts'
import { reviveBooking } from '#server/booking/hold/holds.ts'
import type { AsStaff, Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { NO_NAMES, namesOf } from '#server/payments/history/history-rules.ts'
import { readStaffPayment } from '#server/payments/history/staff-payments.ts'
import { findPaymentNo } from '#server/payments/history/staff-store.ts'
import { closePayment } from '#server/payments/paying/close-payment.ts'
import { assertMayRefund } from '#server/payments/refunds/refund.ts'
import { insertRefund, listRefundsOf } from '#server/payments/refunds/refund-store.ts'
import { adoptRefunds, sendRefund } from '#server/payments/refunds/run-refunds.ts'
import { isLive, receivedAmount, refundedMinor } from '#server/payments/rules.ts'
import {
  advance,
  findLive,
  getBookingId,
  getPayment,
  lockPayment,
  type Payment,
  setPaidBack,
} from '#server/payments/store.ts'
import {
  countWaiting,
  findRefundsPayment,
  getStart,
  listFailedRefunds,
  listInReview,
  markRefunded,
} from './review-store.ts'

const decisions = { accept: 'accepted', return: 'returned' } as const

type ReceivedMoney = { minor: number; currency: string; isOurs: boolean }
type ReviewDecision = {
  payment: Payment
  received: ReceivedMoney
  /** Minor units of it that are not refunded yet. */
  left: number
  input: DecideReviewInput
}

/**
 * What the gateway has received now, after recording what someone has refunded there; the demo's seeded payments exist
 * at no gateway.
 */
async function readReceived(ctx: AsStaff, payment: Payment): Promise<ReceivedMoney> {
  if (payment.gw_session === null) return { ...receivedAmount(payment), isOurs: true }
  const { gw_session: session, gw_payment: gwPayment } = payment
  const gatewayState = await ctx.gateways[payment.gateway].read({ session, gwPayment })
  if (gatewayState.state !== 'paid') throw new AppError('refund_nothing')
  if (gatewayState.returnedMinor > 0)
    await adoptRefunds(ctx, { ...payment, payment_no: payment.no })
  return {
    minor: gatewayState.amountMinor,
    currency: gatewayState.currency.toUpperCase(),
    isOurs: gatewayState.paymentId === payment.id,
  }
}

/** Queues a refund of `minor` and returns its id. Throws when it exceeds the viewer's limit. */
async function enqueueRefund(
  ctx: AsStaff,
  tx: Tx,
  decision: ReviewDecision & { minor: number },
): Promise<string> {
  const { payment, received, input, minor } = decision
  const { currency } = received
  const refunds = await listRefundsOf(tx.db, payment.no)
  await assertMayRefund(ctx, tx, { more: { minor, currency }, refunds })
  const id = ctx.newId('rfd')
  const reason = input.decision === 'accept' ? 'overpaid' : 'review'
  await insertRefund(tx.db, {
    id,
    payment_no: payment.no,
    reason,
    amount_minor: minor,
    currency,
    note: input.reason,
    actor_id: ctx.viewer.id,
    now: ctx.now(),
  })
  return id
}

/**
 * Closes another open payment for the same visit, so that this one can book it. Throws `review_other_payment`
 * if that one is taking money, or has.
 */
async function closeOther(ctx: AsStaff, payment: Payment): Promise<void> {
  const other = await findLive(ctx.database.db, payment.booking_no)
  if (other === undefined || other.no === payment.no) return
  const closed = await closePayment(ctx, other)
  if (isLive(closed.state) || closed.state === 'paid') throw new AppError('review_other_payment')
}

/** Throws why a payment cannot be accepted, as far as the payment and the viewer's refund limit decide it. */
async function assertMayAccept(ctx: AsStaff, tx: Tx, deciding: ReviewDecision): Promise<void> {
  const { payment, received, left } = deciding
  const { currency } = received
  const startAt = await getStart(tx.db, payment.booking_no)
  const kept = { minor: left, currency }
  const why = received.isOurs ? whyNotAccept(payment, kept, { startAt, now: ctx.now() }) : null
  if (!received.isOurs) throw new AppError('review_not_covered')
  if (why !== null) throw new AppError(why)
  const refunds = await listRefundsOf(tx.db, payment.no)
  const more = { minor: left - payment.amount_minor, currency }
  await assertMayRefund(ctx, tx, { more, refunds })
}

/** Books the visit with the payment and refunds any excess. Returns the id of the refund, or null. */
async function accept(ctx: AsStaff, tx: Tx, deciding: ReviewDecision): Promise<string | null> {
  const { payment, left } = deciding
  await assertMayAccept(ctx, tx, deciding)
  await reviveBooking(ctx, tx, { bookingNo: payment.booking_no, paymentNo: payment.no })
  const tooMuch = left - payment.amount_minor
  return tooMuch > 0 ? enqueueRefund(ctx, tx, { ...deciding, minor: tooMuch }) : null
}

/** Refunds what is left. Returns the id of the refund, or null if someone has refunded all of it at the gateway. */
async function refundReceived(
  ctx: AsStaff,
  tx: Tx,
  deciding: ReviewDecision,
): Promise<string | null> {
  const { left } = deciding
  return left > 0 ? enqueueRefund(ctx, tx, { ...deciding, minor: left }) : null
}

/** Returns the id of the refund that the decision queued, or null. */
async function decideIn(ctx: AsStaff, tx: Tx, deciding: ReviewDecision): Promise<string | null> {
  const { payment, received, input } = deciding
  const isAccepted = input.decision === 'accept'
  const refundId = await (isAccepted ? accept : refundReceived)(ctx, tx, deciding)
  const refundEvent = refundId === null ? 'skip_refund' : 'refund'
  await advance(tx.db, payment.no, {
    event: isAccepted ? 'accept' : refundEvent,
    taken_minor: received.minor,
    taken_currency: received.currency,
    decision: decisions[input.decision],
    decision_note: input.reason,
    decided_by: ctx.viewer.id,
    decided_at: ctx.now(),
    now: ctx.now(),
  })
  await tx.audit.add({
    action: isAccepted ? 'payment.accepted' : 'payment.returned',
    entity: payment.id,
    details: {
      expected: payment.amount_minor,
      came: received.minor,
      currency: received.currency,
      via: payment.gateway,
    },
  })
  return refundId
}

type Undecided = Pick<ReviewDecision, 'received' | 'input'> & { no: number }

/** Locks the payment and reads what is left of it; null if it was already decided the same way. */
async function lockUndecided(
  ctx: AsStaff,
  tx: Tx,
  { no, received, input }: Undecided,
): Promise<ReviewDecision | null> {
  const payment = await lockPayment(tx.db, no, ctx.now())
  if (payment.decision === decisions[input.decision]) return null
  if (!paymentLife.may('accept', payment.state)) throw new AppError('review_decided')
  const returned = refundedMinor(await listRefundsOf(tx.db, no))
  return { payment, received, left: Math.max(0, received.minor - returned), input }
}

/** Makes room for the payment: only if it can be accepted, because the patient may be paying another way. */
async function prepareAccept(ctx: AsStaff, seen: Payment, undecided: Undecided): Promise<void> {
  await ctx.transaction(async (tx) => {
    const deciding = await lockUndecided(ctx, tx, undecided)
    if (deciding !== null) await assertMayAccept(ctx, tx, deciding)
  })
  await closeOther(ctx, seen)
}

async function decideUndecided(ctx: AsStaff, seen: Payment, input: DecideReviewInput) {
  const undecided = { no: seen.no, received: await readReceived(ctx, seen), input }
  const isAccepting = input.decision === 'accept'
  if (isAccepting) await prepareAccept(ctx, seen, undecided)
  const refundId = await ctx.transaction(async (tx) => {
    const deciding = await lockUndecided(ctx, tx, undecided)
    if (deciding === null) return null
    // A payment started since then: staff have to look again.
    const live = await findLive(tx.db, seen.booking_no)
    if (isAccepting && live !== undefined) throw new AppError('review_other_payment')
    return decideIn(ctx, tx, deciding)
  })
  if (refundId !== null) await sendRefund(ctx, refundId)
}

/**
 * Staff decide about a payment that does not match: it books the visit if what is left of it covers the price and the
 * time is free, or all that is left is refunded. The gateway is read again first. Idempotent; `review_decided` if it was
 * decided otherwise meanwhile.
 */
export async function decideReview(ctx: AsStaff, input: DecideReviewInput): Promise<StaffPayment> {
  const { db } = ctx.database
  const no = await findPaymentNo(db, input.paymentId)
  if (no === undefined) throw new AppError('not_found')
  const seen = await getPayment(db, no)
  if (paymentLife.may('accept', seen.state)) await decideUndecided(ctx, seen, input)
  else if (seen.decision !== decisions[input.decision]) throw new AppError('review_decided')
  return readStaffPayment(ctx, await getBookingId(db, seen.booking_no))
}

type Asked = Pick<PaymentRow, 'amount_minor' | 'currency'>
type MoneyLeft = { minor: number; currency: string } | null
type When = { startAt: Instant; now: Instant }

/**
 * Why a payment that does not match cannot be accepted for its visit; null if it can, as far as is known.
 * Whether the time is still free only shows when claiming it.
 */
function whyNotAccept(asked: Asked, left: MoneyLeft, { startAt, now }: When): ErrorCode | null {
  if (startAt <= now) return 'slot_passed'
  const isCovered =
    left !== null && left.currency === asked.currency && left.minor >= asked.amount_minor
  return isCovered ? null : 'review_not_covered'
}

/** Number of payments that need attention, for staff's first page. */
export function countReview({ database }: Pick<Context, 'database'>): Promise<ReviewCount> {
  return countWaiting(database.db)
}

/** Throws `refund_too_much` if, with the last refund of `minor`, more is refunded than was received. */
async function assertNotTooMuch(tx: Tx, payment: Payment, minor: number): Promise<void> {
  const received = receivedAmount(payment)
  const left = received.minor - refundedMinor(await listRefundsOf(tx.db, payment.no))
  if (left >= 0) return
  throw new AppError('refund_too_much', {
    left: formatExactMoney({ ...received, minor: Math.max(0, left + minor) }),
  })
}

/**
 * Marks a failed refund as refunded: it was paid back another way. Idempotent. Throws `refund_nothing` if it did
 * not fail, and `refund_too_much` if other refunds have left less of the payment.
 */
export async function settleRefund(ctx: AsStaff, input: SettleRefundInput): Promise<StaffPayment> {
  const found = await findRefundsPayment(ctx.database.db, input.refundId)
  if (found === undefined) throw new AppError('not_found')
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const payment = await lockPayment(tx.db, found.no, now)
    const dealt = { by: ctx.viewer.id, note: input.reason, now }
    const settled = await markRefunded(tx.db, input.refundId, dealt)
    if (settled === null) {
      if (found.dealt_at === null) throw new AppError('refund_nothing')
      return
    }
    await assertNotTooMuch(tx, payment, settled.amount_minor)
    await setPaidBack(tx.db, payment.no, now)
    await tx.audit.add({
      action: 'payment.refund_settled',
      entity: payment.id,
      details: {
        refund: input.refundId,
        amount: settled.amount_minor,
        currency: settled.currency ?? payment.currency,
      },
    })
  })
  return readStaffPayment(ctx, found.id)
}

/** Reviews to decide: payments that don't match, and failed refunds. */
export async function listReviews(ctx: AsStaff): Promise<Reviews> {
  const { db } = ctx.database
  const now = ctx.now()
  const mayName = staffRefusal('seeNames', ctx.viewer.role) === null
  const inReview = await listInReview(db)
  const failed = await listFailedRefunds(db)
  const rows = inReview.length + failed.length
  if (mayName && rows > 0) await ctx.record({ action: 'payment.names_read', details: { rows } })
  return {
    payments: inReview.map((row) => {
      const { taken_minor: minor, taken_currency: currency } = row
      const taken = minor === null || currency === null ? null : { minor, currency }
      const left =
        taken === null ? null : { ...taken, minor: taken.minor - Number(row.refunded ?? 0) }
      const why = whyNotAccept(row, left, { startAt: row.start_at, now })
      return {
        id: row.id,
        paymentId: row.payment_id,
        ...(mayName ? namesOf(row) : NO_NAMES),
        startsAt: toIso(row.start_at),
        timeZone: row.time_zone,
        foundAt: toIso(row.updated_at),
        gateway: row.gateway,
        expected: { minor: row.amount_minor, currency: row.currency },
        taken,
        reference: row.gw_payment,
        whyNotAccept: why === null ? null : errorMessage(why),
      }
    }),
    refunds: failed.map((row) => ({
      id: row.id,
      refundId: row.refund_id,
      ...(mayName ? namesOf(row) : NO_NAMES),
      gateway: row.gateway,
      amount: { minor: row.amount_minor, currency: row.refund_currency ?? row.currency },
      failedAt: toIso(row.updated_at),
      why: row.failure,
      reference: row.gw_refund,
    })),
  }
}
