import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

type Slot = { key: string; slice: number; expiresAt: Instant; oldest: number }

function addOne(db: Db, { key, slice, expiresAt }: Omit<Slot, 'oldest'>) {
  return db
    .insertInto('attempts')
    .values({ key, slice, count: 1, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .columns(['key', 'slice'])
        .doUpdateSet(({ eb }) => ({ count: eb('attempts.count', '+', 1) })),
    )
    .execute()
}

function listSlices(db: Db, { key, oldest }: Pick<Slot, 'key' | 'oldest'>) {
  return db
    .selectFrom('attempts')
    .select(['slice', 'count'])
    .where('key', '=', key)
    .where('slice', '>=', oldest)
    .execute()
}

/**
 * Adds one to a slice and returns all slices from `oldest` on, including this one. Concurrent transactions
 * that count in the same slice wait for each other, so neither misses the other.
 */
export async function countAttempt(db: Db, slot: Slot) {
  const { oldest, ...mine } = slot
  await addOne(db, mine)
  return listSlices(db, { key: slot.key, oldest })
}

/** Subtracts one from the newest slice with a count. */
export async function uncountAttempt(db: Db, key: string): Promise<void> {
  const newest = await db
    .selectFrom('attempts')
    .select('slice')
    .where('key', '=', key)
    .where('count', '>', 0)
    .orderBy('slice', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest === undefined) return
  await db
    .updateTable('attempts')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('key', '=', key)
    .where('slice', '=', newest.slice)
    .where('count', '>', 0)
    .execute()
}

/** Stores a row that only marks an expiry time. */
export async function saveExpiry(db: Db, key: string, until: Instant): Promise<void> {
  const row = { key, slice: until, count: 1, expires_at: until }
  await db
    .insertInto('attempts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['key', 'slice']).doNothing())
    .execute()
}

/** The latest future expiry time of such rows; null without one. */
export async function findExpiry(db: Db, key: string, now: Instant): Promise<Instant | null> {
  const row = await db
    .selectFrom('attempts')
    .select('expires_at')
    .where('key', '=', key)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.expires_at ?? null
}

/** Deletes attempts that no longer count. */
export async function deleteOldAttempts(db: Db, now: Instant): Promise<void> {
  await db.deleteFrom('attempts').where('expires_at', '<', now).execute()
}
