import type { Db } from '#db/engine.ts'
import type { VisitChangeRow } from '#db/tables/booking.ts'
import { findCancellation } from './changes-store.ts'

/** Who cancelled a visit, and what became of its money in minor units, null where it is not recorded. */
export type CancellationFacts = {
  by: VisitChangeRow['by_kind']
  refundMinor: number | null
  keptMinor: number | null
}

/** The record of a cancellation; null for a visit that was never cancelled, or before there were records. */
export async function readCancellation(
  db: Db,
  bookingNo: number,
): Promise<CancellationFacts | null> {
  const row = await findCancellation(db, bookingNo)
  if (row === undefined) return null
  return { by: row.by_kind, refundMinor: row.refund_minor, keptMinor: row.kept_minor }
}
