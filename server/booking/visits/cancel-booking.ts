import type { Db } from '#db/engine.ts'
import type { VisitChangeRow } from '#db/tables/booking.ts'
import { reopenTime } from '#server/booking/hold/reopen-time.ts'
import { deleteClaim, lockProviderClaims } from '#server/booking/hold/slot-store.ts'
import { getProviderId } from '#server/booking/store.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findCancellation, insertChange, setCancelled, type VisitChange } from './changes-store.ts'
import { sealProvider } from './confirm-booking.ts'
import { deleteProposal } from './proposals-store.ts'
import { findVisit } from './visit-store.ts'

type Cancellation = {
  bookingNo: number
  /** Minor units refunded and kept, as the caller decided. */
  money: { refundMinor: number; keptMinor: number }
  /** `reason` is one of a short list; `note` is the canceller's own text. */
  reason?: string
  note?: string | null
  /** The actor, where that is not the viewer: a link names its patient. */
  by?: Actor
  /** The provider is being erased in the same transaction: the emails need the provider's details. */
  because?: 'provider_left'
}

export type Actor = Pick<VisitChange, 'by_kind' | 'by_id'>

/** The viewer as the recorded actor of a change. */
export function actorOf({ viewer, session }: Context): Actor {
  const by_id = session?.userId ?? null
  return { by_kind: viewer.kind === 'visitor' ? 'system' : viewer.kind, by_id }
}

async function sealedProviderOf(ctx: Context, tx: Tx, bookingId: string): Promise<string> {
  const row = await findVisit(tx.db, bookingId)
  if (row === undefined) throw new Error('The cancelled visit does not exist.')
  return sealProvider(ctx, row)
}

/**
 * Cancels an upcoming visit, in the transaction that settles its money: the claim is deleted, the time is free again
 * unless its provider's account is being erased, and both sides are emailed a file that removes it from their
 * calendars. Throws `release_impossible` when it is not booked any more, or has begun.
 */
export async function cancelBooking(
  ctx: Context,
  tx: Tx,
  cancellation: Cancellation,
): Promise<void> {
  const { bookingNo, because, money, reason = null, note = null } = cancellation
  const now = ctx.now()
  const booking = await setCancelled(tx.db, bookingNo, now)
  if (booking === null) throw new AppError('release_impossible')
  const { id, provider_no: providerNo, start_at: start, end_at: end } = booking
  // Before the claim, in the same order as when a time is taken, to avoid a deadlock.
  await lockProviderClaims(tx.db, providerNo)
  await deleteClaim(tx.db, bookingNo)
  await deleteProposal(tx.db, { bookingNo })
  await insertChange(tx.db, {
    ...(cancellation.by ?? actorOf(ctx)),
    booking_no: bookingNo,
    at: now,
    what: 'cancelled',
    sequence: booking.sequence,
    from_at: start,
    reason: because ?? reason,
    note,
    refund_minor: money.refundMinor,
    kept_minor: money.keptMinor,
  })
  if (because === 'provider_left') {
    // The times of an erased provider are not offered again.
    await tx.outbox.add('booking.cancelled', {
      bookingId: id,
      leaver: await sealedProviderOf(ctx, tx, id),
    })
  } else {
    await reopenTime(tx.db, { providerNo, start, end }, now)
    await tx.outbox.add('provider.changed', { providerId: await getProviderId(tx.db, providerNo) })
    await tx.outbox.add('booking.cancelled', { bookingId: id })
  }
  await tx.audit.add({ action: 'booking.cancelled', entity: id })
}

/** Who cancelled a visit, and the amounts refunded and kept in minor units; null where not recorded. */
export type CancellationFacts = {
  by: VisitChangeRow['by_kind']
  refundMinor: number | null
  keptMinor: number | null
}

/** The record of a cancellation; null for a visit that was never cancelled, or that predates the records. */
export async function readCancellation(
  db: Db,
  bookingNo: number,
): Promise<CancellationFacts | null> {
  const row = await findCancellation(db, bookingNo)
  if (row === undefined) return null
  return { by: row.by_kind, refundMinor: row.refund_minor, keptMinor: row.kept_minor }
}

type Visit = { no: number; id: string; start_at: number; sequence: number }

/**
 * Records permanently that another visit took place in the time of a cancelled one, and how much of
 * the fee is refunded for it, in minor units. In the transaction that creates the refund.
 */
export async function recordRefilled(
  ctx: Context,
  tx: Tx,
  { visit, ...money }: { visit: Visit; refundMinor: number; keptMinor: number },
): Promise<void> {
  await insertChange(tx.db, {
    booking_no: visit.no,
    at: ctx.now(),
    what: 'refilled',
    by_kind: 'system',
    by_id: null,
    sequence: visit.sequence,
    from_at: visit.start_at,
    refund_minor: money.refundMinor,
    kept_minor: money.keptMinor,
  })
  const details = { refund: money.refundMinor }
  await tx.audit.add({ action: 'visit.refilled', entity: visit.id, details })
}

/** Records permanently that staff corrected a visit's outcome, and why; only the reason can be blanked. */
export async function recordCorrected(
  ctx: Context,
  tx: Tx,
  corrected: { visit: Visit; by: string; outcome: string; why: string },
): Promise<void> {
  const { visit, by, outcome, why } = corrected
  await insertChange(tx.db, {
    booking_no: visit.no,
    at: ctx.now(),
    what: 'corrected',
    by_kind: 'staff',
    by_id: by,
    sequence: visit.sequence,
    from_at: visit.start_at,
    reason: outcome,
    note: why,
  })
  await tx.audit.add({ action: 'visit.corrected', entity: visit.id, details: { outcome } })
}
