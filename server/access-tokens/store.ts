import type { Insertable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { isPostgres } from '#db/run-sql.ts'
import type { AccessTokenRow, TokenEnd } from '#db/tables/auth.ts'

/** The token with a hash, valid or not, and the account facts each request needs. */
export function findByHash(db: Db, hash: string) {
  return db
    .selectFrom('access_tokens as t')
    .innerJoin('accounts as a', 'a.no', 't.account_no')
    .leftJoin('providers as p', 'p.no', 'a.provider_no')
    .select([
      't.id',
      't.scopes',
      't.role',
      't.expires_at',
      't.ended_at',
      't.last_used_at',
      't.last_network',
      'a.no as account_no',
      'a.id as user_id',
      'a.kind',
      'a.role as owner_role',
      'a.suspended_at',
      'a.erased_at',
      'a.totp_confirmed_at',
      'a.must_change_password',
      'p.id as provider_id',
    ])
    .where('t.hash', '=', hash)
    .executeTakeFirst()
}

/**
 * Locks the account against concurrent token creation, so that the token limit holds, and the session against being
 * ended, so that a token is created either before all tokens end or not at all. Returns the role of the account;
 * undefined when the session has ended. SQLite needs no lock, because only one transaction writes at a time.
 */
export function lockOwner(db: Db, by: { accountNo: number; sessionId: string }) {
  return db
    .selectFrom('accounts as a')
    .innerJoin('sessions as s', 's.account_no', 'a.no')
    .select('a.role')
    .where('a.no', '=', by.accountNo)
    .where('a.erased_at', 'is', null)
    .where('s.id', '=', by.sessionId)
    .where('s.ended_at', 'is', null)
    .$if(isPostgres(db), (owner) => owner.forNoKeyUpdate('a').forShare('s'))
    .executeTakeFirst()
}

/** Tokens of an account that were not ended and expire after `expiredAfter`, newest first. */
export function listOf(db: Db, accountNo: number, expiredAfter: Instant) {
  return db
    .selectFrom('access_tokens')
    .selectAll()
    .where('account_no', '=', accountNo)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', expiredAfter)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Every stored token of an account, including ended ones. */
export function listAllOf(db: Db, accountNo: number) {
  return db
    .selectFrom('access_tokens')
    .select([
      'id',
      'name',
      'last4',
      'scopes',
      'created_at',
      'expires_at',
      'last_used_at',
      'last_network',
      'ended_at',
      'end_reason',
    ])
    .where('account_no', '=', accountNo)
    .orderBy('created_at')
    .execute()
}

export function insertRow(db: Db, row: Insertable<AccessTokenRow>) {
  return db.insertInto('access_tokens').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Records a use of a token. */
export async function touchRow(
  db: Db,
  id: string,
  use: { now: Instant; network: string },
): Promise<void> {
  await db
    .updateTable('access_tokens')
    .set({ last_used_at: use.now, last_network: use.network })
    .where('id', '=', id)
    .execute()
}

type Ending = { reason: TokenEnd; now: Instant }

/** Ends one token of an account; false when there is none or it has already ended. */
export async function endOne(
  db: Db,
  which: { accountNo: number; id: string },
  { reason, now }: Ending,
): Promise<boolean> {
  const result = await db
    .updateTable('access_tokens')
    .set({ ended_at: now, end_reason: reason })
    .where('id', '=', which.id)
    .where('account_no', '=', which.accountNo)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Ends every active token of an account and returns how many there were. */
export async function endAll(db: Db, accountNo: number, { reason, now }: Ending): Promise<number> {
  const result = await db
    .updateTable('access_tokens')
    .set({ ended_at: now, end_reason: reason })
    .where('account_no', '=', accountNo)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function deleteAllOf(db: Db, accountNo: number): Promise<void> {
  await db.deleteFrom('access_tokens').where('account_no', '=', accountNo).execute()
}

/** Deletes tokens that expired or ended before an instant. */
export async function deleteOld(db: Db, before: Instant): Promise<void> {
  await db
    .deleteFrom('access_tokens')
    .where((where) => where.or([where('expires_at', '<', before), where('ended_at', '<', before)]))
    .execute()
}

/** A token with its owner; undefined when the token or the account is gone. */
export function findWithOwner(db: Db, id: string) {
  return db
    .selectFrom('access_tokens as t')
    .innerJoin('accounts as a', 'a.no', 't.account_no')
    .select(['t.name', 't.scopes', 't.expires_at', 'a.id as user_id', 'a.email', 'a.first_name'])
    .where('t.id', '=', id)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
}
