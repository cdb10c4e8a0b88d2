import { type Kysely, sql } from 'kysely'
import { countingKey, drop, inBytes, run } from './dialect.ts'

/** Providers, the places they practise at, and the kinds of visits they offer. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table providers (
      no ${countingKey(db)} primary key,
      id text not null unique,
      region text not null,
      title text,
      first_name text not null,
      last_name text not null,
      gender text,
      email text not null unique,
      phone text,
      specialty_no integer not null,
      professional_body text not null,
      membership_number text not null,
      verification_status text not null,
      verified_at bigint,
      photo text,
      about text not null,
      qualifications text not null,
      languages text not null,
      offers_in_person integer not null,
      offers_video integer not null,
      amount_minor integer not null,
      follow_amount_minor integer not null,
      currency text not null,
      consultation_minutes integer not null,
      follow_up_policy text not null default 'trust',
      free_cancel_hours integer not null default 24,
      late_cancel_percent integer not null default 50,
      rating_sum integer not null default 0,
      rating_count integer not null default 0,
      created_at bigint not null,
      updated_at bigint not null,
      no_show_percent integer not null default 100
        check (no_show_percent >= late_cancel_percent and no_show_percent <= 100),
      video_link text,
      licensed_states text
    )`,
    // Those who wait are few among all providers, and staff open their list many times a day.
    sql`create index providers_unverified on providers (no) where verification_status = 'Unverified'`,
    sql`create index providers_registration on providers (professional_body, membership_number)`,
    sql`create index providers_in_order on providers (last_name, first_name, no)`,
    sql`create index providers_last_name on providers (lower(last_name) ${inBytes(db)})`,
    sql`create index providers_first_name on providers (lower(first_name) ${inBytes(db)})`,
    sql`create table places (
      no ${countingKey(db)} primary key,
      id text not null unique,
      provider_no integer not null references providers (no),
      position integer not null,
      name text not null,
      address text not null,
      locality text not null,
      postcode text not null,
      latitude double precision not null,
      longitude double precision not null,
      time_zone text not null,
      phone text,
      removed_at bigint,
      constraint places_provider_position unique (provider_no, position)
    )`,
    sql`create table visit_types (
      no ${countingKey(db)} primary key,
      id text not null unique,
      provider_no integer not null references providers (no),
      position integer not null,
      name text not null,
      minutes integer not null,
      first_minor integer not null,
      follow_minor integer not null,
      mode text not null,
      place_no integer references places (no),
      archived_at bigint,
      constraint visit_types_minutes check (minutes > 0),
      constraint visit_types_fees check (first_minor >= 0 and follow_minor >= 0),
      constraint visit_types_mode check (mode in ('in_person', 'video', 'both'))
    )`,
    sql`create index visit_types_provider on visit_types (provider_no, position)`,
  ])
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, ['visit_types', 'places', 'providers'])
}
