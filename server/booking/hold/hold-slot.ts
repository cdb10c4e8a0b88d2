import type { Hold, HoldInput } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'
import { DAY_MS } from '#contract/time.ts'
import { modeOfHold } from '#server/booking/mode-rules.ts'
import { assertHoldLimits } from '#server/booking/rules.ts'
import { findLastPurpose, hasLivePayment, listRecent } from '#server/booking/store.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { assertPatientCap, assertUpcomingCap, capHolds } from './cap-holds.ts'
import { findOffer, type TypedOffer } from './find-offer.ts'
import { hasEverPaid, setPatient } from './hold-store.ts'
import { describeHold, readHold, readHoldIn } from './read-hold.ts'
import { assertNoOverlap } from './refuse-slot.ts'
import { releaseBooking } from './release-booking.ts'
import { listClaimsIn, type Span } from './slot-store.ts'
import { type Claims, takeOffer, writeHold } from './take-slot.ts'
import { clearVisitor, visitorOf } from './visitor.ts'

type TransferRequest = { claim: Claims[number]; span: Span; visitor: string; overlapOk: boolean }

/**
 * Transfers a visitor's hold to the account they have signed in to, with its remaining minutes. The account's
 * own caps apply as for a new hold; those of the network and the provider already count it. Null when the
 * hold is no longer the visitor's: expired, released, or transferred by another tab.
 */
async function transferHold(ctx: SignedIn, request: TransferRequest): Promise<Hold | null> {
  const { claim, span, visitor, overlapOk } = request
  const patientNo = ctx.session.accountNo
  const hold = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    // Serializes requests of one patient.
    await tx.attempts.take('hold', ctx.session.userId)
    const recent = { patientNo, since: now - DAY_MS }
    const own = await listRecent(tx.db, recent)
    // Another tab has just transferred it.
    if (own.some(({ id }) => id === claim.id)) return readHoldIn(ctx, tx.db, claim.id)
    assertHoldLimits(own, now)
    await assertUpcomingCap(ctx, tx, span.providerNo)
    if (!overlapOk) await assertNoOverlap(ctx, tx, span)
    await assertPatientCap(ctx, tx)
    const owner = {
      patientNo,
      purpose: await findLastPurpose(tx.db, recent),
      isKnown: await hasEverPaid(tx.db, patientNo),
    }
    const heldFrom = await setPatient(tx.db, { no: claim.no, visitor, now }, owner)
    if (heldFrom === undefined) return null
    // From now on it counts as a hold of this patient.
    if (heldFrom !== null) await tx.attempts.uncount('visitor_hold', heldFrom)
    await tx.audit.add({ action: 'booking.taken_over', entity: claim.id })
    return readHoldIn(ctx, tx.db, claim.id)
  })
  if (hold !== null) clearVisitor(ctx)
  return hold
}

type HoldRequest = {
  offer: TypedOffer
  distance: string | null
  mode: VisitMode
  overlapOk: boolean
}

/** Writes the hold, or returns the one another tab of the same patient has just written. */
async function takeSlot(ctx: SignedIn, request: HoldRequest): Promise<Hold> {
  const { offer, distance, mode, overlapOk } = request
  const { provider, visit } = offer
  const patientNo = ctx.session.accountNo
  return ctx.transaction(async (tx) => {
    const now = ctx.now()
    // Serializes requests of one patient.
    await tx.attempts.take('hold', ctx.session.userId)
    const own = await listRecent(tx.db, { patientNo, since: now - DAY_MS })
    const same = own.find(
      (one) =>
        one.state === 'held' &&
        one.hold_until > now &&
        one.provider_no === provider.no &&
        one.start_at === visit.start,
    )
    if (same !== undefined) return readHoldIn(ctx, tx.db, same.id)
    assertHoldLimits(own, now)
    await assertUpcomingCap(ctx, tx, provider.no)
    if (!overlapOk) await assertNoOverlap(ctx, tx, visit)
    const heldFrom = await capHolds(ctx, tx, provider.no)
    // A patient who lost a time does not have to enter the purpose again.
    const purpose = await findLastPurpose(tx.db, { patientNo, since: now - DAY_MS })
    const owner = { patientNo, visitor: null }
    const id = await writeHold(ctx, tx, { offer, distance, mode, owner, heldFrom, purpose })
    return readHoldIn(ctx, tx.db, id)
  })
}

/**
 * The viewer's own hold among claims, or the one they made as a visitor, which is transferred to them.
 * Refuses times they have paid for or are paying for.
 */
async function findMine(ctx: SignedIn, claims: Claims, request: HoldRequest): Promise<Hold | null> {
  const { start } = request.offer.span
  const visitor = visitorOf(ctx)
  const same = claims.find((one) => one.start_at === start)
  if (same === undefined) return null
  if (visitor !== null && same.visitor === visitor) {
    const { overlapOk } = request
    return transferHold(ctx, { claim: same, span: request.offer.visit, visitor, overlapOk })
  }
  if (same.patient_no !== ctx.session.accountNo) return null
  if (same.state !== 'held') throw new AppError('hold_paid')
  if (same.hold_until > ctx.now()) return readHold(ctx, { holdId: same.id })
  if (await hasLivePayment(ctx.database.db, same.no)) throw new AppError('payment_busy')
  return null
}

/** Releases the viewer's hold of another type at the same start; returns whether there was one. */
async function releaseOtherType(ctx: SignedIn, { span, type }: TypedOffer): Promise<boolean> {
  const { accountNo } = ctx.session
  const claims = await listClaimsIn(ctx.database.db, span)
  const other = claims.find(
    (one) =>
      one.patient_no === accountNo &&
      one.state === 'held' &&
      one.start_at === span.start &&
      (one.type_no ?? type.no) !== type.no,
  )
  if (other === undefined) return false
  const isGiven = await ctx.transaction((tx) =>
    releaseBooking(ctx, tx, { bookingNo: other.no, reason: 'left' }),
  )
  // A payment for it is running in another tab, and has to be cancelled first.
  if (!isGiven) throw new AppError('payment_busy')
  return true
}

/**
 * Holds a time for the viewer for fifteen minutes. A repeat for the same time returns the same hold, or a new
 * one for another type of visit; the viewer's hold as a visitor is transferred with its remaining minutes.
 * `slot_taken` and similar errors carry the nearest free times. Throws `visits_overlap` when the viewer has
 * another visit or hold then, unless `overlapOk` is set; `mode_not_offered` for a mode the provider does not
 * offer; `too_many_unpaid_holds` and `too_many_coming` at the caps on unpaid holds and upcoming visits.
 */
export async function holdSlot(ctx: SignedIn, input: HoldInput): Promise<Hold> {
  const found = await findOffer(ctx, input)
  // Look again: the released time is free now.
  const offer = (await releaseOtherType(ctx, found)) ? await findOffer(ctx, input) : found
  const { distance = null, overlapOk = false } = input
  const mode = modeOfHold({ ...offer.provider, type_mode: offer.type.mode }, input.mode)
  const request = { offer, distance, mode, overlapOk }
  const hold = await takeOffer(ctx, offer, {
    findMine: (claims) => findMine(ctx, claims, request),
    isOwn: (claim) => claim.visitor !== null && claim.visitor === visitorOf(ctx),
    take: () => takeSlot(ctx, request),
  })
  // An existing hold takes the mode that was chosen last.
  if (input.mode === undefined || hold.state !== 'held' || hold.mode === mode) return hold
  return describeHold(ctx, { holdId: hold.id, mode })
}
