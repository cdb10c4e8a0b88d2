import { formatExactMoney, type Money } from '#contract/base/money.ts'
import { staffRefusal } from '#contract/base/staff.ts'
import type { RefundInput, StaffPayment } from '#contract/payments.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import { cancelBooking } from '#server/booking/visits/cancel-booking.ts'
import type { AsStaff, Context, Services, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Secrets } from '#server/kernel/security/secrets.ts'
import { blankEventsOf } from '#server/payments/events/event-store.ts'
import { readStaffPayment } from '#server/payments/history/staff-payments.ts'
import { findPaymentNo, listStaffNames } from '#server/payments/history/staff-store.ts'
import { isOverLimit, receivedAmount, refundableOf, refundedMinor } from '#server/payments/rules.ts'
import {
  getBookingId,
  getPayment,
  listPayments,
  lockPayment,
  type Payment,
} from '#server/payments/store.ts'
import {
  blankNotesOf,
  insertRefund,
  listRefundsOf,
  listRefundsOfAll,
  listUpcoming,
  lockProviderOf,
  resolveFailed,
} from './refund-store.ts'
import { sendRefund } from './run-refunds.ts'

const keyOf = ({ key }: RefundInput) => `staff:${key}`

/** Queues the refund, idempotent by key; returns its id, or null if it was already requested. */
async function enqueueRefund(
  ctx: AsStaff,
  tx: Tx,
  { payment, input }: { payment: Payment; input: RefundInput },
): Promise<string | null> {
  const refunds = await listRefundsOf(tx.db, payment.no)
  const earlier = refunds.find(({ key }) => key === keyOf(input))
  if (earlier !== undefined) {
    if (earlier.amount_minor !== input.minor) throw new AppError('key_reused')
    return null
  }
  const left = refundableOf(payment, refunds)
  const { currency } = receivedAmount(payment)
  if (left === 0) throw new AppError('refund_nothing')
  if (input.minor > left) {
    throw new AppError('refund_too_much', { left: formatExactMoney({ minor: left, currency }) })
  }
  await assertMayRefund(ctx, tx, { more: { minor: input.minor, currency }, refunds })
  if (input.releaseTime && input.minor < left) throw new AppError('release_impossible')
  const id = ctx.newId('rfd')
  const now = ctx.now()
  await insertRefund(tx.db, {
    id,
    payment_no: payment.no,
    key: keyOf(input),
    reason: 'staff',
    amount_minor: input.minor,
    currency,
    note: input.reason,
    actor_id: ctx.viewer.id,
    now,
  })
  const { minor, reason: note } = input
  await resolveReplaced(tx, payment.no, { by: ctx.viewer.id, note, minor, now })
  await tx.audit.add({
    action: 'payment.refund_asked',
    entity: payment.id,
    details: { refund: id, amount: input.minor, currency, release: Number(input.releaseTime) },
  })
  return id
}

/**
 * Staff refund a paid visit, in full or in part, up to what is left. Idempotent by key. The visit stays
 * booked unless its time is released, which requires a full refund of the rest. The refund is stored first
 * and then sent to the gateway; a job retries it if the gateway does not respond.
 */
export async function refund(ctx: AsStaff, input: RefundInput): Promise<StaffPayment> {
  const no = await findPaymentNo(ctx.database.db, input.paymentId)
  if (no === undefined) throw new AppError('not_found')
  const { refundId, bookingNo } = await ctx.transaction(async (tx) => {
    // Concurrent refunds of this payment wait here for the row lock.
    const payment = await lockPayment(tx.db, no, ctx.now())
    const id = await enqueueRefund(ctx, tx, { payment, input })
    if (id !== null && input.releaseTime)
      await cancelBooking(ctx, tx, {
        bookingNo: payment.booking_no,
        money: { refundMinor: input.minor, keptMinor: 0 },
      })
    return { refundId: id, bookingNo: payment.booking_no }
  })
  if (refundId !== null) await sendRefund(ctx, refundId)
  return readStaffPayment(ctx, await getBookingId(ctx.database.db, bookingNo))
}

type Replacement = { by: string; note: string; minor: number; now: Instant }

/**
 * Resolves the failed refunds that a new refund of `minor` covers together, oldest first, or all of them once
 * nothing is left to refund.
 */
async function resolveReplaced(
  tx: Tx,
  paymentNo: number,
  { minor, ...resolution }: Replacement,
): Promise<void> {
  const refunds = await listRefundsOf(tx.db, paymentNo)
  const received = receivedAmount(await getPayment(tx.db, paymentNo))
  let covered = received.minor > refundedMinor(refunds) ? minor : Infinity
  const isCovered = ({ amount_minor: amount }: RefundRow): boolean => {
    if (amount > covered) return false
    covered -= amount
    return true
  }
  const failed = refunds
    .filter(({ state, dealt_at: at }) => state === 'failed' && at === null)
    .toSorted((a, b) => a.created_at - b.created_at)
  const ids = failed.filter(isCovered).map(({ id }) => id)
  if (ids.length > 0) await resolveFailed(tx.db, ids, resolution)
}

/** The amount received may be in a currency that we don't charge. */
type AnyMoney = { minor: number; currency: string }

/**
 * Rejects a refund that exceeds the viewer's limit: above it only superusers may refund, with step-up
 * authentication in the last five minutes.
 */
export async function assertMayRefund(
  ctx: AsStaff,
  tx: Tx,
  { more, refunds }: { more: AnyMoney; refunds: readonly RefundRow[] },
): Promise<void> {
  const actors = new Set(refunds.flatMap(({ actor_id: id }) => id ?? []))
  const staff = await listStaffNames(tx.db, [...actors])
  const { limit, isOver } = isOverLimit(more, { refunds, staff })
  if (!isOver) return
  if (staffRefusal('refundOverLimit', ctx.viewer.role) !== null) {
    const { currency } = more
    throw new AppError('refund_over_limit', { limit: formatExactMoney({ minor: limit, currency }) })
  }
  if ((ctx.session?.steppedUpUntil ?? 0) <= ctx.now()) throw new AppError('step_up_required')
}

/** The money of a booked visit: what was received, and what is left after refunds. */
export type VisitMoney = {
  payment: Pick<Payment, 'no' | 'id' | 'currency'>
  paid: Money
  left: Money
  refunds: RefundRow[]
}

function moneyOf(payment: Payment, refunds: RefundRow[]): VisitMoney {
  // Money of another currency is never accepted for a visit.
  const { currency } = payment
  return {
    payment,
    paid: { minor: receivedAmount(payment).minor, currency },
    left: { minor: refundableOf(payment, refunds), currency },
    refunds,
  }
}

/** The money of a visit as it is now. */
export async function readMoney(db: Db, paymentNo: number): Promise<VisitMoney> {
  return moneyOf(await getPayment(db, paymentNo), await listRefundsOf(db, paymentNo))
}

/** The money of several visits, by the numbers of their payments; two queries in all. */
export async function readMoneyOf(
  db: Db,
  paymentNos: readonly number[],
): Promise<Map<number, VisitMoney>> {
  if (paymentNos.length === 0) return new Map()
  const payments = await listPayments(db, paymentNos)
  const refunds = Map.groupBy(await listRefundsOfAll(db, paymentNos), (row) => row.payment_no)
  return new Map(payments.map((one) => [one.no, moneyOf(one, refunds.get(one.no) ?? [])]))
}

/**
 * The money of a visit, locked against other refunds until the transaction ends. Lock order: payment, then
 * booking and provider.
 */
export async function lockMoney(ctx: Context, tx: Tx, paymentNo: number): Promise<VisitMoney> {
  const payment = await lockPayment(tx.db, paymentNo, ctx.now())
  return moneyOf(payment, await listRefundsOf(tx.db, paymentNo))
}

/** Reason for the refund, stored with a failed refund that this one replaces. */
const refundNotes = {
  cancelled: 'The visit was cancelled.',
  not_held: 'The visit did not take place.',
  no_show: 'The patient didn’t come, and only part of the payment is kept.',
  refilled: 'Someone else took the time that was cancelled late.',
} as const

type VisitRefund = {
  payment: Pick<Payment, 'no' | 'id'>
  reason: keyof typeof refundNotes
  /** Amount to refund; 0 queues nothing. */
  amount: Money
  /** Public id of the account that decided; null for the system. */
  actorId: string | null
}

/**
 * Queues the refund of what a visit does not cost, once per payment and reason, in the transaction that
 * decides it; a job sends it. Failed refunds that it covers are resolved: it takes their place.
 */
export async function enqueueVisitRefund(
  ctx: Context,
  tx: Tx,
  visitRefund: VisitRefund,
): Promise<void> {
  const { payment, reason, amount, actorId } = visitRefund
  if (amount.minor === 0) return
  const id = ctx.newId('rfd')
  const now = ctx.now()
  await insertRefund(tx.db, {
    id,
    payment_no: payment.no,
    reason,
    amount_minor: amount.minor,
    currency: amount.currency,
    actor_id: actorId,
    now,
  })
  const note = refundNotes[reason]
  await resolveReplaced(tx, payment.no, { by: actorId ?? '', note, minor: amount.minor, now })
  await tx.audit.add({
    action: 'payment.refund_due',
    entity: payment.id,
    details: { refund: id, amount: amount.minor, currency: amount.currency },
  })
}

type UpcomingReading = Pick<SignedIn, 'session' | 'now'>

async function listWithMoney(
  { session, now }: UpcomingReading,
  db: Tx['db'],
): Promise<UpcomingVisit[]> {
  const rows = await listUpcoming(db, { accountNo: session.accountNo, now: now() })
  const refunds = Map.groupBy(
    await listRefundsOfAll(
      db,
      rows.map((row) => row.payment_no),
    ),
    (one) => one.payment_no,
  )
  return rows.map((row) => {
    const minor = refundableOf(row, refunds.get(row.payment_no) ?? [])
    return { ...row, left: { minor, currency: row.currency } }
  })
}

/** Upcoming paid visits of the viewer, a provider, and what erasing the account would refund. */
export async function readUpcoming(
  ctx: SignedIn,
): Promise<{ coming: UpcomingVisit[]; version: string; refunds: Money[] }> {
  const coming = await listWithMoney(ctx, ctx.database.db)
  return { coming, version: versionOf(ctx.secrets, coming), refunds: sumsOf(coming) }
}

/**
 * Cancels all upcoming paid visits of the viewer, who is erasing their account, in the same transaction: the
 * rest of each payment is refunded, and patient and provider are notified. Does nothing for a viewer without
 * such visits. Throws `visits_changed` unless `seen` is the version of exactly these visits; waits for
 * confirmations in progress.
 */
export async function cancelUpcoming(
  ctx: SignedIn,
  tx: Tx,
  seen: string = versionOf(ctx.secrets, []),
): Promise<void> {
  // Payments before the provider: the lock order of confirming and refunding.
  const before = await listWithMoney(ctx, tx.db)
  for (const { payment_no: no } of before) await lockPayment(tx.db, no, ctx.now())
  await lockProviderOf(tx.db, ctx.session.accountNo)
  const upcoming = await listWithMoney(ctx, tx.db)
  if (versionOf(ctx.secrets, upcoming) !== seen) throw new AppError('visits_changed')
  for (const visit of upcoming) {
    const payment = { no: visit.payment_no, id: visit.payment_id }
    await enqueueVisitRefund(ctx, tx, {
      payment,
      reason: 'cancelled',
      amount: visit.left,
      actorId: ctx.session.userId,
    })
    await cancelBooking(ctx, tx, {
      bookingNo: visit.no,
      because: 'provider_left',
      money: { refundMinor: visit.left.minor, keptMinor: 0 },
    })
  }
}

/** An upcoming paid visit with what is left of its payment. */
export type UpcomingVisit = Awaited<ReturnType<typeof listUpcoming>>[number] & {
  /** Received and not refunded. */
  left: Money
}

/** Hash of a set of visits and what is left of their payments; changes when they do. */
function versionOf(secrets: Secrets, upcoming: readonly UpcomingVisit[]): string {
  const parts = upcoming.map(
    ({ id, start_at: start, left }) => `${id} ${start} ${left.minor} ${left.currency}`,
  )
  return secrets.mac('ahead', parts.join('\n'))
}

/** Total to refund, by currency. */
function sumsOf(upcoming: readonly UpcomingVisit[]): Money[] {
  const byCurrency = Map.groupBy(
    upcoming.filter(({ left }) => left.minor > 0),
    ({ left }) => left.currency,
  )
  return [...byCurrency].map(([currency, visits]) => ({
    currency,
    minor: visits.reduce((sum, { left }) => sum + left.minor, 0),
  }))
}

/**
 * After an account was erased, clears unprocessed gateway events about its payments, and staff notes on them.
 * What remains only names the payment.
 */
export async function erasePayer({ database }: Services, userId: string): Promise<void> {
  await blankEventsOf(database.db, userId)
  await blankNotesOf(database.db, userId)
}
