import type { Insertable, Updateable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { VisitTypeRow } from '#db/tables/visit-types.ts'

export async function insertVisitType(db: Db, row: Insertable<VisitTypeRow>): Promise<void> {
  await db.insertInto('visit_types').values(row).execute()
}

export async function updateVisitType(
  db: Db,
  no: number,
  change: Updateable<VisitTypeRow>,
): Promise<void> {
  await db.updateTable('visit_types').set(change).where('no', '=', no).execute()
}

/** Archives the types that are offered at one place only. */
export async function archiveTypesAt(db: Db, placeNo: number, now: Instant): Promise<void> {
  await db
    .updateTable('visit_types')
    .set({ archived_at: now })
    .where('place_no', '=', placeNo)
    .where('archived_at', 'is', null)
    .execute()
}
