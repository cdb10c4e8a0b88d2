import type { Hold, HoldInput } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'
import { DAY_MS } from '#contract/time.ts'
import { modeOfHold } from '#server/booking/mode-rules.ts'
import { assertMayHoldMore } from '#server/booking/rules.ts'
import { findLastPurpose, hasLivePayment, listRecent } from '#server/booking/store.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { capHolds, capOfComing, capOfPatient } from './cap-holds.ts'
import { findOffer, type TypedOffer } from './find-offer.ts'
import { hasEverPaid, setPatient } from './hold-store.ts'
import { describeHold, readHold, readHoldIn } from './read-hold.ts'
import { assertNoOverlap } from './refuse-slot.ts'
import { releaseBooking } from './release-booking.ts'
import { listClaimsIn, type Span } from './slot-store.ts'
import { type Claims, takeOffer, writeHold } from './take-slot.ts'
import { forgetVisitor, visitorOf } from './visitor.ts'

type Owned = { claim: Claims[number]; span: Span; visitor: string; overlapOk: boolean }

/**
 * Makes the hold of a visitor that of the account they have signed in to, with the minutes it has left.
 * The account's own limits hold as for any new hold; those of the network and of the provider count it
 * already. Null when it is not the visitor's any more: over, given back, or taken over by another tab.
 */
async function takeOver(ctx: SignedIn, owned: Owned): Promise<Hold | null> {
  const { claim, span, visitor, overlapOk } = owned
  const patientNo = ctx.session.accountNo
  const hold = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    // Two requests of one person wait for each other here.
    await tx.attempts.take('hold', ctx.session.userId)
    const recent = { patientNo, since: now - DAY_MS }
    const own = await listRecent(tx.db, recent)
    // Another tab has just done it.
    if (own.some(({ id }) => id === claim.id)) return readHoldIn(ctx, tx.db, claim.id)
    assertMayHoldMore(own, now)
    await capOfComing(ctx, tx, span.providerNo)
    if (!overlapOk) await assertNoOverlap(ctx, tx, span)
    await capOfPatient(ctx, tx)
    const owner = {
      patientNo,
      purpose: await findLastPurpose(tx.db, recent),
      isKnown: await hasEverPaid(tx.db, patientNo),
    }
    const heldFrom = await setPatient(tx.db, { no: claim.no, visitor, now }, owner)
    if (heldFrom === undefined) return null
    // It counts as a hold of this patient from now on.
    if (heldFrom !== null) await tx.attempts.giveBack('visitor_hold', heldFrom)
    await tx.audit.add({ action: 'booking.taken_over', entity: claim.id })
    return readHoldIn(ctx, tx.db, claim.id)
  })
  if (hold !== null) forgetVisitor(ctx)
  return hold
}

type Wanted = { offer: TypedOffer; distance: string | null; mode: VisitMode; overlapOk: boolean }

/** Writes the hold, or finds the one another tab of the same person has just written. */
async function takeSlot(ctx: SignedIn, wanted: Wanted): Promise<Hold> {
  const { offer, distance, mode, overlapOk } = wanted
  const { provider, visit } = offer
  const patientNo = ctx.session.accountNo
  return ctx.transaction(async (tx) => {
    const now = ctx.now()
    // Two requests of one person wait for each other here.
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
    assertMayHoldMore(own, now)
    await capOfComing(ctx, tx, provider.no)
    if (!overlapOk) await assertNoOverlap(ctx, tx, visit)
    const heldFrom = await capHolds(ctx, tx, provider.no)
    // Whoever loses a time need not write it again.
    const purpose = await findLastPurpose(tx.db, { patientNo, since: now - DAY_MS })
    const owner = { patientNo, visitor: null }
    const id = await writeHold(ctx, tx, { offer, distance, mode, owner, heldFrom, purpose })
    return readHoldIn(ctx, tx.db, id)
  })
}

/**
 * The viewer's own hold among claims, or the one they took as a visitor, which becomes theirs here;
 * refuses what they have paid for, or are paying for.
 */
async function findMine(ctx: SignedIn, claims: Claims, wanted: Wanted): Promise<Hold | null> {
  const { start } = wanted.offer.span
  const visitor = visitorOf(ctx)
  const same = claims.find((one) => one.start_at === start)
  if (same === undefined) return null
  if (visitor !== null && same.visitor === visitor) {
    const { overlapOk } = wanted
    return takeOver(ctx, { claim: same, span: wanted.offer.visit, visitor, overlapOk })
  }
  if (same.patient_no !== ctx.session.accountNo) return null
  if (same.state !== 'held') throw new AppError('hold_paid')
  if (same.hold_until > ctx.now()) return readHold(ctx, { holdId: same.id })
  if (await hasLivePayment(ctx.database.db, same.no)) throw new AppError('payment_busy')
  return null
}

/** Gives back what the viewer keeps from that very time on for another type of visit; whether they did. */
async function leaveOtherType(ctx: SignedIn, { span, type }: TypedOffer): Promise<boolean> {
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
  // Somebody pays for it in another tab: that has to be left first.
  if (!isGiven) throw new AppError('payment_busy')
  return true
}

/**
 * Keeps a time for the viewer for fifteen minutes. Asked again for the same time they get the same
 * hold, for another type of visit another one, and what they hold as a visitor becomes theirs with the
 * minutes it has left. `slot_taken` and
 * its like carry the nearest free times. `visits_overlap` when they have another time then, held or
 * booked, unless `overlapOk` says that they know. `mode_not_offered` for a way the provider offers nobody. `too_many_unpaid_holds` where too many times are held
 * without being paid for, `too_many_coming` where the viewer has too many upcoming visits.
 */
export async function holdSlot(ctx: SignedIn, input: HoldInput): Promise<Hold> {
  const found = await findOffer(ctx, input)
  // What was given back is free again.
  const offer = (await leaveOtherType(ctx, found)) ? await findOffer(ctx, input) : found
  const { distance = null, overlapOk = false } = input
  const mode = modeOfHold({ ...offer.provider, type_mode: offer.type.mode }, input.mode)
  const wanted = { offer, distance, mode, overlapOk }
  const hold = await takeOffer(ctx, offer, {
    findMine: (claims) => findMine(ctx, claims, wanted),
    isOwn: (claim) => claim.visitor !== null && claim.visitor === visitorOf(ctx),
    take: () => takeSlot(ctx, wanted),
  })
  // What was kept already takes place as was chosen last.
  if (input.mode === undefined || hold.state !== 'held' || hold.mode === mode) return hold
  return describeHold(ctx, { holdId: hold.id, mode })
}
