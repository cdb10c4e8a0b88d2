import { type Kysely, type SqlBool, sql } from 'kysely'
import { countingKey, isPostgres } from './dialect.ts'

/**
 * Visits a provider puts in for somebody who phones or stands at the desk, and the claim on their time:
 * the same row of `slot_claims` a booking has, which belongs to one of the two.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('desk_visits')
    .addColumn('no', countingKey(db), (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('reference', 'text', (c) => c.notNull().unique())
    .addColumn('provider_no', 'integer', (c) => c.notNull().references('providers.no'))
    .addColumn('place_no', 'integer', (c) => c.notNull().references('places.no'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('end_at', 'bigint', (c) => c.notNull())
    .addColumn('time_zone', 'text', (c) => c.notNull())
    .addColumn('wall_at', 'bigint', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('phone', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('sequence', 'integer', (c) => c.notNull())
    .addColumn('moved_from', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .addColumn('closed_at', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('outcome_at', 'bigint')
    .addColumn('arrived_at', 'bigint')
    .addCheckConstraint('desk_visits_time', sql`end_at > start_at`)
    .addCheckConstraint('desk_visits_kind', sql`kind in ('phone', 'walk_in')`)
    .addCheckConstraint('desk_visits_state', sql`state in ('confirmed', 'cancelled')`)
    .addCheckConstraint('desk_visits_closed', sql`(state = 'cancelled') = (closed_at is not null)`)
    .addCheckConstraint(
      'desk_visits_outcome',
      sql`outcome is null or (state = 'confirmed' and outcome in ('completed', 'no_show'))`,
    )
    .addCheckConstraint('desk_visits_marked', sql`(outcome_at is null) = (outcome is null)`)
    .addCheckConstraint(
      'desk_visits_arrived',
      sql`arrived_at is null or outcome is null or outcome = 'completed'`,
    )
    .execute()
  await db.schema
    .createIndex('desk_visits_provider')
    .on('desk_visits')
    .columns(['provider_no', 'state', 'wall_at'])
    .execute()
  // Those that nobody has marked, for the job that completes them.
  await db.schema
    .createIndex('desk_visits_unmarked')
    .on('desk_visits')
    .columns(['end_at'])
    .where(sql<SqlBool>`state = 'confirmed' and outcome is null`)
    .execute()
  await (isPostgres(db) ? shareOnPostgres(db) : rebuild(db, 'shared'))
}

/** Either a booking's or a desk visit's, and each of them has one claim at most. */
async function shareOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`alter table slot_claims drop constraint slot_claims_pkey`.execute(db)
  await sql`alter table slot_claims
    alter column booking_no drop not null,
    add constraint slot_claims_booking unique (booking_no),
    add column desk_no integer references desk_visits (no),
    add constraint slot_claims_desk unique (desk_no),
    add constraint slot_claims_owner check ((booking_no is null) <> (desk_no is null))`.execute(db)
}

/**
 * SQLite changes no key of a table: it is written anew, with the triggers that refuse overlaps.
 * `bookings`: as it was before desk visits.
 */
async function rebuild(db: Kysely<unknown>, of: 'shared' | 'bookings'): Promise<void> {
  const isShared = of === 'shared'
  let next = db.schema
    .createTable('slot_claims_next')
    .addColumn('booking_no', 'integer', (c) =>
      (isShared ? c.unique() : c.primaryKey()).references('bookings.no'),
    )
  if (isShared) {
    next = next
      .addColumn('desk_no', 'integer', (c) => c.unique().references('desk_visits.no'))
      .addCheckConstraint('slot_claims_owner', sql`(booking_no is null) <> (desk_no is null)`)
  }
  await next
    .addColumn('provider_no', 'integer', (c) => c.notNull())
    .addColumn('start_at', 'bigint', (c) => c.notNull())
    .addColumn('end_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint('slot_claims_time', sql`end_at > start_at`)
    .execute()
  await sql`insert into slot_claims_next (booking_no, provider_no, start_at, end_at)
    select booking_no, provider_no, start_at, end_at from slot_claims
    where booking_no is not null`.execute(db)
  await db.schema.dropTable('slot_claims').execute()
  await sql`alter table slot_claims_next rename to slot_claims`.execute(db)
  await db.schema
    .createIndex('slot_claims_provider')
    .on('slot_claims')
    .columns(['provider_no', 'start_at'])
    .execute()
  const isOther = isShared
    ? sql`(booking_no is not new.booking_no or desk_no is not new.desk_no)`
    : sql`booking_no <> new.booking_no`
  const overlaps = sql`select raise(abort, 'slot_claims_no_overlap') where exists (
    select 1 from slot_claims where provider_no = new.provider_no
      and start_at < new.end_at and end_at > new.start_at and ${isOther});`
  await sql`create trigger slot_claims_no_overlap_insert before insert on slot_claims
    begin ${overlaps} end`.execute(db)
  await sql`create trigger slot_claims_no_overlap_update before update on slot_claims
    begin ${overlaps} end`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`delete from slot_claims where desk_no is not null`.execute(db)
    await sql`alter table slot_claims
      drop constraint slot_claims_owner,
      drop constraint slot_claims_booking,
      drop column desk_no,
      add primary key (booking_no)`.execute(db)
  } else await rebuild(db, 'bookings')
  await db.schema.dropTable('desk_visits').execute()
}
