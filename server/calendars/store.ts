import { type Insertable, PostgresAdapter } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { CalendarFeedRow } from '#db/tables/calendars.ts'

/** Makes whoever changes the feeds of the same account wait until this transaction ends. */
export async function holdAccount(db: Db, accountNo: number): Promise<void> {
  // SQLite has one writer anyway.
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  await db.selectFrom('accounts').select('no').where('no', '=', accountNo).forUpdate().execute()
}

/** The feeds of an account, the newest first. */
export function listFeeds(db: Db, accountNo: number) {
  return db
    .selectFrom('calendar_feeds')
    .selectAll()
    .where('account_no', '=', accountNo)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function insertFeed(db: Db, row: Insertable<CalendarFeedRow>) {
  return db.insertInto('calendar_feeds').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Ends a feed of an account; false when it has no such feed. */
export async function deleteFeed(
  db: Db,
  which: { accountNo: number; id: string },
): Promise<boolean> {
  const result = await db
    .deleteFrom('calendar_feeds')
    .where('id', '=', which.id)
    .where('account_no', '=', which.accountNo)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Forgets the feeds of an erased account. */
export async function deleteFeedsOf(db: Db, userId: string): Promise<void> {
  const account = db
    .selectFrom('accounts')
    .select('no')
    .where('id', '=', userId)
    .where('erased_at', 'is not', null)
  await db.deleteFrom('calendar_feeds').where('account_no', 'in', account).execute()
}

/** The feed with a hash, while its owner has an account that is not suspended. */
export function findByHash(db: Db, hash: string) {
  return db
    .selectFrom('calendar_feeds as f')
    .innerJoin('accounts as a', 'a.no', 'f.account_no')
    .select(['f.id', 'f.account_no', 'f.shows_names', 'f.last_read_at', 'a.kind', 'a.provider_no'])
    .where('f.hash', '=', hash)
    .where('a.erased_at', 'is', null)
    .where('a.suspended_at', 'is', null)
    .executeTakeFirst()
}

export type OpenFeed = NonNullable<Awaited<ReturnType<typeof findByHash>>>

/** Writes down that a feed was read. */
export async function touchFeed(db: Db, id: string, now: Instant): Promise<void> {
  await db.updateTable('calendar_feeds').set({ last_read_at: now }).where('id', '=', id).execute()
}

/** A feed and whom to tell about it; undefined once either is gone. */
export function findWithOwner(db: Db, id: string) {
  return db
    .selectFrom('calendar_feeds as f')
    .innerJoin('accounts as a', 'a.no', 'f.account_no')
    .select(['f.name', 'f.shows_names', 'a.id as user_id', 'a.email', 'a.first_name', 'a.kind'])
    .where('f.id', '=', id)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
}
