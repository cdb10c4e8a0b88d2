import type { VisitMove } from '#contract/booking.ts'
import { toIso } from '#contract/time.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import { refillSlots } from '#server/availability/slots/extend-slots.ts'
import type { Offer } from '#server/booking/hold/find-offer.ts'
import {
  closeSlots,
  lockProviderClaims,
  moveClaim,
  openSlots,
} from '#server/booking/hold/slot-store.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Actor, actorOf } from './cancel-booking.ts'
import * as store from './changes-store.ts'
import { insertChange, setMoved } from './changes-store.ts'
import { dropProposal } from './proposals.ts'

type Move = {
  /** The current visit, locked by the caller. */
  booking: Pick<BookingRow, 'start_at' | 'end_at' | 'provider_no'> & { no: number }
  /** The new time, with the same provider. */
  offer: Offer
  /** Free-cancellation deadline after the move. */
  freeUntil: Instant
  /** `reason` is one of a short list; `note` is the mover's own text. */
  reason?: string | null
  note?: string | null
  /** The actor, where that is not the viewer: a link names its patient. */
  by?: Actor
}

/**
 * Moves an upcoming visit, in the caller's transaction: the claim moves to the new time, the old one is on
 * offer again, and both sides are emailed. Throws the database's overlap error where the time is taken,
 * `slot_not_offered` when it is no longer on offer, `visit_begun` when the visit has begun.
 */
export async function moveBooking(ctx: Context, tx: Tx, move: Move): Promise<void> {
  const { booking, offer, freeUntil, reason = null, note = null } = move
  const { provider, slot, visit, span } = offer
  const { providerNo, start, end } = visit
  const now = ctx.now()
  await lockProviderClaims(tx.db, providerNo)
  // The update decides who gets the time: nothing before it has checked that it is free.
  const { place_no: placeNo } = slot
  const claim = { ...slot, ...visit, bookingNo: booking.no }
  if (!(await moveClaim(tx.db, claim))) throw new AppError('slot_not_offered')
  await closeSlots(tx.db, span)
  const old = { providerNo: booking.provider_no, start: booking.start_at, end: booking.end_at }
  if (!(await refillSlots(tx.db, old, now))) await openSlots(tx.db, old, now)
  const timeZone = slot.time_zone
  const wallAt = wallClock(start, timeZone)
  const time = { placeNo, start, end, timeZone, wallAt, freeUntil, now }
  const moved = await setMoved(tx.db, booking.no, time)
  if (moved === undefined) throw new AppError('visit_begun')
  await dropProposal(tx.db, booking.no)
  const { id, sequence } = moved
  await insertChange(tx.db, {
    ...(move.by ?? actorOf(ctx)),
    booking_no: booking.no,
    at: now,
    what: 'moved',
    sequence,
    from_at: booking.start_at,
    to_at: start,
    reason,
    note,
    refund_minor: null,
    kept_minor: null,
  })
  await tx.outbox.add('provider.changed', { providerId: provider.id })
  await tx.outbox.add('booking.moved', { bookingId: id, sequence: String(sequence) })
  await tx.audit.add({
    action: 'booking.moved',
    entity: id,
    details: { from: toIso(booking.start_at), to: toIso(start) },
  })
}

/** How often the patient has moved a visit themselves. */
export function countOwnMoves(db: Db, bookingNo: number): Promise<number> {
  return store.countOwnMoves(db, bookingNo)
}

/** The moves of some visits by their numbers, earliest first; visits without moves have no entry. */
export async function movesOf(
  db: Db,
  bookingNos: readonly number[],
): Promise<ReadonlyMap<number, VisitMove[]>> {
  const moves = new Map<number, VisitMove[]>()
  for (const row of await store.listMoves(db, bookingNos)) {
    if (row.from_at === null || row.to_at === null) continue
    const of = moves.get(row.booking_no) ?? []
    const { by_kind: by } = row
    of.push({ at: toIso(row.at), by, from: toIso(row.from_at), to: toIso(row.to_at) })
    moves.set(row.booking_no, of)
  }
  return moves
}
