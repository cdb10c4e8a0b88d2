import { toIso } from '#contract/base/time.ts'
import { MAX_PROPOSALS, type ProposedTimes, type VisitMove } from '#contract/booking.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import { paymentLeadMs } from '#server/availability/hours/hours-rules.ts'
import type { Offer } from '#server/booking/hold/find-offer.ts'
import { reopenTime } from '#server/booking/hold/reopen-time.ts'
import { closeSlots, lockProviderClaims, moveClaim } from '#server/booking/hold/slot-store.ts'
import { hasTimeToPay } from '#server/booking/rules.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Actor, actorOf } from './cancel-booking.ts'
import * as changes from './changes-store.ts'
import * as proposals from './proposals-store.ts'

type Move = {
  /** The current visit, locked by the caller. */
  booking: Pick<BookingRow, 'start_at' | 'end_at' | 'time_zone' | 'provider_no' | 'patient_no'> & {
    no: number
  }
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
 * Moves an upcoming visit, in the caller's transaction: the claim moves to the new time, the old one is offered again,
 * and both sides are emailed. Throws the database's overlap error where the time is taken, `slot_not_offered` when it
 * is no longer offered, `visit_begun` when the visit has begun.
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
  await reopenTime(tx.db, old, now)
  const timeZone = slot.time_zone
  const wallAt = wallClock(start, timeZone)
  const time = { placeNo, start, end, timeZone, wallAt, freeUntil, now }
  const moved = await changes.setMoved(tx.db, booking.no, time)
  if (moved === undefined) throw new AppError('visit_begun')
  await proposals.deleteProposal(tx.db, { bookingNo: booking.no })
  const { id, sequence } = moved
  const by = move.by ?? actorOf(ctx)
  await changes.insertChange(tx.db, {
    ...by,
    booking_no: booking.no,
    at: now,
    what: 'moved',
    sequence,
    from_at: booking.start_at,
    to_at: start,
    from_zone: booking.time_zone,
    to_zone: timeZone,
    reason,
    note,
  })
  await tx.outbox.add('provider.changed', { providerId: provider.id })
  const payload = { bookingId: id, sequence }
  // Their own moves are limited, and must not be refused for what others have sent them.
  const to = by.by_kind === 'patient' ? null : patientMailbox(booking)
  await tx.outbox.add('booking.moved', payload, { to })
  await tx.audit.add({
    action: 'booking.moved',
    entity: id,
    details: { from: toIso(booking.start_at), to: toIso(start) },
  })
}

/** The name under which emails to the patient of a visit are counted. */
export function patientMailbox({ patient_no: patientNo }: Pick<BookingRow, 'patient_no'>): string {
  return `patient ${patientNo}`
}

/** How often the patient has moved a visit themselves. */
export function countOwnMoves(db: Db, bookingNo: number): Promise<number> {
  return changes.countOwnMoves(db, bookingNo)
}

/** The moves of some visits by their numbers, earliest first; visits without moves have no entry. */
export async function movesOf(
  db: Db,
  bookingNos: readonly number[],
): Promise<ReadonlyMap<number, VisitMove[]>> {
  const moves = new Map<number, VisitMove[]>()
  for (const row of await changes.listMoves(db, bookingNos)) {
    if (row.from_at === null || row.to_at === null) continue
    const of = moves.get(row.booking_no) ?? []
    const { by_kind: by } = row
    of.push({
      at: toIso(row.at),
      by,
      from: toIso(row.from_at),
      fromZone: row.from_zone,
      to: toIso(row.to_at),
      toZone: row.to_zone,
    })
    moves.set(row.booking_no, of)
  }
  return moves
}

/** Whether any time is proposed for a visit, or this one is. */
export function isProposed(
  db: Db,
  wanted: { bookingNo: number; slot?: proposals.ProposedSlot },
): Promise<boolean> {
  return proposals.isProposed(db, wanted)
}

/**
 * Proposed times of some upcoming visits by their numbers that can be taken at `now`; visits without any have
 * no entry.
 */
export async function proposalsOf(
  db: Db,
  bookingNos: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, ProposedTimes>> {
  const found = new Map<number, ProposedTimes>()
  for (const row of await proposals.listProposed(db, bookingNos, now)) {
    if (!hasTimeToPay(row.start_at - paymentLeadMs(row.notice_minutes), now)) continue
    const of = found.get(row.booking_no) ?? { at: toIso(row.at), note: null, times: [] }
    const { time_zone: timeZone, place_name: place } = row
    of.times.push({ startsAt: toIso(row.start_at), timeZone, place })
    found.set(row.booking_no, of)
  }
  for (const { booking_no: no, note } of await proposals.listProposalNotes(db, [...found.keys()])) {
    const of = found.get(no)
    if (of !== undefined) found.set(no, { ...of, note })
  }
  return found
}

/** When the patient declined proposed times, earliest first. */
export async function declinedAt(db: Db, bookingNo: number): Promise<string[]> {
  return (await proposals.listDeclined(db, bookingNo)).map(toIso)
}

/** How often its provider may still propose times for a visit. */
export async function proposalsLeft(db: Db, bookingNo: number): Promise<number> {
  return Math.max(0, MAX_PROPOSALS - (await proposals.countProposals(db, bookingNo)))
}

type NewProposal = {
  /** The current visit, locked by the caller. */
  booking: Pick<BookingRow, 'id' | 'start_at' | 'sequence' | 'patient_no'> & { no: number }
  slots: readonly proposals.ProposedSlot[]
  note: string | null
}

/**
 * Proposes times for an upcoming visit in the caller's transaction, replacing earlier ones, and emails the
 * patient. The visit does not change and nothing is held. Throws `proposals_used_up` after three.
 */
export async function proposeTimes(ctx: Context, tx: Tx, proposal: NewProposal): Promise<void> {
  const { booking, slots, note } = proposal
  const { no, id, sequence } = booking
  if ((await proposalsLeft(tx.db, no)) === 0) throw new AppError('proposals_used_up')
  const at = ctx.now()
  await proposals.replaceProposal(tx.db, { bookingNo: no, at, slots })
  await changes.insertChange(tx.db, {
    ...actorOf(ctx),
    booking_no: no,
    at,
    what: 'proposed',
    sequence,
    from_at: booking.start_at,
    note,
  })
  const payload = { bookingId: id, sequence, at: toIso(at) }
  await tx.outbox.add('booking.proposed', payload, { to: patientMailbox(booking) })
  await tx.audit.add({
    action: 'booking.proposed',
    entity: id,
    details: { times: slots.map(({ start }) => toIso(start)).join(' ') },
  })
}

type Dismissal = {
  /** The current visit, locked by the caller. */
  booking: NewProposal['booking']
  /** When the times were proposed. */
  at: Instant
  /** The actor, where that is not the viewer: a link names its patient. */
  by?: Actor
}

/**
 * The patient keeps the time: the times proposed at `at` are deleted, which is recorded permanently and
 * emailed to the provider. Later proposals stay; does nothing where they were already answered or replaced.
 */
export async function dismissProposal(ctx: Context, tx: Tx, dismissal: Dismissal): Promise<void> {
  const { booking, at, by = actorOf(ctx) } = dismissal
  const { no, id, sequence } = booking
  if ((await proposals.deleteProposal(tx.db, { bookingNo: no, at })) === 0) return
  await changes.insertChange(tx.db, {
    ...by,
    booking_no: no,
    at: ctx.now(),
    what: 'kept',
    sequence,
    from_at: booking.start_at,
  })
  await tx.outbox.add('booking.kept', { bookingId: id, sequence })
  await tx.audit.add({ action: 'booking.proposal_dismissed', entity: id })
}
