import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { IdempotencyKeyRow } from '#db/tables.ts'

type KeyOf = Pick<IdempotencyKeyRow, 'account_no' | 'key_hash'>
type Attempt = KeyOf & Pick<IdempotencyKeyRow, 'lease_until'>

/** Claims a new key; false when it is already in use. */
export async function insertKey(db: Db, row: Omit<IdempotencyKeyRow, 'answer'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idempotency_keys')
    .values({ ...row, answer: null })
    .onConflict((oc) => oc.columns(['account_no', 'key_hash']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export function findKey(db: Db, key: KeyOf): Promise<IdempotencyKeyRow | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_no', '=', key.account_no)
    .where('key_hash', '=', key.key_hash)
    .executeTakeFirst()
}

/** Takes over a key that expired or whose worker died; false when another request was faster. */
export async function takeOverKey(
  db: Db,
  seen: Attempt,
  next: Pick<IdempotencyKeyRow, 'body_hash' | 'lease_until' | 'expires_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ ...next, answer: null })
    .where('account_no', '=', seen.account_no)
    .where('key_hash', '=', seen.key_hash)
    .where('lease_until', '=', seen.lease_until)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores the response of a request, unless another request has taken over the key. */
export async function setAnswer(db: Db, attempt: Attempt, answer: string): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer })
    .where('account_no', '=', attempt.account_no)
    .where('key_hash', '=', attempt.key_hash)
    .where('lease_until', '=', attempt.lease_until)
    .where('answer', 'is', null)
    .execute()
}

/** Releases the key of a request without a stored response. */
export async function deleteKey(db: Db, attempt: Attempt): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('account_no', '=', attempt.account_no)
    .where('key_hash', '=', attempt.key_hash)
    .where('lease_until', '=', attempt.lease_until)
    .where('answer', 'is', null)
    .execute()
}

/** Deletes expired keys. */
export async function deleteOldKeys(db: Db, now: Instant): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('expires_at', '<=', now).execute()
}

/** Deletes all keys of an account, by the account's public id. */
export async function deleteKeysOf(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('account_no', 'in', (eb) =>
      eb.selectFrom('accounts').select('no').where('id', '=', userId),
    )
    .execute()
}
