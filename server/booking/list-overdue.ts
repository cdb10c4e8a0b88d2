import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { listOverdueHolds } from './store.ts'

/** Holds that are over and still occupy their time, the longest first. */
export function listOverdue(
  db: Db,
  now: Instant,
  limit: number,
): Promise<{ no: number; id: string }[]> {
  return listOverdueHolds(db, now, limit)
}
