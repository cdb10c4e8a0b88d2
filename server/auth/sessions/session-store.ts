import type { Insertable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { EndReason, SessionRow, TokenRow } from '#db/tables/auth.ts'

/** The session of an access token, with the facts of its account that every request needs. */
export function findByAccess(db: Db, hash: string, now: Instant) {
  return db
    .selectFrom('tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('accounts as a', 'a.no', 's.account_no')
    .leftJoin('providers as p', 'p.no', 'a.provider_no')
    .select([
      's.id as session_id',
      's.last_used_at',
      's.expires_at',
      's.ended_at',
      's.stepped_up_until',
      'a.no as account_no',
      'a.id as user_id',
      'a.kind',
      'a.role',
      'a.totp_confirmed_at',
      'a.must_change_password',
      'p.id as provider_id',
    ])
    .where('t.hash', '=', hash)
    .where('t.kind', '=', 'access')
    .where('t.expires_at', '>', now)
    .where('a.suspended_at', 'is', null)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
}

/** The session a refresh token belongs to, whether it is the newest of its family or not. */
export function findByRefresh(db: Db, hash: string) {
  return db
    .selectFrom('tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('accounts as a', 'a.no', 's.account_no')
    .select([
      't.generation as token_generation',
      's.id as session_id',
      's.last_used_at',
      's.expires_at',
      's.ended_at',
      'a.no as account_no',
      'a.id as user_id',
      'a.kind',
      'a.suspended_at',
    ])
    .where('t.hash', '=', hash)
    .where('t.kind', '=', 'refresh')
    .executeTakeFirst()
}

/** Status of the session of a refresh token, live or ended, with the account's current role. */
export function findSessionStatus(db: Db, hash: string) {
  return db
    .selectFrom('tokens as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('accounts as a', 'a.no', 's.account_no')
    .select([
      's.last_used_at',
      's.expires_at',
      's.ended_at',
      's.end_reason',
      'a.kind',
      'a.role',
      'a.suspended_at',
      'a.erased_at',
    ])
    .where('t.hash', '=', hash)
    .where('t.kind', '=', 'refresh')
    .executeTakeFirst()
}

/** The current state of a token family. */
export function getFamily(db: Db, id: string) {
  return db
    .selectFrom('sessions')
    .select(['generation', 'rotated_at', 'ended_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/**
 * Moves a family from one generation to the next. Of concurrent calls exactly one succeeds; on Postgres the
 * others wait here for its commit.
 */
export async function advanceFamily(
  db: Db,
  id: string,
  step: { from: number; now: Instant; usedAt: Instant },
): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set({ generation: step.from + 1, rotated_at: step.now, last_used_at: step.usedAt })
    .where('id', '=', id)
    .where('generation', '=', step.from)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function insertSession(db: Db, row: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(row).execute()
}

export async function insertTokens(db: Db, rows: Insertable<TokenRow>[]): Promise<void> {
  await db.insertInto('tokens').values(rows).execute()
}

/** Records that a session is in use. */
export async function touchSession(db: Db, id: string, now: Instant): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where('last_used_at', '<', now)
    .execute()
}

export async function setSteppedUp(db: Db, id: string, until: Instant): Promise<void> {
  await db.updateTable('sessions').set({ stepped_up_until: until }).where('id', '=', id).execute()
}

type Ending = { reason: EndReason; now: Instant }

/** Ends one session of an account; false when it has no such session, or it has already ended. */
export async function endSessionOf(
  db: Db,
  which: { accountNo: number; id: string },
  { reason, now }: Ending,
): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set({ ended_at: now, end_reason: reason })
    .where('id', '=', which.id)
    .where('account_no', '=', which.accountNo)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Ends every session of an account, except one if named, and returns their number. */
export async function endAllOf(
  db: Db,
  accountNo: number,
  { reason, now, except }: Ending & { except: string | null },
): Promise<number> {
  const result = await db
    .updateTable('sessions')
    .set({ ended_at: now, end_reason: reason })
    .where('account_no', '=', accountNo)
    .where('ended_at', 'is', null)
    .$if(except !== null, (query) => query.where('id', '!=', except ?? ''))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Deletes every calendar link of an account and returns their number. */
export async function deleteCalendarLinks(db: Db, accountNo: number): Promise<number> {
  const result = await db
    .deleteFrom('calendar_feeds')
    .where('account_no', '=', accountNo)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Live sessions of an account at an instant, newest first. */
export function listLive(db: Db, accountNo: number, since: { now: Instant; usedAfter: Instant }) {
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'network', 'created_at', 'last_used_at'])
    .where('account_no', '=', accountNo)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', since.now)
    .where('last_used_at', '>=', since.usedAfter)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Clears the device and network of an account's sessions. */
export async function clearDevices(db: Db, accountNo: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ device: '', network: '' })
    .where('account_no', '=', accountNo)
    .execute()
}

/** Deletes tokens that can no longer be used, and sessions a month after their end. */
export async function deleteExpired(db: Db, now: Instant, sessionsBefore: Instant): Promise<void> {
  await db.deleteFrom('tokens').where('expires_at', '<', now).execute()
  const over = db.selectFrom('sessions').select('id').where('expires_at', '<', sessionsBefore)
  await db.deleteFrom('tokens').where('session_id', 'in', over).execute()
  await db.deleteFrom('sessions').where('expires_at', '<', sessionsBefore).execute()
}
