import type { Money } from '#contract/money.ts'
import type { CancelInput, Cancelled } from '#contract/visits.ts'
import type { Db } from '#db/engine.ts'
import { cancelBooking } from '#server/booking/visits/cancel-booking.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { lockMoney, oweVisitRefund, type VisitMoney } from '#server/payments/refunds/visit-money.ts'
import { termsOf, whyNotAsShown, whyNotChange } from './rules.ts'
import { type BookedRow, findOfPatient } from './store.ts'

/** Finds the visit of an act, only if whoever acts may; read twice, the second time with its money locked. */
export type Find = (db: Db) => Promise<BookedRow | undefined>

type Cancelling = {
  find: Find
  /** What the page showed. */
  shown: { sequence: number; refund: Money }
  /** Whether what is left goes back as agreed, or all of it. */
  policy: 'agreed' | 'all'
  reason?: string
  note?: string | null
  /** Public id of the patient who cancels, where no session says who it is. */
  patientId?: string
  /** Refuses whoever may not give so much back. */
  assertMay?: (refund: Money, money: VisitMoney) => void
}

/**
 * Cancels a coming visit and owes back what is due, in the caller's transaction: the payment is locked
 * first, so that of many who give back of it one at a time sees what is left. `not_found` where `find`
 * finds none; `changed_meanwhile` and `terms_changed` where the page showed something else than would
 * be done now. Returns what goes back.
 */
export async function cancelIn(ctx: Context, tx: Tx, cancelling: Cancelling): Promise<Money> {
  const { find, shown, policy, reason, note, patientId } = cancelling
  const before = await find(tx.db)
  if (before === undefined) throw new AppError('not_found')
  const money = await lockMoney(ctx, tx, before.payment_no)
  // Whoever cancelled, moved or gave back meanwhile is done by now.
  const visit = await find(tx.db)
  if (visit === undefined) throw new AppError('not_found')
  const refusal = whyNotChange(visit, ctx.now())
  if (refusal !== null) throw new AppError(refusal)
  const terms = termsOf(visit, money.left, { policy, now: ctx.now() })
  const { refund, kept } = terms
  const other = whyNotAsShown(shown, { sequence: visit.sequence, refund })
  if (other !== null) throw new AppError(other, { what: 'visit' })
  cancelling.assertMay?.(refund, money)
  const actorId = patientId ?? ctx.session?.userId ?? null
  await oweVisitRefund(ctx, tx, {
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
 * The patient cancels a coming visit of theirs. What goes back is what the provider's policy of the day
 * of booking says at this moment, and what the page showed, or nothing happens.
 */
export async function cancelVisit(ctx: SignedIn, input: CancelInput): Promise<Cancelled> {
  const { id, sequence, refund: shown } = input
  const find: Find = (db) => findOfPatient(db, id, ctx.session.accountNo)
  const refund = await ctx.transaction((tx) =>
    cancelIn(ctx, tx, { find, shown: { sequence, refund: shown }, policy: 'agreed' }),
  )
  const visit = await readVisitIn(ctx.database.db, id, ctx.now())
  if (visit === null) throw new Error('The visit that was cancelled is not there.')
  return { visit, refund }
}
