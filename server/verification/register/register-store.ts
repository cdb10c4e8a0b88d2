import type { ProfessionalBody } from '#contract/base/people.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { RegisterEntryRow } from '#db/tables/verification.ts'

/** The active list of a register, or undefined if none was imported. */
export function findCurrentLoad(db: Db, body: ProfessionalBody) {
  return db
    .selectFrom('register_loads')
    .select(['no', 'entries', 'finished_at'])
    .where('body', '=', body)
    .where('state', '=', 'current')
    .executeTakeFirst()
}

/** The entry of a number in a list, or undefined. */
export function findEntry(db: Db, loadNo: number, number: string) {
  return db
    .selectFrom('register_entries')
    .select(['registration_number', 'name', 'status_text'])
    .where('load_no', '=', loadNo)
    .where('registration_number', '=', number)
    .executeTakeFirst()
}

type NewLoad = { body: ProfessionalBody; source: string; now: Instant }

/** Starts an import; the list is not active yet. Returns its number. */
export async function insertLoad(db: Db, { body, source, now }: NewLoad): Promise<number> {
  const { no } = await db
    .insertInto('register_loads')
    .values({ body, source, state: 'loading', entries: 0, started_at: now, finished_at: null })
    .returning('no')
    .executeTakeFirstOrThrow()
  return no
}

/** Inserts entries and returns the new numbers; duplicates are ignored. */
export async function insertEntries(db: Db, rows: RegisterEntryRow[]): Promise<Set<string>> {
  const written = await db
    .insertInto('register_entries')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('registration_number')
    .execute()
  return new Set(written.map((row) => row.registration_number))
}

type Finished = { no: number; body: ProfessionalBody; entries: number; now: Instant }

/** Whether an import is still running: one that began later and has finished ends it. */
export async function isLoading(db: Db, no: number): Promise<boolean> {
  const row = await db
    .selectFrom('register_loads')
    .select('no')
    .where('no', '=', no)
    .where('state', '=', 'loading')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Activates a completely imported list in place of the previous one, and ends imports that began earlier and
 * are still running. Call in a transaction.
 */
export async function setCurrentLoad(db: Db, { no, body, entries, now }: Finished): Promise<void> {
  await db
    .updateTable('register_loads')
    .set({ state: 'old' })
    .where('body', '=', body)
    .where('state', '=', 'current')
    .execute()
  await db
    .updateTable('register_loads')
    .set({ state: 'old' })
    .where('body', '=', body)
    .where('state', '=', 'loading')
    .where('no', '<', no)
    .execute()
  await db
    .updateTable('register_loads')
    .set({ state: 'current', entries, finished_at: now })
    .where('no', '=', no)
    .execute()
}

/** Lists of a register that were replaced, and imports that were ended. */
export async function listOldLoads(db: Db, body: ProfessionalBody): Promise<number[]> {
  const rows = await db
    .selectFrom('register_loads')
    .select('no')
    .where('body', '=', body)
    .where('state', '=', 'old')
    .execute()
  return rows.map((row) => row.no)
}

/** Deletes some entries of a list; false if none were left, and then the list itself is deleted. */
export async function deleteSomeEntries(db: Db, loadNo: number, limit: number): Promise<boolean> {
  const some = db
    .selectFrom('register_entries')
    .select('registration_number')
    .where('load_no', '=', loadNo)
    .limit(limit)
  const deleted = await db
    .deleteFrom('register_entries')
    .where('load_no', '=', loadNo)
    .where('registration_number', 'in', some)
    .executeTakeFirst()
  if (deleted.numDeletedRows > 0n) return true
  await db.deleteFrom('register_loads').where('no', '=', loadNo).execute()
  return false
}
