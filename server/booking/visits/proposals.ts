import { MOST_PROPOSALS, type ProposedTimes } from '#contract/booking-proposed.ts'
import { toIso } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BookingRow } from '#db/tables/booking.ts'
import { paymentLead } from '#server/availability/hours/hours-rules.ts'
import { isTimeToPay } from '#server/booking/rules.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Actor, viewerOf } from './cancel-booking.ts'
import { insertChange } from './changes-store.ts'
import * as store from './proposals-store.ts'

/** Whether anything is proposed for a visit, or this very time is. */
export function isProposed(
  db: Db,
  wanted: { bookingNo: number; slot?: store.ProposedSlot },
): Promise<boolean> {
  return store.isProposed(db, wanted)
}

/**
 * What is proposed for some coming visits by their numbers: the times that could be taken at `now`. A
 * visit for which none is left has no entry.
 */
export async function proposalsOf(
  db: Db,
  bookingNos: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, ProposedTimes>> {
  const found = new Map<number, ProposedTimes>()
  for (const row of await store.listProposed(db, bookingNos, now)) {
    if (!isTimeToPay(row.start_at - paymentLead(row.notice_minutes), now)) continue
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

/** When its patient kept the time of a visit instead of proposed ones, earliest first. */
export async function keptOf(db: Db, bookingNo: number): Promise<string[]> {
  return (await store.listKept(db, bookingNo)).map(toIso)
}

/** How often its provider may still propose times for a visit. */
export async function proposalsLeft(db: Db, bookingNo: number): Promise<number> {
  return Math.max(0, MOST_PROPOSALS - (await store.countProposals(db, bookingNo)))
}

type Proposing = {
  /** The visit as it is, locked by the caller. */
  booking: Pick<BookingRow, 'id' | 'start_at' | 'sequence'> & { no: number }
  slots: readonly store.ProposedSlot[]
  note: string | null
}

/**
 * Proposes times for a coming visit in the caller's transaction, in place of those proposed before, and
 * tells the patient. Nothing of the visit changes and nothing is held. `proposals_used_up` after three.
 */
export async function proposeTimes(ctx: Context, tx: Tx, proposing: Proposing): Promise<void> {
  const { booking, slots, note } = proposing
  const { no, id, sequence } = booking
  if ((await proposalsLeft(tx.db, no)) === 0) throw new AppError('proposals_used_up')
  const at = ctx.now()
  await store.replaceProposal(tx.db, { bookingNo: no, at, slots })
  await insertChange(tx.db, {
    ...viewerOf(ctx),
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

type Dismissing = {
  /** The visit as it is, locked by the caller. */
  booking: Proposing['booking']
  /** When it was proposed. */
  at: Instant
  /** Who, where that is not the viewer: a link names its patient. */
  by?: Actor
}

/**
 * The patient keeps the time: what was proposed then is taken back, which is written down for good and told
 * to the provider. Later proposals stay; nothing happens where it was answered or replaced before.
 */
export async function dismissProposal(ctx: Context, tx: Tx, dismissing: Dismissing): Promise<void> {
  const { booking, at, by = viewerOf(ctx) } = dismissing
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

/** Whatever is proposed for a visit goes with a change of it. */
export async function dropProposal(db: Db, bookingNo: number): Promise<void> {
  await store.deleteProposal(db, { bookingNo })
}
