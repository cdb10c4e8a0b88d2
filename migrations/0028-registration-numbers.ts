import type { Kysely } from 'kysely'

/** Staff see who else claims a registration number, and only one of them can be Verified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('providers_registration')
    .on('providers')
    .columns(['professional_body', 'membership_number'])
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('providers_registration').execute()
}
