import type { Insertable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BusyTimeRow } from '#db/tables/availability.ts'

/** The stored busy times of a calendar, by start. */
export function listCalendarBusy(
  db: Db,
  calendarId: string,
): Promise<{ start: Instant; end: Instant }[]> {
  return db
    .selectFrom('busy_times')
    .select(['start_at as start', 'end_at as end'])
    .where('calendar_id', '=', calendarId)
    .orderBy('start_at')
    .execute()
}

export async function deleteCalendarBusy(db: Db, calendarId: string): Promise<void> {
  await db.deleteFrom('busy_times').where('calendar_id', '=', calendarId).execute()
}

const INSERT_BATCH_SIZE = 100

export async function insertBusy(db: Db, rows: readonly Insertable<BusyTimeRow>[]): Promise<void> {
  for (let from = 0; from < rows.length; from += INSERT_BATCH_SIZE) {
    await db
      .insertInto('busy_times')
      .values(rows.slice(from, from + INSERT_BATCH_SIZE))
      .execute()
  }
}

/** Deletes imported times by their keys, at most a batch of them; returns how many there were. */
export async function deleteBusyByKey(
  db: Db,
  providerNo: number,
  keys: readonly string[],
): Promise<number> {
  const deleted = await db
    .deleteFrom('busy_times')
    .where('provider_no', '=', providerNo)
    .where('key', 'in', keys)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

export async function deleteImportedBusy(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('busy_times').where('import_id', '=', importId).execute()
}

export async function deleteOldImported(db: Db, before: Instant): Promise<void> {
  await db
    .deleteFrom('busy_times')
    .where('source', '=', 'import')
    .where('end_at', '<', before)
    .execute()
}
