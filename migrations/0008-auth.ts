import { type Kysely, type RawBuilder, sql } from 'kysely'
import { clusteredByKey, countingKey, drop, inBytes, isPostgres, run } from './dialect.ts'

/** Accounts, sessions, access tokens, links and one-time codes; consent, favourites, and keys of repeated writes. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table accounts (
      no ${countingKey(db)} primary key,
      id text not null unique,
      kind text not null,
      email text not null,
      password_hash text not null,
      first_name text not null,
      last_name text not null,
      phone_number text not null,
      date_of_birth text,
      profile_image text,
      provider_no integer references providers (no),
      role text,
      email_verified_at bigint,
      suspended_at bigint,
      erased_at bigint,
      totp_secret text,
      totp_pending text,
      totp_confirmed_at bigint,
      totp_last_step integer not null default 0,
      must_change_password integer not null default 0,
      default_radius integer not null default 10,
      terms_accepted_at bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      first_password_used_at bigint,
      constraint accounts_kind_email unique (kind, email)
    )`,
    sql`create index accounts_staff on accounts (no) where kind = 'staff'`,
    sql`create index accounts_in_order on accounts (last_name, first_name, no) where kind = 'patient'`,
    sql`create index accounts_last_name on accounts (lower(last_name) ${inBytes(db)}) where kind = 'patient'`,
    sql`create index accounts_first_name on accounts (lower(first_name) ${inBytes(db)}) where kind = 'patient'`,
    ...keepASuperuser(db),
    sql`create table sessions (
      id text primary key,
      account_no integer not null references accounts (no),
      device text not null,
      network text not null,
      created_at bigint not null,
      last_used_at bigint not null,
      expires_at bigint not null,
      ended_at bigint,
      end_reason text,
      stepped_up_until bigint,
      generation integer not null,
      rotated_at bigint not null
    )`,
    sql`create index sessions_account on sessions (account_no, ended_at)`,
    sql`create table tokens (
      hash text primary key,
      session_id text not null references sessions (id),
      kind text not null,
      generation integer not null,
      expires_at bigint not null
    )`,
    sql`create index tokens_expiry on tokens (expires_at)`,
    sql`create index tokens_session on tokens (session_id)`,
    sql`create table access_tokens (
      id text primary key,
      account_no integer not null references accounts (no),
      hash text not null unique,
      last4 text not null,
      name text not null,
      scopes text not null,
      role text,
      created_at bigint not null,
      expires_at bigint not null,
      last_used_at bigint,
      last_network text,
      ended_at bigint,
      end_reason text
    )`,
    sql`create index access_tokens_account on access_tokens (account_no, ended_at)`,
    sql`create table links (
      hash text primary key,
      purpose text not null,
      account_no integer not null references accounts (no),
      email text,
      created_at bigint not null,
      expires_at bigint not null,
      used_at bigint
    )`,
    sql`create index links_account on links (account_no)`,
    sql`create table start_links (
      hash text primary key,
      created_at bigint not null,
      expires_at bigint not null,
      used_at bigint
    )`,
    sql`create table codes (
      id text primary key,
      account_no integer not null references accounts (no),
      purpose text not null,
      object text not null,
      hash text not null,
      created_at bigint not null,
      expires_at bigint not null,
      tries integer not null,
      verified_at bigint,
      used_at bigint
    )`,
    sql`create index codes_live on codes (account_no, purpose, object, created_at)`,
    sql`create index codes_expiry on codes (expires_at)`,
    sql`create table recovery_codes (
      hash text primary key,
      account_no integer not null references accounts (no),
      used_at bigint
    )`,
    sql`create table attempts (
      key text not null,
      slice bigint not null,
      count integer not null,
      expires_at bigint not null,
      constraint attempts_key primary key (key, slice)
    ) ${clusteredByKey(db)}`,
    sql`create index attempts_expiry on attempts (expires_at)`,
    sql`create table consents (
      id text primary key,
      preferences integer not null,
      statistics integer not null,
      account_no integer references accounts (no),
      created_at bigint not null,
      updated_at bigint not null
    )`,
    sql`create index consents_of_strangers on consents (updated_at) where account_no is null`,
    sql`create table favourites (
      account_no integer not null references accounts (no),
      provider_no integer not null references providers (no),
      created_at bigint not null,
      constraint favourites_key primary key (account_no, provider_no)
    )`,
    sql`create index favourites_provider on favourites (provider_no)`,
    sql`create table idempotency_keys (
      account_no integer not null references accounts (no),
      key_hash text not null,
      body_hash text not null,
      answer text,
      lease_until bigint not null,
      expires_at bigint not null,
      constraint idempotency_keys_key primary key (account_no, key_hash)
    )`,
    sql`create index idempotency_keys_expiry on idempotency_keys (expires_at)`,
  ])
}

function isActive(row: 'old' | 'new' | 'other') {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  return sql`(${column('kind')} = 'staff' and ${column('role')} = 'superuser'
    and ${column('suspended_at')} is null and ${column('erased_at')} is null)`
}

/**
 * Whatever writes, the last active superuser stays one. On Postgres whoever would take one away waits
 * for the others who do: each sees two, or else both could go.
 */
function keepASuperuser(db: Kysely<unknown>): RawBuilder<unknown>[] {
  const nobodyElse = sql`not exists (select 1 from accounts other
    where other.no <> old.no and ${isActive('other')})`
  if (isPostgres(db)) {
    return [
      sql`create function accounts_keep_a_superuser() returns trigger language plpgsql as $$
        begin
          perform pg_advisory_xact_lock(hashtext('accounts_keep_a_superuser'));
          if ${nobodyElse} then raise exception 'accounts_keep_a_superuser'; end if;
          if tg_op = 'DELETE' then return old; end if;
          return new;
        end $$`,
      sql`create trigger accounts_keep_a_superuser before update on accounts for each row
        when (${isActive('old')} and not coalesce(${isActive('new')}, false))
        execute function accounts_keep_a_superuser()`,
      sql`create trigger accounts_keep_a_superuser_row before delete on accounts for each row
        when (${isActive('old')}) execute function accounts_keep_a_superuser()`,
    ]
  }
  const refuse = sql`begin select raise(abort, 'accounts_keep_a_superuser') where ${nobodyElse}; end`
  return [
    sql`create trigger accounts_keep_a_superuser
      before update of kind, role, suspended_at, erased_at on accounts
      when ${isActive('old')} and not coalesce(${isActive('new')}, 0) ${refuse}`,
    sql`create trigger accounts_keep_a_superuser_row before delete on accounts
      when ${isActive('old')} ${refuse}`,
  ]
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(
    db,
    [
      'idempotency_keys',
      'favourites',
      'consents',
      'attempts',
      'recovery_codes',
      'codes',
      'start_links',
      'links',
      'access_tokens',
      'tokens',
      'sessions',
      'accounts',
    ],
    ['accounts_keep_a_superuser'],
  )
}
