import type { VisitMove } from '#contract/booking.ts'
import { toIso } from '#contract/time.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import { refillSlots } from '#server/availability/slots/extend-slots.ts'
import type { Offer } from '#server/booking/hold/find-offer.ts'
import { closeSlots, moveClaim, openSlots, takeTurns } from '#server/booking/hold/slot-store.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Actor, viewerOf } from './cancel-booking.ts'
import * as store from './changes-store.ts'
import { insertChange, setMoved } from './changes-store.ts'
import { dropProposal } from './proposals.ts'

type Moving = {
  /** The visit as it is, locked by the caller. */
  booking: Pick<BookingRow, 'start_at' | 'end_at' | 'provider_no'> & { no: number }
  /** The time it goes to, at the same provider. */
  offer: Offer
  /** Until when cancelling is free afterwards. */
  freeUntil: Instant
  /** One of a short list, and what whoever moves it wrote. */
  reason?: string | null
  note?: string | null
  /** Who, where that is not the viewer: a link names its patient. */
  by?: Actor
}

/**
 * Gives a coming visit another time, in the caller's transaction: its claim becomes that of the new time,
 * the old one is open again, and both people are told. Another claim there is thrown as the database
 * refuses it; `slot_not_offered` when the time is not offered any more, `visit_begun` when the visit is.
 */
export async function moveBooking(ctx: Context, tx: Tx, moving: Moving): Promise<void> {
  const { booking, offer, freeUntil, reason = null, note = null } = moving
  const { provider, slot, visit, span } = offer
  const { providerNo, start, end } = visit
  const now = ctx.now()
  await takeTurns(tx.db, providerNo)
  // Here it is decided who has the time: nothing before has looked whether it is free.
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
    ...(moving.by ?? viewerOf(ctx)),
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

/** How often its patient has moved a visit themself. */
export function countOwnMoves(db: Db, bookingNo: number): Promise<number> {
  return store.countOwnMoves(db, bookingNo)
}

/** The moves of some visits by their numbers, earliest first; a visit without any has no entry. */
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
