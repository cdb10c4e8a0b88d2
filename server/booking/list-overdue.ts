import type { Db } from '#db/engine.ts'
import { listOverdueHolds, type Overdue, type OverdueHold } from './overdue-store.ts'

/** Holds that are over and still occupy their time, the longest first, from behind `after` on. */
export function listOverdue(db: Db, overdue: Overdue): Promise<OverdueHold[]> {
  return listOverdueHolds(db, overdue)
}
