import type { Hold, HoldInput } from '#contract/booking.ts'
import { DAY_MS } from '#contract/time.ts'
import { isOverlapViolation } from '#db/failures.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findOffer, isClosedOtherwise, type Offer } from './find-offer.ts'
import { readHold } from './read-hold.ts'
import { refuseSlot } from './refuse-slot.ts'
import { releaseOverdue } from './release-overdue.ts'
import { assertMayHoldMore, holdEnd, isKept } from './rules.ts'
import { closeSlots, insertClaim, listClaimsIn } from './slot-store.ts'
import { hasLivePayment, insertBooking, listRecent } from './store.ts'

/** Each try but the last gave somebody's overdue hold back. */
const TRIES = 3

type Wanted = { offer: Offer; distance: string | null }

async function findOwnHold(ctx: SignedIn, db: Tx['db'], offer: Offer) {
  const now = ctx.now()
  const own = await listRecent(db, ctx.session.accountNo, now - DAY_MS)
  const same = own.find(
    (one) =>
      isKept({ ...one, renewed: 0 }, now) &&
      one.provider_id === offer.provider.id &&
      one.start_at === offer.span.start,
  )
  return { own, heldId: same?.id ?? null }
}

async function writeHold(ctx: SignedIn, tx: Tx, { offer, distance }: Wanted): Promise<string> {
  const { provider, slot, span } = offer
  const now = ctx.now()
  const id = ctx.newId('apt')
  await closeSlots(tx.db, span)
  const bookingNo = await insertBooking(tx.db, {
    id,
    patient_no: ctx.session.accountNo,
    provider_no: provider.no,
    place_no: slot.place_no,
    region: provider.region,
    start_at: span.start,
    end_at: span.end,
    time_zone: slot.time_zone,
    state: 'held',
    hold_until: holdEnd(now),
    renewed: 0,
    visit_type: 'first_visit',
    follow_up_basis: null,
    payment_method: 'stripe',
    purpose: '',
    code_at: null,
    first_minor: provider.amount_minor,
    follow_minor: provider.follow_amount_minor,
    currency: provider.currency,
    free_cancel_hours: provider.free_cancel_hours,
    late_cancel_percent: provider.late_cancel_percent,
    distance,
    paid_by: null,
    sequence: 0,
    created_at: now,
    confirmed_at: null,
    closed_at: null,
  })
  // Here it is decided who has the time: nothing before has looked whether it is free.
  await insertClaim(tx.db, { ...span, bookingNo })
  await tx.outbox.add('provider.changed', { providerId: provider.id })
  await tx.audit.add({ action: 'booking.held', entity: id })
  return id
}

async function takeSlot(ctx: SignedIn, wanted: Wanted): Promise<string> {
  return ctx.transaction(async (tx) => {
    // Two tabs of one person wait for each other here, so the second finds the hold of the first.
    await tx.attempts.take('hold', ctx.session.userId)
    const { own, heldId } = await findOwnHold(ctx, tx.db, wanted.offer)
    if (heldId !== null) return heldId
    assertMayHoldMore(own, ctx.now())
    return writeHold(ctx, tx, wanted)
  })
}

/** Whose the time is, when that is the viewer: then it is not taken, but theirs in one way or other. */
async function findMine(ctx: SignedIn, offer: Offer): Promise<string | null> {
  const { db } = ctx.database
  const claims = await listClaimsIn(db, offer.span)
  const mine = claims.find(
    (one) => one.patient_no === ctx.session.accountNo && one.start_at === offer.span.start,
  )
  if (mine === undefined) return null
  if (mine.state !== 'held') throw new AppError('hold_paid')
  if (mine.hold_until > ctx.now()) return mine.id
  if (await hasLivePayment(db, mine.no)) throw new AppError('payment_busy')
  return null
}

/** Tries to take the time; null when somebody else has it. */
async function tryToTake(ctx: SignedIn, wanted: Wanted): Promise<string | null> {
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      return await takeSlot(ctx, wanted)
    } catch (error) {
      if (!isOverlapViolation(error)) throw error
    }
    const mine = await findMine(ctx, wanted.offer)
    if (mine !== null) return mine
    if (!(await releaseOverdue(ctx, wanted.offer.span))) return null
  }
  return null
}

/**
 * Keeps a time for the viewer for fifteen minutes. Asked again for the same time they get the same
 * hold. `slot_taken` and its like carry the nearest free times.
 */
export async function holdSlot(ctx: SignedIn, input: HoldInput): Promise<Hold> {
  const offer = await findOffer(ctx, input)
  const { heldId } = await findOwnHold(ctx, ctx.database.db, offer)
  const isClosed = heldId === null && (await isClosedOtherwise(ctx, offer))
  const holdId =
    heldId ?? (isClosed ? null : await tryToTake(ctx, { offer, distance: input.distance ?? null }))
  if (holdId !== null) return readHold(ctx, { holdId })
  const { providerNo, start: wanted } = offer.span
  throw await refuseSlot(ctx, { code: 'slot_taken', providerNo, wanted })
}
