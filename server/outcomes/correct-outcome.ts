import type { Done } from '#contract/auth.ts'
import type { VisitRef } from '#contract/booking.ts'
import { type CorrectOutcomeInput, Outcome, type StaffMarking } from '#contract/outcomes.ts'
import { whyNotMark } from '#server/booking/outcome-rules.ts'
import { recordCorrected } from '#server/booking/visits/record-change.ts'
import type { AsStaff } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { assertMayRefund } from '#server/payments/refunds/refund.ts'
import { lockMoney, readMoney } from '#server/payments/refunds/visit-money.ts'
import { assertRefund, writeMark } from './mark-visit.ts'
import { findAnyBooked, hasOpenClaim, lockBooking } from './store.ts'

/** A visit's outcome, and what staff may correct it to; nothing while its patient contests it. */
export async function readStaffMarking(ctx: AsStaff, { id }: VisitRef): Promise<StaffMarking> {
  const { db } = ctx.database
  const visit = await findAnyBooked(db, id)
  if (visit === undefined) throw new AppError('not_found')
  if (visit.paid_by === null) throw new Error('A booked visit is not paid for.')
  const isContested = await hasOpenClaim(db, visit.no)
  const may = (outcome: Outcome) =>
    outcome !== visit.outcome &&
    whyNotMark(visit, outcome, { now: ctx.now(), by: 'staff' }) === null
  return {
    outcome: visit.outcome,
    can: isContested ? [] : Outcome.options.filter(may),
    refundable: (await readMoney(db, visit.paid_by)).left,
  }
}

/**
 * Staff correct a visit's outcome, with a reason that is recorded. A visit not held is refunded, within the
 * refund limit; a patient marked as absent is emailed and can contest it. Throws `outcome_contested` while a
 * claim is open, which is decided instead.
 */
export async function correctOutcome(ctx: AsStaff, input: CorrectOutcomeInput): Promise<Done> {
  const { id, outcome, reason } = input
  const found = await findAnyBooked(ctx.database.db, id)
  if (found === undefined) throw new AppError('not_found')
  const { no: bookingNo, paid_by: paymentNo } = found
  if (paymentNo === null) throw new Error('A booked visit is not paid for.')
  await ctx.transaction(async (tx) => {
    const money = await lockMoney(ctx, tx, paymentNo)
    const visit = await lockBooking(tx.db, bookingNo)
    if (await hasOpenClaim(tx.db, bookingNo)) throw new AppError('outcome_contested')
    if (visit.outcome === outcome) return
    const refusal = whyNotMark(visit, outcome, { now: ctx.now(), by: 'staff' })
    if (refusal !== null) throw new AppError(refusal)
    if (outcome === 'not_held') {
      assertRefund(money, input.refund)
      assertMayRefund(ctx, money.left, money.refunds)
    }
    const by = ctx.viewer.id
    await writeMark(ctx, tx, { bookingNo, mark: outcome, money, by })
    await recordCorrected(ctx, tx, { visit, by, outcome, why: reason })
    if (outcome === 'no_show') await tx.outbox.add('outcome.no_show', { bookingId: id })
  })
  return { status: true }
}
