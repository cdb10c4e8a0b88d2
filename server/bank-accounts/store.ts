import { type Insertable, PostgresAdapter, type Updateable } from 'kysely'
import { type Instant, toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { BankAccountRow } from '#db/tables/bank-accounts.ts'

export type Row = Omit<BankAccountRow, 'no'> & { no: number }

/** The provider behind an account, as far as their bank accounts need it. */
export function getOwner(db: Db, accountNo: number) {
  return db
    .selectFrom('accounts as a')
    .innerJoin('providers as p', 'p.no', 'a.provider_no')
    .select(['p.no', 'p.id', 'p.region', 'a.id as user_id'])
    .where('a.no', '=', accountNo)
    .executeTakeFirstOrThrow()
}

export type Owner = Awaited<ReturnType<typeof getOwner>>

/**
 * Makes whoever changes accounts of the same provider wait until this transaction ends, so that what is
 * counted stays so. On SQLite only one transaction writes anyway.
 */
export async function takeTurns(db: Db, providerNo: number): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  await db
    .selectFrom('providers')
    .select('no')
    .where('no', '=', providerNo)
    .forNoKeyUpdate()
    .execute()
}

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

/** Changes an account and returns it as it is then. */
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

/** Makes one account the primary one. The one before stops first: there may never be two. */
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

type Otherwise = { keyId: string; after: number; limit: number }

/** Accounts after a number that another key than this one sealed, with whom they belong to. */
export function listSealedOtherwise(db: Db, { keyId, after, limit }: Otherwise) {
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

/** Puts another seal on the same facts, unless they have changed meanwhile. */
export async function replaceSeal(db: Db, { no, before, sealed, keyId }: Resealed): Promise<void> {
  await db
    .updateTable('bank_accounts')
    .set({ sealed, key_id: keyId })
    .where('no', '=', no)
    .where('sealed', '=', before)
    .execute()
}

/** Where the owner of accounts is written to; undefined once they have erased theirs. */
export function findAddressee(db: Db, userId: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'first_name'])
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
}
