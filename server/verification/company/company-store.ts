import type { Insertable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { CompanyClaimRow, CompanyDocumentRow } from '#db/tables/verification.ts'

/** The newest claim of a provider with its document, or undefined. */
export function findNewestClaim(db: Db, providerNo: number) {
  return db
    .selectFrom('company_claims as c')
    .innerJoin('company_documents as d', 'd.no', 'c.document_no')
    .select([
      'c.id',
      'c.state',
      'c.company_name',
      'c.registration_number',
      'c.address',
      'c.sent_at',
      'c.decided_at',
      'c.reason',
      'd.kind',
      'd.bytes',
    ])
    .where('c.provider_no', '=', providerNo)
    .orderBy('c.no', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Inserts a claim; unique violation if one is live, or if its document was already sent. */
export async function insertClaim(db: Db, row: Insertable<CompanyClaimRow>): Promise<void> {
  await db.insertInto('company_claims').values(row).execute()
}

export async function insertDocument(db: Db, row: Insertable<CompanyDocumentRow>): Promise<void> {
  await db.insertInto('company_documents').values(row).execute()
}

/** A document of this provider, or undefined, also for another provider's. */
export function findDocument(db: Db, providerNo: number, id: string) {
  return db
    .selectFrom('company_documents')
    .select('no')
    .where('provider_no', '=', providerNo)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Deletes old documents that belong to no claim, answer or proof, and returns their files. */
export async function deleteUnsent(db: Db, before: Instant): Promise<string[]> {
  const deleted = await db
    .deleteFrom('company_documents')
    .where('created_at', '<=', before)
    .where('no', 'not in', db.selectFrom('company_claims').select('document_no'))
    .where(
      'no',
      'not in',
      db
        .selectFrom('verification_requests')
        .select((eb) => eb.fn.coalesce('document_no', eb.lit(0)).as('document_no')),
    )
    .where(
      'no',
      'not in',
      db
        .selectFrom('registrant_proofs')
        .select((eb) => eb.fn.coalesce('document_no', eb.lit(0)).as('document_no')),
    )
    .returning('file')
    .execute()
  return deleted.map((row) => row.file)
}

/** Deletes a provider's companies and returns the files of their documents. */
export async function deleteCompaniesOf(db: Db, providerNo: number): Promise<string[]> {
  await db.deleteFrom('company_claims').where('provider_no', '=', providerNo).execute()
  const deleted = await db
    .deleteFrom('company_documents')
    .where('provider_no', '=', providerNo)
    .returning('file')
    .execute()
  return deleted.map((row) => row.file)
}
