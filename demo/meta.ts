import type { Database, Db } from '#db/engine.ts'

/** A value of this database from app_meta, or undefined. */
export async function readMeta(db: Db, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('app_meta')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value
}

/** Inserts or updates a value. */
export async function writeMeta(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto('app_meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/**
 * Claims a key that only one process may have, inside a transaction. A second process waits here until the
 * first commits, and then gets false.
 */
export async function claimMeta(db: Db, key: string, value: string): Promise<boolean> {
  const taken = await db
    .insertInto('app_meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .execute()
  return taken.length === 1
}

/**
 * Does a part of the demo once: the key marks it as done, in the transaction of `work`. Returns whether this
 * call did it.
 */
export async function seedOnce(
  database: Database,
  key: string,
  work: (db: Db) => Promise<void>,
): Promise<boolean> {
  if ((await readMeta(database.db, key)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, key, '1'))) return false
    await work(db)
    return true
  })
}

/**
 * Replaces a value if it is still the one that was read (compare and swap); the loser of a race gets false.
 */
export async function swapMeta(
  db: Db,
  key: string,
  change: { from: string; to: string },
): Promise<boolean> {
  const result = await db
    .updateTable('app_meta')
    .set({ value: change.to })
    .where('key', '=', key)
    .where('value', '=', change.from)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
