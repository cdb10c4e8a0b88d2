import type { Context, Tx } from '#server/context.ts'
import { insertChange } from './changes-store.ts'

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
    to_at: null,
    reason: null,
    note: null,
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
    to_at: null,
    reason: outcome,
    note: why,
    refund_minor: null,
    kept_minor: null,
  })
  await tx.audit.add({ action: 'visit.corrected', entity: visit.id, details: { outcome } })
}
