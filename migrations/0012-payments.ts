import { type Kysely, type RawBuilder, sql } from 'kysely'
import { countingKey, drop, isPostgres, run } from './dialect.ts'

/** Payments, refunds, the gateways' events, and where providers want to be paid. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table payments (
      no ${countingKey(db)} primary key,
      id text not null unique,
      booking_no integer not null references bookings (no),
      patient_no integer not null references accounts (no),
      gateway text not null,
      state text not null,
      amount_minor integer not null,
      currency text not null,
      visit_type text not null,
      follow_up_basis text,
      expires_at bigint not null,
      gw_session text,
      gw_payment text,
      client_secret text,
      reason text,
      checked_at bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      taken_minor integer,
      taken_currency text,
      decided_at bigint,
      decided_by text,
      decision text,
      decision_note text,
      request text,
      constraint payments_amount check (amount_minor > 0),
      constraint payments_gw_session unique (gateway, gw_session),
      constraint payments_gw_payment unique (gateway, gw_payment)
    )`,
    sql`create unique index payments_one_live on payments (booking_no)
      where state in ('creating', 'open', 'capturing', 'paid')`,
    sql`create index payments_booking on payments (booking_no)`,
    sql`create index payments_checked on payments (state, checked_at)`,
    // What moved since the books were last compared, page by page.
    sql`create index payments_moved on payments (gateway, updated_at, no)`,
    ...freezePrice(db),
    sql`create table refunds (
      id text primary key,
      payment_no integer not null references payments (no),
      reason text not null,
      amount_minor integer not null,
      state text not null,
      gw_refund text,
      tries integer not null,
      next_try_at bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      key text not null,
      currency text,
      note text,
      actor_id text,
      dealt_at bigint,
      dealt_by text,
      dealt_note text,
      failure text,
      key_round integer not null default 0,
      constraint refunds_amount check (amount_minor > 0),
      constraint refunds_key unique (payment_no, key)
    )`,
    sql`create index refunds_due on refunds (state, next_try_at)`,
    sql`create index refunds_failed on refunds (created_at) where state = 'failed' and dealt_at is null`,
    sql`create table gateway_events (
      gateway text not null,
      id text not null,
      type text not null,
      object text,
      body text not null,
      received_at bigint not null,
      processed_at bigint,
      tries integer not null,
      due_at bigint not null default 0,
      constraint gateway_events_key primary key (gateway, id)
    )`,
    sql`create index gateway_events_due on gateway_events (due_at) where processed_at is null`,
    sql`create index gateway_events_object on gateway_events (object)`,
    sql`create index gateway_events_processed on gateway_events (processed_at)
      where processed_at is not null`,
    sql`create table payment_differences (
      gateway text not null,
      object text not null,
      kind text not null,
      payment_no integer references payments (no),
      amount_minor integer not null,
      currency text not null,
      found_at bigint not null,
      told_at bigint,
      dealt_at bigint,
      dealt_by text,
      dealt_note text,
      details text,
      constraint payment_differences_key primary key (gateway, object, kind)
    )`,
    sql`create index payment_differences_told on payment_differences (told_at)`,
    sql`create index payment_differences_open on payment_differences (found_at) where dealt_at is null`,
    // Numbers are sealed with a key the database does not have.
    sql`create table bank_accounts (
      no ${countingKey(db)} primary key,
      id text not null unique,
      provider_no integer not null references providers (no),
      name text not null,
      account_type text,
      sealed text not null,
      key_id text not null,
      fingerprint text not null,
      add_key text not null,
      is_primary integer not null,
      version integer not null,
      created_at bigint not null,
      updated_at bigint not null,
      constraint bank_accounts_known unique (provider_no, fingerprint),
      constraint bank_accounts_add_key unique (provider_no, add_key)
    )`,
    sql`create unique index bank_accounts_one_primary on bank_accounts (provider_no)
      where is_primary = 1`,
    // What is still to be sealed anew after a change of keys.
    sql`create index bank_accounts_key on bank_accounts (key_id)`,
  ])
}

/** What was agreed with the gateway stays: nobody can make a paid row say another price. */
function freezePrice(db: Kysely<unknown>): RawBuilder<unknown>[] {
  const changed = sql`old.amount_minor <> new.amount_minor or old.currency <> new.currency
    or old.gateway <> new.gateway or old.booking_no <> new.booking_no`
  if (isPostgres(db)) {
    return [
      sql`create function payments_price_is_fixed() returns trigger language plpgsql as $$
        begin raise exception 'the price of a payment is fixed'; end $$`,
      sql`create trigger payments_price before update on payments for each row
        when (${changed}) execute function payments_price_is_fixed()`,
    ]
  }
  return [
    sql`create trigger payments_price before update on payments
      when ${changed} begin select raise(abort, 'the price of a payment is fixed'); end`,
  ]
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(
    db,
    ['bank_accounts', 'payment_differences', 'gateway_events', 'refunds', 'payments'],
    ['payments_price_is_fixed'],
  )
}
