import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { CodeRow, LinkRow } from '#db/tables/auth.ts'

type Purpose = LinkRow['purpose']

export async function insertLink(db: Db, row: LinkRow): Promise<void> {
  await db.insertInto('links').values(row).execute()
}

/** A link that still works, or undefined. */
export function findLink(db: Db, hash: string, at: { purposes: Purpose[]; now: Instant }) {
  return db
    .selectFrom('links')
    .selectAll()
    .where('hash', '=', hash)
    .where('purpose', 'in', at.purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at.now)
    .executeTakeFirst()
}

/** Whether an account has a link to a new password that still works. */
export async function hasWorkingLink(db: Db, accountNo: number, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('links')
    .select('hash')
    .where('account_no', '=', accountNo)
    .where('purpose', '=', 'reset_password')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Uses up a link; false when a concurrent request just did. */
export async function useLink(db: Db, hash: string, now: Instant): Promise<boolean> {
  const result = await db
    .updateTable('links')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Voids the other links of an account. */
export async function voidLinks(
  db: Db,
  accountNo: number,
  which: { purposes: Purpose[]; now: Instant },
): Promise<void> {
  await db
    .updateTable('links')
    .set({ used_at: which.now })
    .where('account_no', '=', accountNo)
    .where('purpose', 'in', which.purposes)
    .where('used_at', 'is', null)
    .execute()
}

export async function deleteLinksOf(db: Db, accountNo: number): Promise<void> {
  await db.deleteFrom('links').where('account_no', '=', accountNo).execute()
}

export async function insertCode(db: Db, row: CodeRow): Promise<void> {
  await db.insertInto('codes').values(row).execute()
}

/** What a code is for; it is valid for nothing else. */
export type Bound = { accountNo: number; purpose: string; object: string }

/** The newest code of a person, purpose and object, whatever its state. */
export function findNewestCode(db: Db, bound: Bound) {
  return db
    .selectFrom('codes')
    .selectAll()
    .where('account_no', '=', bound.accountNo)
    .where('purpose', '=', bound.purpose)
    .where('object', '=', bound.object)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** When a person was last sent a code for a purpose. */
export async function findLastSent(
  db: Db,
  accountNo: number,
  purpose: string,
): Promise<Instant | null> {
  const row = await db
    .selectFrom('codes')
    .select('created_at')
    .where('account_no', '=', accountNo)
    .where('purpose', '=', purpose)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? null
}

/** Voids the one-time codes of an account, verified or not. */
export async function voidCodes(db: Db, accountNo: number, now: Instant): Promise<void> {
  await db
    .updateTable('codes')
    .set({ used_at: now, expires_at: now })
    .where('account_no', '=', accountNo)
    .where('used_at', 'is', null)
    .execute()
}

/** Counts one more attempt; false when the code has none left, or was verified already. */
export async function countAttempt(db: Db, id: string, max: number): Promise<boolean> {
  const result = await db
    .updateTable('codes')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .where('tries', '<', max)
    .where('verified_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Marks a code as verified; of concurrent calls exactly one succeeds. */
export async function setVerified(db: Db, id: string, now: Instant): Promise<boolean> {
  const result = await db
    .updateTable('codes')
    .set({ verified_at: now })
    .where('id', '=', id)
    .where('verified_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Uses up a verified code; of concurrent calls exactly one succeeds. */
export async function setUsed(db: Db, id: string, now: Instant): Promise<boolean> {
  const result = await db
    .updateTable('codes')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The newest verified and unused code of a person, purpose and object since an instant. */
export function findVerifiedCode(db: Db, bound: Bound, since: Instant) {
  return db
    .selectFrom('codes')
    .select(['id', 'verified_at'])
    .where('account_no', '=', bound.accountNo)
    .where('purpose', '=', bound.purpose)
    .where('object', '=', bound.object)
    .where('verified_at', '>', since)
    .where('used_at', 'is', null)
    .orderBy('verified_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The verified and unused codes of a person and purpose since an instant, for an object or for none. */
export function listVerifiedCodes(
  db: Db,
  { accountNo, purpose, object, since }: Bound & { since: Instant },
) {
  return db
    .selectFrom('codes')
    .select('id')
    .where('account_no', '=', accountNo)
    .where('purpose', '=', purpose)
    .where('object', 'in', [object, ''])
    .where('verified_at', '>', since)
    .where('used_at', 'is', null)
    .execute()
}

/** Deletes links and codes that ended before an instant. */
export async function deleteOldLinks(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('links').where('expires_at', '<', before).execute()
  await db.deleteFrom('codes').where('expires_at', '<', before).execute()
}
