import { type Kysely, sql } from 'kysely'
import { clusteredByKey, countingKey, drop, run } from './dialect.ts'

/** Professional registers, what comparing with them gave, and what providers show for themselves. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table register_loads (
      no ${countingKey(db)} primary key,
      body text not null,
      state text not null,
      source text not null,
      entries integer not null,
      started_at bigint not null,
      finished_at bigint
    )`,
    sql`create unique index register_loads_current on register_loads (body) where state = 'current'`,
    sql`create table register_entries (
      load_no integer not null references register_loads (no),
      registration_number text not null,
      name text not null,
      status_text text not null,
      constraint register_entries_key primary key (load_no, registration_number)
    ) ${clusteredByKey(db)}`,
    sql`create table verification_checks (
      no ${countingKey(db)} primary key,
      id text not null unique,
      provider_no integer not null references providers (no),
      kind text not null,
      at bigint not null,
      actor_kind text not null,
      actor_id text,
      body text not null,
      claimed_number text not null,
      claimed_name text not null,
      answer_number text,
      answer_name text,
      standing text,
      status_text text,
      source text not null,
      outcome text not null,
      differences text not null,
      decision text,
      reason text
    )`,
    sql`create index verification_checks_provider on verification_checks (provider_no, at)`,
    sql`create table provider_standings (
      provider_no integer primary key references providers (no),
      state text not null,
      since bigint not null,
      reason text,
      is_match integer not null,
      asked_at bigint not null,
      checked_at bigint,
      due_at bigint,
      doubt_since bigint,
      asked_again_at bigint,
      answered_at bigint
    )`,
    sql`create index provider_standings_queue on provider_standings (state, is_match, asked_at)`,
    sql`create index provider_standings_due on provider_standings (due_at) where due_at is not null`,
    // In the order of the nightly check, which many have at the same instant.
    sql`create index provider_standings_next on provider_standings (due_at, checked_at)
      where due_at is not null`,
    sql`create table verification_requests (
      no ${countingKey(db)} primary key,
      id text not null unique,
      provider_no integer not null references providers (no),
      at bigint not null,
      actor_id text not null,
      what text not null,
      about text not null default 'registration',
      answer text,
      document_no integer,
      answered_at bigint
    )`,
    sql`create index verification_requests_provider on verification_requests (provider_no, at)`,
    sql`create table company_documents (
      no ${countingKey(db)} primary key,
      id text not null unique,
      provider_no integer not null references providers (no),
      kind text not null,
      file text not null unique,
      bytes integer not null,
      created_at bigint not null
    )`,
    sql`create index company_documents_provider on company_documents (provider_no)`,
    sql`create table company_claims (
      no ${countingKey(db)} primary key,
      id text not null unique,
      provider_no integer not null references providers (no),
      document_no integer not null unique references company_documents (no),
      company_name text not null,
      registration_number text not null,
      address text not null,
      state text not null,
      reason text,
      sent_at bigint not null,
      decided_at bigint,
      decided_by text
    )`,
    // The refused ones stay as evidence beside it.
    sql`create unique index company_claims_one_live on company_claims (provider_no)
      where state in ('in_review', 'accepted')`,
    sql`create index company_claims_queue on company_claims (state, sent_at)`,
    sql`create table registrant_proofs (
      no ${countingKey(db)} primary key,
      id text not null unique,
      provider_no integer not null references providers (no),
      kind text not null,
      state text not null,
      body text not null,
      claimed_number text not null,
      claimed_name text not null,
      document_no integer references company_documents (no),
      email text,
      source text,
      created_at bigint not null,
      created_by text,
      decided_at bigint,
      decided_by text,
      reason text,
      constraint registrant_proofs_kind check (
        (kind = 'document' and document_no is not null and email is null and source is null)
        or (kind = 'code' and document_no is null and email is not null and source is not null)),
      constraint registrant_proofs_state check (state in ('waiting', 'accepted', 'refused', 'replaced')),
      constraint registrant_proofs_decided check ((state = 'waiting') = (decided_at is null))
    )`,
    sql`create index registrant_proofs_provider on registrant_proofs (provider_no, state)`,
    // One of a kind waits at most, whoever sends two at once.
    sql`create unique index registrant_proofs_waiting on registrant_proofs (provider_no, kind)
      where state = 'waiting'`,
  ])
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, [
    'registrant_proofs',
    'company_claims',
    'company_documents',
    'verification_requests',
    'provider_standings',
    'verification_checks',
    'register_entries',
    'register_loads',
  ])
}
