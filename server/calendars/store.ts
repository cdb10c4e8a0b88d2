import type { Insertable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { CalendarFeedRow } from '#db/tables/calendars.ts'

/** Whether a session was ended, as by signing out everywhere. */
export async function hasEnded(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('ended_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an account is neither erased nor suspended. */
export async function isOpen(db: Db, accountNo: number): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('no')
    .where('no', '=', accountNo)
    .where('erased_at', 'is', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
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

/** Deletes a feed of an account; false when it has no such feed. */
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

/** Deletes the feeds of an erased account. */
export async function deleteFeedsOf(db: Db, userId: string): Promise<void> {
  const account = db
    .selectFrom('accounts')
    .select('no')
    .where('id', '=', userId)
    .where('erased_at', 'is not', null)
  await db.deleteFrom('calendar_feeds').where('account_no', 'in', account).execute()
}

/** The feed with a hash, unless its owner's account is erased or suspended. */
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

/** Writes when a feed was last read. */
export async function touchFeed(db: Db, id: string, now: Instant): Promise<void> {
  await db.updateTable('calendar_feeds').set({ last_read_at: now }).where('id', '=', id).execute()
}

/** A feed and its owner, to be emailed; undefined once either is gone. */
export function findWithOwner(db: Db, id: string) {
  return db
    .selectFrom('calendar_feeds as f')
    .innerJoin('accounts as a', 'a.no', 'f.account_no')
    .select(['f.name', 'f.shows_names', 'a.id as user_id', 'a.email', 'a.first_name', 'a.kind'])
    .where('f.id', '=', id)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
}
