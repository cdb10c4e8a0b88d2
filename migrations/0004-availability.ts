import { type Kysely, sql } from 'kysely'
import { clusteredByKey, countingKey, drop, run } from './dialect.ts'

/** What providers say about their hours, and the slots made from it. Wall clocks and dates: the place has the zone. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table slots (
      provider_no integer not null,
      start_at bigint not null,
      place_no integer not null,
      minutes integer not null,
      free integer not null,
      constraint slots_pk primary key (provider_no, start_at)
    ) ${clusteredByKey(db)}`,
    // Serves "next free times" from the free ones alone.
    sql`create index slots_free on slots (provider_no, start_at) where free = 1`,
    sql`create table schedules (
      provider_no integer primary key references providers (no),
      notice_minutes integer not null default 120,
      horizon_days integer not null default 60,
      buffer_minutes integer not null default 0,
      closed_on_holidays integer not null default 0,
      rotation_weeks integer not null default 1,
      rotation_from text not null,
      generated_to text not null,
      extend_at bigint not null,
      withdraw_at bigint not null,
      version integer not null,
      updated_at bigint not null,
      constraint schedules_rotation check (rotation_weeks between 1 and 4)
    )`,
    sql`create index schedules_extend_at on schedules (extend_at)`,
    sql`create index schedules_withdraw_at on schedules (withdraw_at)`,
    sql`create table weekly_hours (
      no ${countingKey(db)} primary key,
      provider_no integer not null references providers (no),
      place_no integer not null references places (no),
      week integer not null,
      weekday integer not null,
      from_minute integer not null,
      to_minute integer not null,
      constraint weekly_hours_time check (from_minute >= 0 and to_minute <= 1440),
      constraint weekly_hours_order check (to_minute > from_minute)
    )`,
    sql`create index weekly_hours_provider on weekly_hours (provider_no)`,
    sql`create table extra_dates (
      id text primary key,
      provider_no integer not null references providers (no),
      place_no integer not null references places (no),
      date text not null,
      from_minute integer not null,
      to_minute integer not null,
      note text not null,
      constraint extra_dates_time check (from_minute >= 0 and to_minute <= 1440),
      constraint extra_dates_order check (to_minute > from_minute)
    )`,
    sql`create index extra_dates_provider on extra_dates (provider_no)`,
    sql`create table absences (
      id text primary key,
      provider_no integer not null references providers (no),
      place_no integer references places (no),
      from_date text not null,
      to_date text not null,
      note text not null,
      constraint absences_order check (to_date >= from_date)
    )`,
    sql`create index absences_provider on absences (provider_no)`,
    sql`create table blocks (
      id text primary key,
      provider_no integer not null references providers (no),
      date text not null,
      is_weekly integer not null,
      until_date text,
      from_minute integer not null,
      to_minute integer not null,
      note text not null,
      constraint blocks_time check (from_minute >= 0 and to_minute <= 1440),
      constraint blocks_order check (to_minute > from_minute),
      constraint blocks_weekly check (is_weekly = 1 or until_date is null),
      constraint blocks_until check (until_date is null or until_date >= date)
    )`,
    sql`create index blocks_provider on blocks (provider_no)`,
  ])
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, ['blocks', 'absences', 'extra_dates', 'weekly_hours', 'schedules', 'slots'])
}
