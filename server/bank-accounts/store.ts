import type { Insertable, Updateable } from 'kysely'
import { type Instant, toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BankAccountRow } from '#db/tables/payments.ts'

export type Row = Omit<BankAccountRow, 'no'> & { no: number }

/** The columns of an account's provider that bank accounts need. */
export function getOwner(db: Db, accountNo: number) {
  return db
    .selectFrom('accounts as a')
    .innerJoin('providers as p', 'p.no', 'a.provider_no')
    .select(['p.no', 'p.id', 'p.region', 'a.id as user_id'])
    .where('a.no', '=', accountNo)
    .executeTakeFirstOrThrow()
}

export type Owner = Awaited<ReturnType<typeof getOwner>>

/** A provider's accounts: the primary one first, then in the order they were added. */
export function listOf(db: Db, providerNo: number): Promise<Row[]> {
  return db
    .selectFrom('bank_accounts')
    .selectAll()
    .where('provider_no', '=', providerNo)
    .orderBy('is_primary', 'desc')
    .orderBy('no')
    .execute()
}

export function insertRow(db: Db, row: Insertable<BankAccountRow>): Promise<Row> {
  return db.insertInto('bank_accounts').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes an account and returns the new row. */
export function updateRow(
  db: Db,
  no: number,
  change: Updateable<BankAccountRow> & { updated_at: Instant },
): Promise<Row> {
  return db
    .updateTable('bank_accounts')
    .set(change)
    .where('no', '=', no)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes one account the primary one. The old one is unset first: there may never be two. */
export async function setPrimary(
  db: Db,
  { providerNo, no, now }: { providerNo: number; no: number; now: Instant },
): Promise<void> {
  await db
    .updateTable('bank_accounts')
    .set({ is_primary: toFlag(false), updated_at: now })
    .where('provider_no', '=', providerNo)
    .where('is_primary', '=', toFlag(true))
    .execute()
  await db
    .updateTable('bank_accounts')
    .set({ is_primary: toFlag(true), updated_at: now })
    .where('no', '=', no)
    .execute()
}

export async function deleteRow(db: Db, no: number): Promise<void> {
  await db.deleteFrom('bank_accounts').where('no', '=', no).execute()
}

export async function deleteAllOf(db: Db, providerNo: number): Promise<void> {
  await db.deleteFrom('bank_accounts').where('provider_no', '=', providerNo).execute()
}

type OldKeyQuery = { keyId: string; after: number; limit: number }

/** Accounts above a number that were sealed with another key, with their owners. */
export function listSealedWithOldKeys(db: Db, { keyId, after, limit }: OldKeyQuery) {
  return db
    .selectFrom('bank_accounts as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .select(['b.no', 'b.id', 'b.sealed', 'b.key_id', 'p.id as provider_id'])
    .where('b.key_id', '<>', keyId)
    .where('b.no', '>', after)
    .orderBy('b.no')
    .limit(limit)
    .execute()
}

type Resealed = { no: number; before: string; sealed: string; keyId: string }

/** Replaces the seal of unchanged facts; does nothing when they have changed meanwhile. */
export async function replaceSeal(db: Db, { no, before, sealed, keyId }: Resealed): Promise<void> {
  await db
    .updateTable('bank_accounts')
    .set({ sealed, key_id: keyId })
    .where('no', '=', no)
    .where('sealed', '=', before)
    .execute()
}

/** The email recipient for an account's owner; undefined once they have erased their account. */
export function findAddressee(db: Db, userId: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'first_name'])
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
}
