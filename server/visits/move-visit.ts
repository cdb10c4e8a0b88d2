import { toIso } from '#contract/base/time.ts'
import type { SlotTime } from '#contract/booking.ts'
import type {
  MoveAgreedInput,
  Moved,
  MovedVisit,
  MoveForInput,
  MoveInput,
  MoveTerms,
  MoveTermsInput,
} from '#contract/visits.ts'
import type { Db } from '#db/engine.ts'
import { freeUntilAfterMove } from '#server/booking/cancel-rules.ts'
import {
  assertPatientFree,
  findOfferFor,
  type Offer,
  refuseSlot,
} from '#server/booking/hold/find-offer.ts'
import { takeOffer } from '#server/booking/hold/take-slot.ts'
import { REASON_PROPOSED } from '#server/booking/rules.ts'
import type { Actor } from '#server/booking/visits/cancel-booking.ts'
import { countOwnMoves, isProposed, moveBooking } from '#server/booking/visits/move-booking.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import type { AsProvider, AsStaff, Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { lockMoney } from '#server/payments/refunds/refund.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import type { FindVisit } from './cancel-visit.ts'
import { movesLeft, whyNotMove } from './rules.ts'
import { type BookedRow, findBooked, findOfPatient, findOfProvider, lockBooked } from './store.ts'

type MoveRequest = {
  find: FindVisit
  /** What the page showed. */
  sequence: number
  /**
   * `patient`: a limited number of moves, and none onto another visit of theirs without `overlapOk`.
   * `for_patient`: the same cancellation terms without those limits. `provider`: cancelling is free until the
   * start.
   */
  policy: 'patient' | 'for_patient' | 'provider'
  overlapOk?: boolean
  /** Set when the page showed the time as proposed by the provider. */
  isProposed?: boolean
  reason?: string
  note?: string | null
  /** The actor, where that is not the viewer: a link names its patient. */
  by?: Actor
  /** Runs in the same transaction, after the move. */
  alsoIn?: (tx: Tx) => Promise<void>
}

type MoveRules = Pick<MoveRequest, 'policy'> & {
  now: number
  /** The new time, once it is known. */
  offer?: Offer
}

/** Whether the provider of a visit has proposed this time, or any time where none is given. */
function isProposedTo(db: Db, visit: BookedRow, offer?: Offer): Promise<boolean> {
  if (offer === undefined) return isProposed(db, { bookingNo: visit.no })
  const slot = { start: offer.span.start, placeNo: offer.slot.place_no }
  return isProposed(db, { bookingNo: visit.no, slot })
}

/**
 * Throws the code of `whyNotMove` for a visit that cannot be moved. The limit on moves does not apply where
 * the provider proposed the time.
 */
export async function assertMovable(db: Db, visit: BookedRow, rules: MoveRules): Promise<void> {
  const { policy, now, offer } = rules
  const isBound = policy === 'patient' && !(await isProposedTo(db, visit, offer))
  const moves = isBound ? await countOwnMoves(db, visit.no) : null
  const refusal = whyNotMove(visit, { now, moves })
  if (refusal !== null) throw new AppError(refusal)
}

/**
 * The time a visit would move to, as its provider offers it; refused as for a booking, and with `slot_taken`
 * for the time it already has.
 */
export async function offerFor(ctx: Context, visit: BookedRow, slot: SlotTime): Promise<Offer> {
  const offer = await findOfferFor(ctx, visit, slot)
  const { providerNo, start: wanted } = offer.span
  if (wanted !== visit.start_at) return offer
  throw await refuseSlot(ctx, { code: 'slot_taken', providerNo, wanted, needs: offer.needs })
}

/**
 * Moves an upcoming visit to an offered time, in the caller's transaction. Lock order: the payment, the
 * visit, its provider, so that concurrent cancellations, moves and refunds are serialized. No money moves.
 * Throws `not_found` where `find` finds none, `changed_meanwhile` where the page is outdated.
 */
async function moveInTransaction(
  ctx: Context,
  tx: Tx,
  request: MoveRequest & { offer: Offer },
): Promise<void> {
  const { find, offer, policy, sequence, overlapOk = false, reason, note } = request
  const now = ctx.now()
  const before = await find(tx.db)
  if (before === undefined) throw new AppError('not_found')
  // A move takes a time as a hold does: serializes those of one patient.
  if (policy === 'patient') await tx.attempts.take('hold', before.patient_id)
  await lockMoney(ctx, tx, before.payment_no)
  await lockBooked(tx.db, before.no)
  const visit = await find(tx.db)
  if (visit === undefined) throw new AppError('not_found')
  await assertMovable(tx.db, visit, { policy, now, offer })
  if (visit.sequence !== sequence) throw new AppError('changed_meanwhile', { what: 'visit' })
  const isChosen = policy === 'patient' && (await isProposedTo(tx.db, visit, offer))
  if (request.isProposed === true && !isChosen) {
    throw new AppError('changed_meanwhile', { what: 'visit' })
  }
  const { visit: span } = offer
  if (policy === 'patient' && !overlapOk) {
    const { patient_no: patientNo, no: exceptNo } = visit
    await assertPatientFree(ctx, tx, { patientNo, span, exceptNo })
  }
  const isAgreed = isChosen || policy === 'provider'
  await moveBooking(ctx, tx, {
    booking: visit,
    offer,
    freeUntil: isAgreed ? span.start : freeUntilAfterMove(visit, span.start, now),
    ...(isChosen ? { reason: REASON_PROPOSED } : reason === undefined ? {} : { reason }),
    ...(note === undefined ? {} : { note }),
    ...(request.by === undefined ? {} : { by: request.by }),
  })
  await request.alsoIn?.(tx)
}

/**
 * Moves a visit to a time with `moveInTransaction`, in a transaction of its own. `slot_taken` and similar errors carry
 * the nearest free times; the visit then keeps its time.
 */
export async function moveTo(
  ctx: Context,
  { slot, ...request }: MoveRequest & { slot: SlotTime },
): Promise<void> {
  const { db } = ctx.database
  const visit = await request.find(db)
  if (visit === undefined) throw new AppError('not_found')
  await assertMovable(db, visit, { policy: request.policy, now: ctx.now() })
  if (visit.sequence !== request.sequence)
    throw new AppError('changed_meanwhile', { what: 'visit' })
  const offer = await offerFor(ctx, visit, slot)
  await takeOffer(ctx, offer, {
    findMine: () => Promise.resolve(null),
    exceptNo: visit.no,
    take: async () => {
      await ctx.transaction((tx) => moveInTransaction(ctx, tx, { ...request, offer }))
      return true
    },
  })
}

/**
 * The patient moves one of their upcoming visits to another time of the same provider, three times at most,
 * not counting times the provider proposed. The payment does not change.
 */
export async function moveVisit(ctx: SignedIn, input: MoveInput): Promise<Moved> {
  const { id, sequence, slot, overlapOk = false, isProposed: wasProposed = false } = input
  const find: FindVisit = (db) => findOfPatient(db, id, ctx.session.accountNo)
  await moveTo(ctx, { find, policy: 'patient', sequence, slot, overlapOk, isProposed: wasProposed })
  const { db } = ctx.database
  const [visit, moved] = await Promise.all([readVisitIn(db, id, ctx.now()), find(db)])
  if (visit === null || moved === undefined) throw new Error('The moved visit does not exist.')
  return { visit, movesLeft: movesLeft(await countOwnMoves(db, moved.no)) }
}

async function movedFor(ctx: Context, find: FindVisit): Promise<MovedVisit> {
  const visit = await find(ctx.database.db)
  if (visit === undefined) throw new Error('The moved visit does not exist.')
  const { id, sequence, start_at: start, time_zone: timeZone } = visit
  return { id, sequence, startsAt: toIso(start), timeZone }
}

/**
 * The provider moves an upcoming visit to another of their free times, as agreed with the patient, who is
 * emailed. From then on cancelling is free until the start. Checked as for patients, except for the limit on
 * moves and the patient's other visits, which the provider must not learn of.
 */
export async function moveAgreed(ctx: AsProvider, input: MoveAgreedInput): Promise<MovedVisit> {
  const { id, sequence, slot, note = null } = input
  const { no } = await ownProvider(ctx, ctx.database.db)
  const find: FindVisit = (db) => findOfProvider(db, id, no)
  await moveTo(ctx, { find, policy: 'provider', sequence, slot, note })
  return movedFor(ctx, find)
}

const policies = { patient: 'for_patient', provider: 'provider' } as const

/**
 * Staff move an upcoming visit on behalf of its patient or its provider, which decides the free-cancellation
 * deadline. The reason is recorded for staff only.
 */
export async function moveFor(ctx: AsStaff, input: MoveForInput): Promise<MovedVisit> {
  const { id, for: whom, sequence, slot, reason: note } = input
  const find: FindVisit = (db) => findBooked(db, id)
  const reason = whom === 'patient' ? 'for_patient' : 'for_provider'
  await moveTo(ctx, { find, policy: policies[whom], sequence, slot, reason, note })
  return movedFor(ctx, find)
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
  const isOwnProposal = await isProposedTo(db, visit, offer)
  const freeUntil = isOwnProposal ? span.start : freeUntilAfterMove(visit, span.start, now)
  return {
    id: visit.id,
    sequence: visit.sequence,
    timeZone: visit.time_zone,
    from: { startsAt: toIso(visit.start_at), place: visit.place_name },
    to: { startsAt: toIso(span.start), place: slot.place_name, timeZone: slot.time_zone },
    freeUntil: toIso(freeUntil),
    isFree: now < freeUntil,
    movesLeft: movesLeft(await countOwnMoves(db, visit.no)),
    isProposed: isOwnProposal,
  }
}

/** Terms of moving one of the viewer's upcoming visits to a time. */
export async function readMoveTerms(ctx: SignedIn, input: MoveTermsInput): Promise<MoveTerms> {
  const visit = await findOfPatient(ctx.database.db, input.id, ctx.session.accountNo)
  return moveTermsOf(ctx, visit, input.slot)
}
