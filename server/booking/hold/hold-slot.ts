import type { Hold, HoldInput } from '#contract/booking.ts'
import { DAY_MS } from '#contract/time.ts'
import { wallClock } from '#db/columns.ts'
import { isOverlapViolation } from '#db/failures.ts'
import { assertMayHoldMore, holdEnd, isTimeToPay } from '#server/booking/rules.ts'
import {
  findLastPurpose,
  hasLivePayment,
  insertBooking,
  listRecent,
} from '#server/booking/store.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { capHolds } from './cap-holds.ts'
import { findOffer, type Offer } from './find-offer.ts'
import { readHold, readHoldIn } from './read-hold.ts'
import { assertNoOverlap, refuseSlot } from './refuse-slot.ts'
import { releaseOverdue } from './release-booking.ts'
import { closeSlots, insertClaim, listClaimsIn, type Span, takeTurns } from './slot-store.ts'

/** Somebody else may be quicker, and give the time back before we look again: not for ever. */
const TRIES = 3

type Claims = Awaited<ReturnType<typeof listClaimsIn>>
type Wanted = { offer: Offer; distance: string | null; overlapOk: boolean }
type Admitted = Wanted & { heldFrom: string | null }

async function writeHold(ctx: SignedIn, tx: Tx, admitted: Admitted): Promise<string> {
  const { offer, distance, heldFrom } = admitted
  const { provider, slot, span, payBy } = offer
  const now = ctx.now()
  const patientNo = ctx.session.accountNo
  await takeTurns(tx.db, span.providerNo)
  await closeSlots(tx.db, span)
  const row = {
    patient_no: patientNo,
    provider_no: provider.no,
    place_no: slot.place_no,
    region: provider.region,
    start_at: span.start,
    end_at: span.end,
    time_zone: slot.time_zone,
    wall_at: wallClock(span.start, slot.time_zone),
    state: 'held' as const,
    hold_until: holdEnd(now, payBy),
    pay_by: payBy,
    renewed: 0 as const,
    visit_type: 'first_visit' as const,
    follow_up_basis: null,
    payment_method: 'stripe' as const,
    // Whoever loses a time need not write it again.
    purpose: await findLastPurpose(tx.db, { patientNo, since: now - DAY_MS }),
    code_at: null,
    first_minor: provider.amount_minor,
    follow_minor: provider.follow_amount_minor,
    currency: provider.currency,
    free_cancel_hours: provider.free_cancel_hours,
    late_cancel_percent: provider.late_cancel_percent,
    distance,
    paid_by: null,
    held_from: heldFrom,
    sequence: 0,
    created_at: now,
    confirmed_at: null,
    closed_at: null,
    outcome: null,
    outcome_at: null,
    arrived_at: null,
  }
  const { no: bookingNo, id } = await insertBooking(tx.db, row, () => ctx.newId('apt'))
  // Here it is decided who has the time: nothing before has looked whether it is free.
  const { providerNo, start } = span
  const isOffered = await insertClaim(tx.db, {
    providerNo,
    start,
    minutes: slot.minutes,
    place_no: slot.place_no,
    bookingNo,
  })
  if (!isOffered) throw new AppError('slot_not_offered')
  await tx.outbox.add('provider.changed', { providerId: provider.id })
  await tx.audit.add({ action: 'booking.held', entity: id })
  return id
}

/** Writes the hold, or finds the one another tab of the same person has just written. */
async function takeSlot(ctx: SignedIn, wanted: Wanted): Promise<Hold> {
  const { provider, span } = wanted.offer
  return ctx.transaction(async (tx) => {
    const now = ctx.now()
    // Two requests of one person wait for each other here.
    await tx.attempts.take('hold', ctx.session.userId)
    const own = await listRecent(tx.db, {
      patientNo: ctx.session.accountNo,
      since: now - DAY_MS,
    })
    const same = own.find(
      (one) =>
        one.state === 'held' &&
        one.hold_until > now &&
        one.provider_no === provider.no &&
        one.start_at === span.start,
    )
    if (same !== undefined) return readHoldIn(ctx, tx.db, same.id)
    assertMayHoldMore(own, now)
    if (!wanted.overlapOk) await assertNoOverlap(ctx, tx, span)
    const heldFrom = await capHolds(ctx, tx, provider.no)
    return readHoldIn(ctx, tx.db, await writeHold(ctx, tx, { ...wanted, heldFrom }))
  })
}

/** The viewer's own hold among claims; refuses what they have paid for, or are paying for. */
async function findMine(ctx: SignedIn, claims: Claims, start: number): Promise<string | null> {
  const mine = claims.find(
    (one) => one.patient_no === ctx.session.accountNo && one.start_at === start,
  )
  if (mine === undefined) return null
  if (mine.state !== 'held') throw new AppError('hold_paid')
  if (mine.hold_until > ctx.now()) return mine.id
  if (await hasLivePayment(ctx.database.db, mine.no)) throw new AppError('payment_busy')
  return null
}

function refuse(ctx: SignedIn, span: Span, code: 'slot_taken' | 'slot_not_offered') {
  return refuseSlot(ctx, { code, providerNo: span.providerNo, wanted: span.start })
}

/** The hold, or null when somebody else has the time. Looking first spares most losers a write. */
async function tryToTake(ctx: SignedIn, wanted: Wanted): Promise<Hold | null> {
  const { span, slot, payBy } = wanted.offer
  for (let left = TRIES; left > 0; left -= 1) {
    const claims = await listClaimsIn(ctx.database.db, span)
    const mine = await findMine(ctx, claims, span.start)
    if (mine !== null) return readHold(ctx, { holdId: mine })
    if (!isTimeToPay(payBy, ctx.now())) throw await refuse(ctx, span, 'slot_not_offered')
    if (claims.some((one) => one.state !== 'held' || one.hold_until > ctx.now())) return null
    // Not on offer, and no booking is the reason: its provider has closed it.
    if (claims.length === 0 && slot.free === 0) return null
    if (claims.length > 0 && !(await releaseOverdue(ctx, span))) return null
    try {
      return await takeSlot(ctx, wanted)
    } catch (error) {
      const isGone = error instanceof AppError && error.code === 'slot_not_offered'
      if (isGone) throw await refuse(ctx, span, 'slot_not_offered')
      if (!isOverlapViolation(error)) throw error
    }
  }
  return null
}

/**
 * Keeps a time for the viewer for fifteen minutes. Asked again for the same time they get the same
 * hold. `slot_taken` and its like carry the nearest free times. `visits_overlap` when they have another
 * time then, held or booked, unless `overlapOk` says that they know. `too_many_unpaid_holds` where too many
 * times are held without being paid for.
 */
export async function holdSlot(ctx: SignedIn, input: HoldInput): Promise<Hold> {
  const offer = await findOffer(ctx, input)
  const { distance = null, overlapOk = false } = input
  const hold = await tryToTake(ctx, { offer, distance, overlapOk })
  if (hold !== null) return hold
  throw await refuse(ctx, offer.span, 'slot_taken')
}
