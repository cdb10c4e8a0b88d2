import { type Kysely, sql } from 'kysely'
import { clusteredByKey, drop, inBytes, isPostgres, run } from './dialect.ts'

/** Rows in Postgres are not clustered: it carries the columns, so that the scan never leaves the index. */
const COVER = sql`create index search_index_cover on search_index (specialty_no, band, longitude)
  include (x, y, z, provider_no, place_no, next_free, fee_minor, features, languages, siblings)`

/** The search's own rows, ordered by specialty, latitude band and longitude. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table search_index (
      specialty_no integer not null,
      band integer not null,
      longitude double precision not null,
      provider_no integer not null,
      place_no integer not null,
      x double precision not null,
      y double precision not null,
      z double precision not null,
      next_free bigint not null,
      fee_minor integer not null,
      features integer not null,
      languages integer not null,
      siblings integer not null,
      name_key text ${inBytes(db)} not null,
      visit_minutes integer not null default 0,
      buffer_minutes integer not null default 0,
      in_person_fee_minor integer,
      in_person_follow_minor integer,
      in_person_minutes integer,
      video_fee_minor integer,
      video_follow_minor integer,
      video_minutes integer,
      constraint search_index_pk primary key (specialty_no, band, longitude, provider_no, place_no)
    ) ${clusteredByKey(db)}`,
    sql`create index search_index_provider on search_index (provider_no)`,
    // Few providers have several places: what they must not count twice is found among them alone.
    sql`create index search_index_siblings on search_index (specialty_no, band, longitude)
      where siblings = 1`,
    // The sweep that refreshes what the clock has overtaken.
    sql`create index search_index_next_free on search_index (next_free)`,
    sql`create table search_cells (
      specialty_no integer not null,
      band integer not null,
      cell integer not null,
      places integer not null,
      constraint search_cells_pk primary key (specialty_no, band, cell)
    ) ${clusteredByKey(db)}`,
    ...(isPostgres(db) ? [COVER] : []),
  ])
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, ['search_cells', 'search_index'])
}
