import { type Kysely, sql } from 'kysely'
import { clusteredByKey, drop, inBytes, run } from './dialect.ts'

/** Places: postcodes and ZIP codes with their points, and names of towns. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table geo_uk_units (
      postcode text ${inBytes(db)} not null primary key,
      latitude double precision not null,
      longitude double precision not null
    ) ${clusteredByKey(db)}`,
    sql`create table geo_uk_sectors (
      sector text ${inBytes(db)} not null primary key,
      outcode text ${inBytes(db)} not null,
      latitude double precision not null,
      longitude double precision not null,
      postcodes integer not null
    ) ${clusteredByKey(db)}`,
    sql`create table geo_uk_outcodes (
      code text ${inBytes(db)} not null primary key,
      level text not null,
      latitude double precision not null,
      longitude double precision not null,
      postcodes integer not null,
      near text not null
    ) ${clusteredByKey(db)}`,
    sql`create table geo_us_zips (
      zip text ${inBytes(db)} not null primary key,
      latitude double precision not null,
      longitude double precision not null,
      city text not null,
      state text not null,
      time_zone text not null,
      kind text not null
    ) ${clusteredByKey(db)}`,
    sql`create table geo_places (
      region text ${inBytes(db)} not null,
      key text ${inBytes(db)} not null,
      id integer not null,
      name text not null,
      admin text not null,
      admin_name text not null,
      latitude double precision not null,
      longitude double precision not null,
      population integer not null,
      rank integer not null,
      near text not null,
      is_alias integer not null,
      constraint geo_places_pk primary key (region, key, id)
    ) ${clusteredByKey(db)}`,
    sql`create table geo_meta (
      key text not null primary key,
      value text not null
    )`,
  ])
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, [
    'geo_meta',
    'geo_places',
    'geo_us_zips',
    'geo_uk_outcodes',
    'geo_uk_sectors',
    'geo_uk_units',
  ])
}
