import type { Kysely } from 'kysely'

/**
 * The account that had a contact message's address and has changed it since; null while nobody has. Nothing tells
 * whose the messages from before this are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('contact_messages').addColumn('user_id', 'text').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('contact_messages').dropColumn('user_id').execute()
}
