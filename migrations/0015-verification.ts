import { type Kysely, type SqlBool, sql } from 'kysely'
import { clusteredByKey, countingKey } from './dialect.ts'

/** Professional registers, what came of comparing with them, and the companies providers name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createRegisters(db)
  await createStandings(db)
  await createCompanies(db)
}

async function createRegisters(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('register_loads')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('entries', 'integer', (c) => c.notNull())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('finished_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('register_loads_current')
    .unique()
    .on('register_loads')
    .columns(['body'])
    .where(sql<SqlBool>`state = 'current'`)
    .execute()
  await db.schema
    .createTable('register_entries')
    .addColumn('load_no', 'integer', (c) => c.notNull().references('register_loads.no'))
    .addColumn('registration_number', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('status_text', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('register_entries_key', ['load_no', 'registration_number'])
    .modifyEnd(clusteredByKey(db))
    .execute()
}

async function createStandings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('verification_checks')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor_kind', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('claimed_number', 'text', (c) => c.notNull())
    .addColumn('claimed_name', 'text', (c) => c.notNull())
    .addColumn('answer_number', 'text')
    .addColumn('answer_name', 'text')
    .addColumn('standing', 'text')
    .addColumn('status_text', 'text')
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('differences', 'text', (c) => c.notNull())
    .addColumn('decision', 'text')
    .addColumn('reason', 'text')
    .execute()
  await db.schema
    .createIndex('verification_checks_provider')
    .on('verification_checks')
    .columns(['provider_no', 'at'])
    .execute()
  await db.schema
    .createTable('provider_standings')
    .addColumn('provider_no', 'integer', (c) => c.primaryKey().references('providers.no'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('is_match', 'integer', (c) => c.notNull())
    .addColumn('asked_at', 'bigint', (c) => c.notNull())
    .addColumn('checked_at', 'bigint')
    .addColumn('due_at', 'bigint')
    .addColumn('doubt_since', 'bigint')
    .execute()
  await db.schema
    .createIndex('provider_standings_queue')
    .on('provider_standings')
    .columns(['state', 'is_match', 'asked_at'])
    .execute()
  await db.schema
    .createIndex('provider_standings_due')
    .on('provider_standings')
    .columns(['due_at'])
    .where(sql<SqlBool>`due_at is not null`)
    .execute()
}

async function createCompanies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('company_documents')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('file', 'text', (c) => c.notNull().unique())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('company_documents_provider')
    .on('company_documents')
    .columns(['provider_no'])
    .execute()
  await db.schema
    .createTable('company_claims')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('document_no', 'integer', (c) =>
      c.notNull().unique().references('company_documents.no'),
    )
    .addColumn('company_name', 'text', (c) => c.notNull())
    .addColumn('registration_number', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('sent_at', 'bigint', (c) => c.notNull())
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'text')
    .execute()
  // The refused ones stay as evidence beside it.
  await db.schema
    .createIndex('company_claims_one_live')
    .unique()
    .on('company_claims')
    .columns(['provider_no'])
    .where(sql<SqlBool>`state in ('in_review', 'accepted')`)
    .execute()
  await db.schema
    .createIndex('company_claims_queue')
    .on('company_claims')
    .columns(['state', 'sent_at'])
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'company_claims',
    'company_documents',
    'provider_standings',
    'verification_checks',
    'register_entries',
    'register_loads',
  ]) {
    await db.schema.dropTable(table).execute()
  }
}
