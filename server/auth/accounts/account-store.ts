import type { Insertable, Updateable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { AccountRow } from '#db/tables/auth.ts'
import type { AccountKind } from '#server/auth/rules.ts'

export type Account = Omit<AccountRow, 'no'> & { no: number }

/** The account of a kind with an address, unless it was erased. */
export function findByEmail(
  db: Db,
  kind: AccountKind,
  email: string,
): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('kind', '=', kind)
    .where('email', '=', email)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
}

/** The account with an address, of any kind: each demo account has a distinct address. */
export function findAnyByEmail(db: Db, email: string): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', email)
    .where('erased_at', 'is', null)
    .orderBy('no')
    .limit(1)
    .executeTakeFirst()
}

/** The account with a number; it must exist. */
export function getAccount(db: Db, no: number): Promise<Account> {
  return db.selectFrom('accounts').selectAll().where('no', '=', no).executeTakeFirstOrThrow()
}

/** An account by its `user_id`; erased ones too. */
export function findById(db: Db, id: string): Promise<Account | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Inserts an account and returns its number; a taken address is a unique violation. */
export async function insertAccount(db: Db, row: Insertable<AccountRow>): Promise<number> {
  const { no } = await db
    .insertInto('accounts')
    .values(row)
    .returning('no')
    .executeTakeFirstOrThrow()
  return no
}

/** Changes columns of an account. */
export async function updateAccount(
  db: Db,
  no: number,
  change: Updateable<AccountRow> & { updated_at: Instant },
): Promise<void> {
  await db.updateTable('accounts').set(change).where('no', '=', no).execute()
}

/**
 * Locks an account until the end of the transaction, so that anything ending its sessions runs before or
 * after. False when it was erased, or when its password is no longer the one that was proved.
 */
export async function lockAccount(db: Db, no: number, provedHash?: string): Promise<boolean> {
  let query = db
    .updateTable('accounts')
    .set((own) => ({ updated_at: own.ref('updated_at') }))
    .where('no', '=', no)
    .where('erased_at', 'is', null)
  if (provedHash !== undefined) query = query.where('password_hash', '=', provedHash)
  const result = await query.executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Records when the terms were accepted; false when they already had been. */
export async function setTermsAccepted(db: Db, no: number, now: Instant): Promise<boolean> {
  const result = await db
    .updateTable('accounts')
    .set({ terms_accepted_at: now, updated_at: now })
    .where('no', '=', no)
    .where('terms_accepted_at', '=', 0)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Uses up a first password; false when it has opened a session before. */
export async function useFirstPassword(db: Db, no: number, now: Instant): Promise<boolean> {
  const result = await db
    .updateTable('accounts')
    .set({ first_password_used_at: now })
    .where('no', '=', no)
    .where('first_password_used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Remembers the time step of an accepted code; false when this or a later one was accepted meanwhile. */
export async function advanceTotp(db: Db, no: number, step: number): Promise<boolean> {
  const result = await db
    .updateTable('accounts')
    .set({ totp_last_step: step })
    .where('no', '=', no)
    .where('totp_last_step', '<', step)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The provider an account belongs to, as far as the account's own pages need it. */
export function findProviderOf(db: Db, providerNo: number) {
  return db
    .selectFrom('providers')
    .select(['id', 'region', 'verification_status', 'photo'])
    .where('no', '=', providerNo)
    .executeTakeFirst()
}

/**
 * Changes the address messages to a provider go to, which is their sign-in address; a taken one is a unique
 * violation.
 */
export async function setProviderEmail(
  db: Db,
  providerNo: number,
  to: { email: string; now: Instant },
): Promise<void> {
  await db
    .updateTable('providers')
    .set({ email: to.email, updated_at: to.now })
    .where('no', '=', providerNo)
    .execute()
}

/** Replaces all recovery codes of an account with new ones, given as hashes. */
export async function replaceRecoveryCodes(db: Db, no: number, hashes: string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('account_no', '=', no).execute()
  if (hashes.length === 0) return
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ hash, account_no: no, used_at: null })))
    .execute()
}

/** Uses up a recovery code; false when it is not one of this account's, or was used before. */
export async function useRecoveryCode(
  db: Db,
  no: number,
  use: { hash: string; now: Instant },
): Promise<boolean> {
  const result = await db
    .updateTable('recovery_codes')
    .set({ used_at: use.now })
    .where('hash', '=', use.hash)
    .where('account_no', '=', no)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
