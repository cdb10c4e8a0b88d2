import { type Kysely, sql } from 'kysely'

/**
 * What a payment needs to survive clocks and lost answers: until when a visit may be paid for, the very
 * request that opens it, why a refund was refused and under which key it is sent, and what a gateway
 * says of a difference.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bookings')
    .addColumn('pay_by', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update bookings set pay_by = start_at`.execute(db)
  await db.schema.alterTable('payments').addColumn('request', 'text').execute()
  await db.schema.alterTable('refunds').addColumn('failure', 'text').execute()
  await db.schema
    .alterTable('refunds')
    .addColumn('key_round', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('payment_differences').addColumn('details', 'text').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payment_differences').dropColumn('details').execute()
  await db.schema.alterTable('refunds').dropColumn('key_round').execute()
  await db.schema.alterTable('refunds').dropColumn('failure').execute()
  await db.schema.alterTable('payments').dropColumn('request').execute()
  await db.schema.alterTable('bookings').dropColumn('pay_by').execute()
}
