import type { SlotTime, VisitRef } from '#contract/booking.ts'
import { ProviderId } from '#contract/ids.ts'
import { toIso } from '#contract/time.ts'
import type { MoveTerms, MoveTermsInput, VisitTerms } from '#contract/visits.ts'
import { freeUntilAfterMove } from '#server/booking/cancel-rules.ts'
import { countOwnMoves } from '#server/booking/visits/move-booking.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readMoney } from '#server/payments/refunds/refund.ts'
import { assertMovable, isProposedTo, offerFor } from './move-visit.ts'
import { movesLeft, termsOf, whyNotChange } from './rules.ts'
import { type BookedRow, findOfPatient } from './store.ts'

/**
 * Terms of cancelling a visit now: refunds as `agreed`, or `all` that is left. Throws `not_found` for an
 * undefined visit, `visit_cancelled` and `visit_begun` where it cannot be cancelled any more.
 */
export async function cancelTermsOf(
  ctx: Context,
  visit: BookedRow | undefined,
  policy: 'agreed' | 'all',
): Promise<VisitTerms> {
  const now = ctx.now()
  if (visit === undefined) throw new AppError('not_found')
  const refusal = whyNotChange(visit, now)
  if (refusal !== null) throw new AppError(refusal)
  const { paid, left } = await readMoney(ctx.database.db, visit.payment_no)
  const { refund, kept, freeUntil, isFree } = termsOf(visit, left, { policy, now })
  return {
    id: visit.id,
    sequence: visit.sequence,
    startsAt: toIso(visit.start_at),
    timeZone: visit.time_zone,
    paymentMethod: visit.payment_method,
    paid,
    left,
    refund,
    kept,
    freeUntil: toIso(freeUntil),
    isFree,
    providerId: ProviderId.parse(visit.provider_id),
    typeId: visit.type_id,
    movesLeft: movesLeft(await countOwnMoves(ctx.database.db, visit.no)),
  }
}

/** Terms of cancelling one of the viewer's upcoming visits, by its provider's policy. */
export async function readTerms(ctx: SignedIn, { id }: VisitRef): Promise<VisitTerms> {
  return cancelTermsOf(
    ctx,
    await findOfPatient(ctx.database.db, id, ctx.session.accountNo),
    'agreed',
  )
}

/**
 * Terms of moving a visit to a time now: the place, and the free-cancellation deadline. Refused as the
 * patient's move itself, except for taken times, which only the move detects. Throws `not_found` for an
 * undefined visit.
 */
export async function moveTermsOf(
  ctx: Context,
  visit: BookedRow | undefined,
  wanted: SlotTime,
): Promise<MoveTerms> {
  const { db } = ctx.database
  const now = ctx.now()
  if (visit === undefined) throw new AppError('not_found')
  await assertMovable(db, visit, { policy: 'patient', now })
  const offer = await offerFor(ctx, visit, wanted)
  await assertMovable(db, visit, { policy: 'patient', now, offer })
  const { span, slot } = offer
  const isProposed = await isProposedTo(db, visit, offer)
  const freeUntil = isProposed ? span.start : freeUntilAfterMove(visit, span.start, now)
  return {
    id: visit.id,
    sequence: visit.sequence,
    timeZone: visit.time_zone,
    from: { startsAt: toIso(visit.start_at), place: visit.place_name },
    to: { startsAt: toIso(span.start), place: slot.place_name, timeZone: slot.time_zone },
    freeUntil: toIso(freeUntil),
    isFree: now < freeUntil,
    movesLeft: movesLeft(await countOwnMoves(db, visit.no)),
    isProposed,
  }
}

/** Terms of moving one of the viewer's upcoming visits to a time. */
export async function readMoveTerms(ctx: SignedIn, input: MoveTermsInput): Promise<MoveTerms> {
  const visit = await findOfPatient(ctx.database.db, input.id, ctx.session.accountNo)
  return moveTermsOf(ctx, visit, input.slot)
}
