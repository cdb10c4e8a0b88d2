import { type Kysely, type RawBuilder, sql } from 'kysely'
import { clusteredByKey, countingKey, drop, isPostgres, run } from './dialect.ts'

const BOOKED = sql`state in ('confirmed', 'cancelled')`

/** What was paid for a booking: the price of its kind of visit at the moment it was held. */
const PAID = sql`(case visit_type when 'follow_up' then follow_minor else first_minor end)`

/** Bookings, visits entered at the desk, and the claim by which the database refuses two at one time. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table bookings (
      no ${countingKey(db)} primary key,
      id text not null unique,
      patient_no integer references accounts (no),
      provider_no integer not null references providers (no),
      place_no integer not null references places (no),
      region text not null,
      start_at bigint not null,
      end_at bigint not null,
      time_zone text not null,
      state text not null,
      hold_until bigint not null,
      renewed integer not null,
      visit_type text not null,
      follow_up_basis text,
      payment_method text not null,
      purpose text not null,
      code_at bigint,
      first_minor integer not null,
      follow_minor integer not null,
      currency text not null,
      free_cancel_hours integer not null,
      late_cancel_percent integer not null,
      distance text,
      paid_by integer unique,
      sequence integer not null,
      created_at bigint not null,
      confirmed_at bigint,
      closed_at bigint,
      wall_at bigint not null default 0,
      pay_by bigint not null default 0,
      held_from text,
      reference text,
      visitor text,
      no_show_percent integer not null default 100
        check (no_show_percent >= late_cancel_percent and no_show_percent <= 100),
      free_until bigint,
      changed_at bigint,
      outcome text check (outcome is null or (state = 'confirmed'
        and outcome in ('completed', 'no_show', 'not_held'))),
      outcome_at bigint check ((outcome_at is null) = (outcome is null)),
      arrived_at bigint check (arrived_at is null or outcome is null or outcome = 'completed'),
      mode text not null default 'in_person' check (mode in ('in_person', 'video')),
      patient_state text,
      video_room text,
      type_no integer,
      type_name text,
      constraint bookings_time check (end_at > start_at),
      constraint bookings_fees check (first_minor > 0 and follow_minor > 0),
      constraint bookings_paid check ((state in ('confirmed', 'cancelled')) = (paid_by is not null)),
      constraint bookings_owner check (
        case when patient_no is null then state in ('held', 'released') else visitor is null end)
    )`,
    sql`create index bookings_patient on bookings (patient_no, state, start_at)`,
    sql`create index bookings_provider on bookings (provider_no, state, start_at)`,
    sql`create index bookings_held on bookings (hold_until) where state = 'held'`,
    // What is still to be forgotten of times given back.
    sql`create index bookings_told on bookings (closed_at) where state = 'released' and purpose <> ''`,
    // The staff's orders. All that filters ask lies in the index, so that stepping over rows never visits the table.
    sql`create index bookings_history on bookings (wall_at, no, payment_method, region)
      where ${BOOKED}`,
    sql`create index bookings_history_amount on bookings (${PAID}, wall_at, no, payment_method, region, state)
      where ${BOOKED}`,
    sql`create index bookings_history_patient on bookings (patient_no, wall_at, no, payment_method, region, state)
      where ${BOOKED}`,
    sql`create index bookings_history_provider on bookings (provider_no, wall_at, no, payment_method, region, state)
      where ${BOOKED}`,
    sql`create index bookings_history_cancelled on bookings (wall_at, no, payment_method, region)
      where state = 'cancelled'`,
    sql`create index bookings_paid on bookings (confirmed_at, region, ${PAID}, currency) where ${BOOKED}`,
    // Times held by somebody who has never paid are capped by network.
    sql`create index bookings_held_from on bookings (held_from, hold_until) where held_from is not null`,
    sql`create unique index bookings_reference on bookings (reference)`,
    sql`create unique index bookings_visitor on bookings (visitor) where visitor is not null`,
    sql`create index bookings_coming on bookings (start_at, no) where state = 'confirmed'`,
    // Visits that nobody has marked, for the job that completes them.
    sql`create index bookings_unmarked on bookings (end_at)
      where state = 'confirmed' and outcome is null`,
    // Missed visits, for the job that gives back what is not kept.
    sql`create index bookings_missed on bookings (outcome_at) where outcome = 'no_show'`,
    // Those of which a part goes back, without a look at the visit itself.
    sql`create index bookings_missed_part on bookings (outcome_at, no, paid_by)
      where outcome = 'no_show' and no_show_percent < 100`,
    // Cancelled visits by their end, for the job that gives back fees of times that were refilled.
    sql`create index bookings_cancelled_end on bookings (end_at) where state = 'cancelled'`,
    // How many there are in each month, so that no page counts or skips rows one by one.
    sql`create table booking_months (
      scope_no integer not null,
      month integer not null,
      method text not null,
      shard integer not null,
      n integer not null,
      constraint booking_months_key primary key (scope_no, month, method, shard)
    ) ${clusteredByKey(db)}`,
    ...keepCounting(db),
    sql`create table desk_visits (
      no ${countingKey(db)} primary key,
      id text not null unique,
      reference text not null unique,
      provider_no integer not null references providers (no),
      place_no integer not null references places (no),
      kind text not null,
      state text not null,
      start_at bigint not null,
      end_at bigint not null,
      time_zone text not null,
      wall_at bigint not null,
      name text not null,
      phone text not null,
      email text not null,
      note text not null,
      sequence integer not null,
      moved_from bigint,
      created_at bigint not null,
      changed_at bigint not null,
      closed_at bigint,
      outcome text,
      outcome_at bigint,
      arrived_at bigint,
      moved_from_zone text,
      constraint desk_visits_time check (end_at > start_at),
      constraint desk_visits_kind check (kind in ('phone', 'walk_in')),
      constraint desk_visits_state check (state in ('confirmed', 'cancelled')),
      constraint desk_visits_closed check ((state = 'cancelled') = (closed_at is not null)),
      constraint desk_visits_outcome check (
        outcome is null or (state = 'confirmed' and outcome in ('completed', 'no_show'))),
      constraint desk_visits_marked check ((outcome_at is null) = (outcome is null)),
      constraint desk_visits_arrived check (arrived_at is null or outcome is null or outcome = 'completed')
    )`,
    sql`create index desk_visits_provider on desk_visits (provider_no, state, wall_at)`,
    // Those that nobody has marked, for the job that completes them.
    sql`create index desk_visits_unmarked on desk_visits (end_at)
      where state = 'confirmed' and outcome is null`,
    // Either a booking's or a desk visit's, and each of them has one claim at most.
    sql`create table slot_claims (
      booking_no integer references bookings (no),
      desk_no integer references desk_visits (no),
      provider_no integer not null,
      start_at bigint not null,
      end_at bigint not null,
      constraint slot_claims_time check (end_at > start_at),
      constraint slot_claims_booking unique (booking_no),
      constraint slot_claims_desk unique (desk_no),
      constraint slot_claims_owner check ((booking_no is null) <> (desk_no is null))
    )`,
    sql`create index slot_claims_provider on slot_claims (provider_no, start_at)`,
    ...forbidOverlap(db),
  ])
}

/** Months since the year 0 of a wall clock: twelve times the year, and 0 for January. */
function monthOf(db: Kysely<unknown>, wallAt: RawBuilder<unknown>): RawBuilder<unknown> {
  if (isPostgres(db)) {
    const clock = sql`(to_timestamp(${wallAt} / 1000.0) at time zone 'UTC')`
    return sql`(extract(year from ${clock}) * 12 + extract(month from ${clock}) - 1)::integer`
  }
  return sql`(cast(strftime('%Y', ${wallAt} / 1000, 'unixepoch') as integer) * 12
    + cast(strftime('%m', ${wallAt} / 1000, 'unixepoch') as integer) - 1)`
}

/**
 * Counts one row of a trigger up or down: for its provider, and in one of sixteen parts of its region for
 * everybody together, so that bookings do not wait for one row.
 */
function count(db: Kysely<unknown>, row: 'old' | 'new', change: 1 | -1): RawBuilder<unknown> {
  const at = (column: string) => sql.ref(`${row}.${column}`)
  return sql`insert into booking_months (scope_no, month, method, shard, n)
    select scope_no, ${monthOf(db, at('wall_at'))}, ${at('payment_method')}, shard, ${sql.lit(change)}
      from (select ${at('provider_no')} as scope_no, 0 as shard
        union all select 0, (${at('no')} & 15) + case ${at('region')} when 'usa' then 16 else 0 end) as scopes
      where ${at('state')} in ('confirmed', 'cancelled')
    on conflict (scope_no, month, method, shard)
      do update set n = booking_months.n + excluded.n;`
}

/** The database counts by itself, in the transaction that books: no path can forget to. */
function keepCounting(db: Kysely<unknown>): RawBuilder<unknown>[] {
  const [off, on] = [count(db, 'old', -1), count(db, 'new', 1)]
  const moved = sql`(old.state in ('confirmed', 'cancelled')) <> (new.state in ('confirmed', 'cancelled'))
    or old.wall_at <> new.wall_at or old.provider_no <> new.provider_no
    or old.payment_method <> new.payment_method`
  if (isPostgres(db)) {
    return [
      sql`create function bookings_count() returns trigger language plpgsql as $$
        begin
          if tg_op <> 'INSERT' then ${off} end if;
          if tg_op <> 'DELETE' then ${on} end if;
          return null;
        end $$`,
      sql`create trigger bookings_count_update after update on bookings for each row
        when (${moved}) execute function bookings_count()`,
      sql`create trigger bookings_count_insert after insert on bookings for each row
        when (new.state in ('confirmed', 'cancelled')) execute function bookings_count()`,
      sql`create trigger bookings_count_delete after delete on bookings for each row
        when (old.state in ('confirmed', 'cancelled')) execute function bookings_count()`,
    ]
  }
  return [
    sql`create trigger bookings_count_update
      after update of state, wall_at, provider_no, payment_method on bookings
      when ${moved} begin ${off} ${on} end`,
    sql`create trigger bookings_count_insert after insert on bookings
      when new.state in ('confirmed', 'cancelled') begin ${on} end`,
    sql`create trigger bookings_count_delete after delete on bookings
      when old.state in ('confirmed', 'cancelled') begin ${off} end`,
  ]
}

/**
 * No two claims of one provider overlap, whatever their lengths. The integer range needs no extension
 * to stand beside the time range in one index.
 */
function forbidOverlap(db: Kysely<unknown>): RawBuilder<unknown>[] {
  if (isPostgres(db)) {
    return [
      sql`alter table slot_claims add constraint slot_claims_no_overlap exclude using gist (
        int4range(provider_no, provider_no, '[]') with &&,
        int8range(start_at, end_at) with &&)`,
    ]
  }
  const refuse = sql`begin
    select raise(abort, 'slot_claims_no_overlap') where exists (
      select 1 from slot_claims where provider_no = new.provider_no
        and start_at < new.end_at and end_at > new.start_at
        and (booking_no is not new.booking_no or desk_no is not new.desk_no)); end`
  return [
    sql`create trigger slot_claims_no_overlap_insert before insert on slot_claims ${refuse}`,
    sql`create trigger slot_claims_no_overlap_update before update on slot_claims ${refuse}`,
  ]
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, ['slot_claims', 'desk_visits', 'booking_months', 'bookings'], ['bookings_count'])
}
