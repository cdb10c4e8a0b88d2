import { type Kysely, type SqlBool, sql } from 'kysely'
import { countingKey, isPostgres } from './dialect.ts'

/** Payments, refunds and the gateways' events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payments')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('booking_no', 'integer', (c) => c.notNull().references('bookings.no'))
    .addColumn('patient_no', 'integer', (c) => c.notNull().references('accounts.no'))
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('amount_minor', 'integer', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('visit_type', 'text', (c) => c.notNull())
    .addColumn('follow_up_basis', 'text')
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('gw_session', 'text')
    .addColumn('gw_payment', 'text')
    .addColumn('client_secret', 'text')
    .addColumn('reason', 'text')
    .addColumn('checked_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('payments_amount', sql`amount_minor > 0`)
    .addUniqueConstraint('payments_gw_session', ['gateway', 'gw_session'])
    .addUniqueConstraint('payments_gw_payment', ['gateway', 'gw_payment'])
    .execute()
  await db.schema
    .createIndex('payments_one_live')
    .unique()
    .on('payments')
    .columns(['booking_no'])
    .where(sql<SqlBool>`state in ('creating', 'open', 'capturing', 'paid')`)
    .execute()
  await db.schema.createIndex('payments_booking').on('payments').columns(['booking_no']).execute()
  await db.schema
    .createIndex('payments_checked')
    .on('payments')
    .columns(['state', 'checked_at'])
    .execute()
  await db.schema
    .createTable('refunds')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('payment_no', 'integer', (c) => c.notNull().references('payments.no'))
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('amount_minor', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('gw_refund', 'text')
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('next_try_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('refunds_amount', sql`amount_minor > 0`)
    .addUniqueConstraint('refunds_reason', ['payment_no', 'reason'])
    .execute()
  await db.schema
    .createIndex('refunds_due')
    .on('refunds')
    .columns(['state', 'next_try_at'])
    .execute()
  await db.schema
    .createTable('gateway_events')
    .addColumn('gateway', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('object', 'text')
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addColumn('processed_at', 'bigint')
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('gateway_events_key', ['gateway', 'id'])
    .execute()
  await db.schema
    .createIndex('gateway_events_due')
    .on('gateway_events')
    .columns(['received_at'])
    .where(sql<SqlBool>`processed_at is null`)
    .execute()
  await freezePrice(db)
}

/** What was agreed with the gateway stays: nobody can make a paid row say another price. */
async function freezePrice(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`create function payments_price_is_fixed() returns trigger language plpgsql as $$
      begin raise exception 'the price of a payment is fixed'; end $$`.execute(db)
    await sql`create trigger payments_price before update on payments for each row
      when (old.amount_minor <> new.amount_minor or old.currency <> new.currency
        or old.gateway <> new.gateway or old.booking_no <> new.booking_no)
      execute function payments_price_is_fixed()`.execute(db)
    return
  }
  await sql`create trigger payments_price before update on payments
    when old.amount_minor <> new.amount_minor or old.currency <> new.currency
      or old.gateway <> new.gateway or old.booking_no <> new.booking_no
    begin select raise(abort, 'the price of a payment is fixed'); end`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('gateway_events').execute()
  await db.schema.dropTable('refunds').execute()
  await db.schema.dropTable('payments').execute()
  if (isPostgres(db)) await sql`drop function payments_price_is_fixed()`.execute(db)
}
