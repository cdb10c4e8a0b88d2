import type { Kysely } from 'kysely'
import { clusteredByKey, countingKey } from './dialect.ts'

/** Accounts, sessions, links, one-time codes and consent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('first_name', 'text', (c) => c.notNull())
    .addColumn('last_name', 'text', (c) => c.notNull())
    .addColumn('phone_number', 'text', (c) => c.notNull())
    .addColumn('date_of_birth', 'text')
    .addColumn('profile_image', 'text')
    .addColumn('provider_no', 'integer', (c) => c.references('providers.no'))
    .addColumn('role', 'text')
    .addColumn('email_verified_at', 'bigint')
    .addColumn('suspended_at', 'bigint')
    .addColumn('erased_at', 'bigint')
    .addColumn('totp_secret', 'text')
    .addColumn('totp_pending', 'text')
    .addColumn('totp_confirmed_at', 'bigint')
    .addColumn('totp_last_step', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('must_change_password', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('default_radius', 'integer', (c) => c.notNull().defaultTo(10))
    .addColumn('terms_accepted_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('accounts_kind_email', ['kind', 'email'])
    .execute()
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_no', 'integer', (c) => c.notNull().references('accounts.no'))
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('network', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('end_reason', 'text')
    .addColumn('stepped_up_until', 'bigint')
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('rotated_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('sessions_account')
    .on('sessions')
    .columns(['account_no', 'ended_at'])
    .execute()
  await db.schema
    .createTable('tokens')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('session_id', 'text', (c) => c.notNull().references('sessions.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('tokens_expiry').on('tokens').columns(['expires_at']).execute()
  await db.schema.createIndex('tokens_session').on('tokens').columns(['session_id']).execute()
  await db.schema
    .createTable('links')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('account_no', 'integer', (c) => c.notNull().references('accounts.no'))
    .addColumn('email', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema.createIndex('links_account').on('links').columns(['account_no']).execute()
  await db.schema
    .createTable('codes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_no', 'integer', (c) => c.notNull().references('accounts.no'))
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('object', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('verified_at', 'bigint')
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('codes_live')
    .on('codes')
    .columns(['account_no', 'purpose', 'object', 'created_at'])
    .execute()
  await db.schema
    .createTable('attempts')
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('slice', 'bigint', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('attempts_key', ['key', 'slice'])
    .modifyEnd(clusteredByKey(db))
    .execute()
  await db.schema.createIndex('attempts_expiry').on('attempts').columns(['expires_at']).execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('account_no', 'integer', (c) => c.notNull().references('accounts.no'))
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema
    .createTable('consents')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('preferences', 'integer', (c) => c.notNull())
    .addColumn('statistics', 'integer', (c) => c.notNull())
    .addColumn('account_no', 'integer', (c) => c.references('accounts.no'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.alterTable('mails').addColumn('user_id', 'text').execute()
  await db.schema.createIndex('mails_user').on('mails').columns(['user_id']).execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('mails_user').execute()
  await db.schema.alterTable('mails').dropColumn('user_id').execute()
  for (const table of [
    'consents',
    'recovery_codes',
    'attempts',
    'codes',
    'links',
    'tokens',
    'sessions',
    'accounts',
  ]) {
    await db.schema.dropTable(table).execute()
  }
}
