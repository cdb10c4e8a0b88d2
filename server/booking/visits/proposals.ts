import { MAX_PROPOSALS, type ProposedTimes } from '#contract/booking-proposed.ts'
import { toIso } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import { paymentLeadMs } from '#server/availability/hours/hours-rules.ts'
import { hasTimeToPay } from '#server/booking/rules.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Actor, actorOf } from './cancel-booking.ts'
import { insertChange } from './changes-store.ts'
import * as store from './proposals-store.ts'

/** Whether any time is proposed for a visit, or this one is. */
export function isProposed(
  db: Db,
  wanted: { bookingNo: number; slot?: store.ProposedSlot },
): Promise<boolean> {
  return store.isProposed(db, wanted)
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
  for (const row of await store.listProposed(db, bookingNos, now)) {
    if (!hasTimeToPay(row.start_at - paymentLeadMs(row.notice_minutes), now)) continue
    const of = found.get(row.booking_no) ?? { at: toIso(row.at), note: null, times: [] }
    const { time_zone: timeZone, place_name: place } = row
    of.times.push({ startsAt: toIso(row.start_at), timeZone, place })
    found.set(row.booking_no, of)
  }
  for (const { booking_no: no, note } of await store.listProposalNotes(db, [...found.keys()])) {
    const of = found.get(no)
    if (of !== undefined) found.set(no, { ...of, note })
  }
  return found
}

/** When the patient declined proposed times, earliest first. */
export async function declinedAt(db: Db, bookingNo: number): Promise<string[]> {
  return (await store.listDeclined(db, bookingNo)).map(toIso)
}

/** How often its provider may still propose times for a visit. */
export async function proposalsLeft(db: Db, bookingNo: number): Promise<number> {
  return Math.max(0, MAX_PROPOSALS - (await store.countProposals(db, bookingNo)))
}

type NewProposal = {
  /** The current visit, locked by the caller. */
  booking: Pick<BookingRow, 'id' | 'start_at' | 'sequence'> & { no: number }
  slots: readonly store.ProposedSlot[]
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
  await store.replaceProposal(tx.db, { bookingNo: no, at, slots })
  await insertChange(tx.db, {
    ...actorOf(ctx),
    booking_no: no,
    at,
    what: 'proposed',
    sequence,
    from_at: booking.start_at,
    to_at: null,
    reason: null,
    note,
    refund_minor: null,
    kept_minor: null,
  })
  const payload = { bookingId: id, sequence: String(sequence), at: toIso(at) }
  await tx.outbox.add('booking.proposed', payload)
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
  if ((await store.deleteProposal(tx.db, { bookingNo: no, at })) === 0) return
  await insertChange(tx.db, {
    ...by,
    booking_no: no,
    at: ctx.now(),
    what: 'kept',
    sequence,
    from_at: booking.start_at,
    to_at: null,
    reason: null,
    note: null,
    refund_minor: null,
    kept_minor: null,
  })
  await tx.outbox.add('booking.kept', { bookingId: id, sequence: String(sequence) })
  await tx.audit.add({ action: 'booking.proposal_dismissed', entity: id })
}

/** Deletes a visit's proposed times when the visit changes. */
export async function dropProposal(db: Db, bookingNo: number): Promise<void> {
  await store.deleteProposal(db, { bookingNo })
}
