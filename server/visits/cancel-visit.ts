import type { Money } from '#contract/money.ts'
import type { CancelInput, Cancelled } from '#contract/visits.ts'
import type { Db } from '#db/engine.ts'
import { cancelBooking } from '#server/booking/visits/cancel-booking.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { enqueueVisitRefund, lockMoney, type VisitMoney } from '#server/payments/refunds/refund.ts'
import { termsOf, whyNotChange, whyOutdated } from './rules.ts'
import { type BookedRow, findOfPatient } from './store.ts'

/**
 * Finds the visit, only if the actor may change it; called twice, the second time with its payment locked.
 */
export type FindVisit = (db: Db) => Promise<BookedRow | undefined>

type CancelRequest = {
  find: FindVisit
  /** What the page showed. */
  shown: { sequence: number; refund: Money }
  /** Whether to refund as agreed, or all that is left. */
  policy: 'agreed' | 'all'
  reason?: string
  note?: string | null
  /** Public id of the patient who cancels, where there is no session. */
  patientId?: string
  /** Throws if the actor may not refund so much. */
  assertMay?: (refund: Money, money: VisitMoney) => void
}

/**
 * Cancels an upcoming visit and enqueues the refund, in the caller's transaction. The payment is locked
 * first, so that concurrent refunds see what is left. Throws `not_found` where `find` finds none;
 * `changed_meanwhile` and `terms_changed` where the page is outdated. Returns the refund.
 */
export async function cancelInTransaction(
  ctx: Context,
  tx: Tx,
  request: CancelRequest,
): Promise<Money> {
  const { find, shown, policy, reason, note, patientId } = request
  const before = await find(tx.db)
  if (before === undefined) throw new AppError('not_found')
  const money = await lockMoney(ctx, tx, before.payment_no)
  // Re-read under the lock: a concurrent cancellation, move or refund has committed by now.
  const visit = await find(tx.db)
  if (visit === undefined) throw new AppError('not_found')
  const refusal = whyNotChange(visit, ctx.now())
  if (refusal !== null) throw new AppError(refusal)
  const terms = termsOf(visit, money.left, { policy, now: ctx.now() })
  const { refund, kept } = terms
  const other = whyOutdated(shown, { sequence: visit.sequence, refund })
  if (other !== null) throw new AppError(other, { what: 'visit' })
  request.assertMay?.(refund, money)
  const actorId = patientId ?? ctx.session?.userId ?? null
  await enqueueVisitRefund(ctx, tx, {
    payment: money.payment,
    reason: 'cancelled',
    amount: refund,
    actorId,
  })
  await cancelBooking(ctx, tx, {
    bookingNo: visit.no,
    money: { refundMinor: refund.minor, keptMinor: kept.minor },
    ...(reason === undefined ? {} : { reason }),
    ...(note === undefined ? {} : { note }),
    ...(patientId === undefined ? {} : { by: { by_kind: 'patient', by_id: patientId } }),
  })
  return refund
}

/**
 * The patient cancels one of their upcoming visits. The refund follows the provider's policy as booked, and
 * must equal what the page showed, or nothing happens.
 */
export async function cancelVisit(ctx: SignedIn, input: CancelInput): Promise<Cancelled> {
  const { id, sequence, refund: shown } = input
  const find: FindVisit = (db) => findOfPatient(db, id, ctx.session.accountNo)
  const refund = await ctx.transaction((tx) =>
    cancelInTransaction(ctx, tx, { find, shown: { sequence, refund: shown }, policy: 'agreed' }),
  )
  const visit = await readVisitIn(ctx.database.db, id, ctx.now())
  if (visit === null) throw new Error('The cancelled visit does not exist.')
  return { visit, refund }
}
