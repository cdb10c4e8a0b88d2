import { type Kysely, type SqlBool, sql } from 'kysely'
import { countingKey } from './dialect.ts'

/** What shows that the person of an account is who the register names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('registrant_proofs')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('claimed_number', 'text', (c) => c.notNull())
    .addColumn('claimed_name', 'text', (c) => c.notNull())
    .addColumn('document_no', 'integer', (c) => c.references('company_documents.no'))
    .addColumn('email', 'text')
    .addColumn('source', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text')
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'text')
    .addColumn('reason', 'text')
    .addCheckConstraint(
      'registrant_proofs_kind',
      sql`(kind = 'document' and document_no is not null and email is null and source is null)
        or (kind = 'code' and document_no is null and email is not null and source is not null)`,
    )
    .addCheckConstraint(
      'registrant_proofs_state',
      sql`state in ('waiting', 'accepted', 'refused', 'replaced')`,
    )
    .addCheckConstraint(
      'registrant_proofs_decided',
      sql`(state = 'waiting') = (decided_at is null)`,
    )
    .execute()
  await db.schema
    .createIndex('registrant_proofs_provider')
    .on('registrant_proofs')
    .columns(['provider_no', 'state'])
    .execute()
  // One of a kind waits at most, whoever sends two at once.
  await db.schema
    .createIndex('registrant_proofs_waiting')
    .unique()
    .on('registrant_proofs')
    .columns(['provider_no', 'kind'])
    .where(sql<SqlBool>`state = 'waiting'`)
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('registrant_proofs').execute()
}
