import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { clusteredByKey, isPostgres } from './dialect.ts'

const BOOKED = sql<SqlBool>`state in ('confirmed', 'cancelled')`

/**
 * What histories of millions of bookings need: the wall clock of every visit, indexes in its order, and
 * how many there are in each month, so that no page counts or skips rows one by one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bookings')
    .addColumn('wall_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await fillWallClocks(db)
  await db.schema
    .createIndex('bookings_history')
    .on('bookings')
    .columns(['wall_at', 'no', 'payment_method'])
    .where(BOOKED)
    .execute()
  await db.schema
    .createIndex('bookings_history_provider')
    .on('bookings')
    .columns(['provider_no', 'wall_at', 'no', 'payment_method'])
    .where(BOOKED)
    .execute()
  await db.schema
    .createTable('booking_months')
    .addColumn('scope_no', 'integer', (c) => c.notNull())
    .addColumn('month', 'integer', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('shard', 'integer', (c) => c.notNull())
    .addColumn('n', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('booking_months_key', ['scope_no', 'month', 'method', 'shard'])
    .modifyEnd(clusteredByKey(db))
    .execute()
  await countMonths(db)
  await keepCounting(db)
}

async function fillWallClocks(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`update bookings set wall_at =
      (extract(epoch from to_timestamp(start_at / 1000.0) at time zone time_zone) * 1000)::bigint`.execute(
      db,
    )
    return
  }
  const times = await sql<{ start_at: number; time_zone: string }>`
    select distinct start_at, time_zone from bookings`.execute(db)
  for (const { start_at: at, time_zone: zone } of times.rows) {
    const there = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
    const wall = at + there.offsetNanoseconds / 1_000_000
    await sql`update bookings set wall_at = ${wall}
      where start_at = ${at} and time_zone = ${zone}`.execute(db)
  }
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

/** Each booking counts for its provider, and in one of sixteen parts for everybody together. */
const scopesOf = (row: 'old' | 'new') =>
  sql`(select ${sql.ref(`${row}.provider_no`)} as scope_no, 0 as shard
    union all select 0, ${sql.ref(`${row}.no`)} & 15)`

async function countMonths(db: Kysely<unknown>): Promise<void> {
  const month = monthOf(db, sql`wall_at`)
  await sql`insert into booking_months (scope_no, month, method, shard, n)
    select provider_no, ${month}, payment_method, 0, count(*) from bookings where ${BOOKED}
      group by 1, 2, 3
    union all
    select 0, ${month}, payment_method, no & 15, count(*) from bookings where ${BOOKED}
      group by 2, 3, 4`.execute(db)
}

/** One row of the trigger's, counted up or down. */
function count(db: Kysely<unknown>, row: 'old' | 'new', change: 1 | -1): RawBuilder<unknown> {
  const at = (column: string) => sql.ref(`${row}.${column}`)
  return sql`insert into booking_months (scope_no, month, method, shard, n)
    select scope_no, ${monthOf(db, at('wall_at'))}, ${at('payment_method')}, shard, ${sql.lit(change)}
      from ${scopesOf(row)} as scopes where ${at('state')} in ('confirmed', 'cancelled')
    on conflict (scope_no, month, method, shard)
      do update set n = booking_months.n + excluded.n;`
}

/** The database counts by itself, in the transaction that books: no path can forget to. */
async function keepCounting(db: Kysely<unknown>): Promise<void> {
  const moved = sql`(old.state in ('confirmed', 'cancelled')) <> (new.state in ('confirmed', 'cancelled'))
    or old.wall_at <> new.wall_at or old.provider_no <> new.provider_no
    or old.payment_method <> new.payment_method`
  if (isPostgres(db)) {
    await sql`create function bookings_count() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' then ${count(db, 'old', -1)} end if;
        if tg_op <> 'DELETE' then ${count(db, 'new', 1)} end if;
        return null;
      end $$`.execute(db)
    await sql`create trigger bookings_count_update after update on bookings
      for each row when (${moved}) execute function bookings_count()`.execute(db)
    await sql`create trigger bookings_count_insert after insert on bookings for each row
      when (new.state in ('confirmed', 'cancelled')) execute function bookings_count()`.execute(db)
    await sql`create trigger bookings_count_delete after delete on bookings for each row
      when (old.state in ('confirmed', 'cancelled')) execute function bookings_count()`.execute(db)
    return
  }
  await sql`create trigger bookings_count_update
    after update of state, wall_at, provider_no, payment_method on bookings
    when ${moved} begin ${count(db, 'old', -1)} ${count(db, 'new', 1)} end`.execute(db)
  await sql`create trigger bookings_count_insert after insert on bookings
    when new.state in ('confirmed', 'cancelled') begin ${count(db, 'new', 1)} end`.execute(db)
  await sql`create trigger bookings_count_delete after delete on bookings
    when old.state in ('confirmed', 'cancelled') begin ${count(db, 'old', -1)} end`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of ['update', 'insert', 'delete']) {
    const on = isPostgres(db) ? sql` on bookings` : sql``
    await sql`drop trigger ${sql.id(`bookings_count_${name}`)}${on}`.execute(db)
  }
  if (isPostgres(db)) await sql`drop function bookings_count()`.execute(db)
  await db.schema.dropTable('booking_months').execute()
  await db.schema.dropIndex('bookings_history').execute()
  await db.schema.dropIndex('bookings_history_provider').execute()
  await db.schema.alterTable('bookings').dropColumn('wall_at').execute()
}
