import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres } from './dialect.ts'

const BOOKED = sql<SqlBool>`state in ('confirmed', 'cancelled')`

/** What was paid for a booking: the price of its kind of visit at the moment it was held. */
const PAID = sql`(case visit_type when 'follow_up' then follow_minor else first_minor end)`

/**
 * What staff need of payments: refunds in parts with whoever asked for them and why, what came in
 * where it differed, decisions, counts by region, and an index for every order of the history.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await nameRefunds(db)
  for (const [name, type] of [
    ['taken_minor', 'integer'],
    ['taken_currency', 'text'],
    ['decided_at', 'bigint'],
    ['decided_by', 'text'],
    ['decision', 'text'],
    ['decision_note', 'text'],
  ] as const) {
    await db.schema.alterTable('payments').addColumn(name, type).execute()
  }
  for (const [name, type] of [
    ['dealt_at', 'bigint'],
    ['dealt_by', 'text'],
    ['dealt_note', 'text'],
  ] as const) {
    await db.schema.alterTable('payment_differences').addColumn(name, type).execute()
  }
  await db.schema
    .createIndex('payment_differences_open')
    .on('payment_differences')
    .columns(['found_at'])
    .where(sql<SqlBool>`dealt_at is null`)
    .execute()
  await db.schema
    .createIndex('gateway_events_object')
    .on('gateway_events')
    .columns(['object'])
    .execute()
  await indexHistories(db)
  await countRegions(db)
}

/** One refund a key instead of one a reason: staff may pay back in parts. */
async function nameRefunds(db: Kysely<unknown>): Promise<void> {
  await makeRefunds(db, 'refunds_new', 'key')
  await sql`insert into refunds_new (id, payment_no, key, reason, amount_minor, state, gw_refund, tries,
    next_try_at, created_at, updated_at)
    select id, payment_no, reason, reason, amount_minor, state, gw_refund, tries, next_try_at,
      created_at, updated_at from refunds`.execute(db)
  await replaceRefunds(db)
  await db.schema
    .createIndex('refunds_failed')
    .on('refunds')
    .columns(['created_at'])
    .where(sql<SqlBool>`state = 'failed' and dealt_at is null`)
    .execute()
}

async function makeRefunds(db: Kysely<unknown>, name: string, once: 'key' | 'reason') {
  const table = db.schema
    .createTable(name)
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('payment_no', 'integer', (c) => c.notNull().references('payments.no'))
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('amount_minor', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('gw_refund', 'text')
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('next_try_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addCheckConstraint(`${name}_amount`, sql`amount_minor > 0`)
    .addUniqueConstraint(`${name}_${once}`, ['payment_no', sql.ref(once)])
  if (once === 'reason') return table.execute()
  return table
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('currency', 'text')
    .addColumn('note', 'text')
    .addColumn('actor_id', 'text')
    .addColumn('dealt_at', 'bigint')
    .addColumn('dealt_by', 'text')
    .addColumn('dealt_note', 'text')
    .execute()
}

async function replaceRefunds(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('refunds').execute()
  await sql`alter table refunds_new rename to refunds`.execute(db)
  await db.schema
    .createIndex('refunds_due')
    .on('refunds')
    .columns(['state', 'next_try_at'])
    .execute()
}

/** Texts in the order of their bytes on both engines, so that a prefix is a range. */
function bytes(db: Kysely<unknown>, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`${text} collate "C"` : text
}

const NAMED = ['accounts', 'providers'] as const

async function indexHistories(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('bookings_history').execute()
  const covered = sql`payment_method, region`
  const indexes: [string, RawBuilder<unknown>, RawBuilder<SqlBool>][] = [
    ['bookings_history', sql`wall_at, no, ${covered}`, BOOKED],
    ['bookings_history_amount', sql`${PAID}, wall_at, no, ${covered}`, BOOKED],
    ['bookings_history_patient', sql`patient_no, wall_at, no, ${covered}`, BOOKED],
    ['bookings_history_cancelled', sql`wall_at, no, ${covered}`, sql`state = 'cancelled'`],
    ['bookings_paid', sql`confirmed_at, region, ${PAID}, currency`, BOOKED],
  ]
  for (const [name, columns, where] of indexes) {
    await sql`create index ${sql.id(name)} on bookings (${columns}) where ${where}`.execute(db)
  }
  for (const table of NAMED) {
    const where = table === 'accounts' ? sql` where kind = 'patient'` : sql``
    const on = (name: string, columns: RawBuilder<unknown>) =>
      sql`create index ${sql.id(`${table}_${name}`)} on ${sql.table(table)} (${columns})${where}`.execute(
        db,
      )
    await on('in_order', sql`last_name, first_name, no`)
    await on('last_name', bytes(db, sql`lower(last_name)`))
    await on('first_name', bytes(db, sql`lower(first_name)`))
  }
}

function monthOf(db: Kysely<unknown>, wallAt: RawBuilder<unknown>): RawBuilder<unknown> {
  if (isPostgres(db)) {
    const clock = sql`(to_timestamp(${wallAt} / 1000.0) at time zone 'UTC')`
    return sql`(extract(year from ${clock}) * 12 + extract(month from ${clock}) - 1)::integer`
  }
  return sql`(cast(strftime('%Y', ${wallAt} / 1000, 'unixepoch') as integer) * 12
    + cast(strftime('%m', ${wallAt} / 1000, 'unixepoch') as integer) - 1)`
}

/** Sixteen parts for each region: whoever counts one region adds up its own. */
const regional = (no: RawBuilder<unknown>, region: RawBuilder<unknown>) =>
  sql`(${no} & 15) + case ${region} when 'usa' then 16 else 0 end`

const plain = (no: RawBuilder<unknown>) => sql`${no} & 15`

type Shard = (no: RawBuilder<unknown>, region: RawBuilder<unknown>) => RawBuilder<unknown>

/** One row of the trigger's, counted up or down. */
function count(
  db: Kysely<unknown>,
  { row, change, shard }: { row: 'old' | 'new'; change: 1 | -1; shard: Shard },
): RawBuilder<unknown> {
  const at = (column: string) => sql.ref(`${row}.${column}`)
  return sql`insert into booking_months (scope_no, month, method, shard, n)
    select scope_no, ${monthOf(db, at('wall_at'))}, ${at('payment_method')}, shard, ${sql.lit(change)}
      from (select ${at('provider_no')} as scope_no, 0 as shard
        union all select 0, ${shard(at('no'), at('region'))}) as scopes
      where ${at('state')} in ('confirmed', 'cancelled')
    on conflict (scope_no, month, method, shard)
      do update set n = booking_months.n + excluded.n;`
}

async function countEverybody(db: Kysely<unknown>, shard: Shard): Promise<void> {
  await sql`delete from booking_months where scope_no = 0`.execute(db)
  await sql`insert into booking_months (scope_no, month, method, shard, n)
    select 0, ${monthOf(db, sql`wall_at`)}, payment_method, ${shard(sql.ref('no'), sql.ref('region'))},
      count(*) from bookings where ${BOOKED} group by 2, 3, 4`.execute(db)
}

/** Replaces what the triggers do; the counts themselves are made anew. */
async function keepCounting(db: Kysely<unknown>, shard: Shard): Promise<void> {
  const off = count(db, { row: 'old', change: -1, shard })
  const on = count(db, { row: 'new', change: 1, shard })
  if (isPostgres(db)) {
    await sql`create or replace function bookings_count() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' then ${off} end if;
        if tg_op <> 'DELETE' then ${on} end if;
        return null;
      end $$`.execute(db)
    return
  }
  for (const name of ['update', 'insert', 'delete']) {
    await sql`drop trigger ${sql.id(`bookings_count_${name}`)}`.execute(db)
  }
  const moved = sql`(old.state in ('confirmed', 'cancelled')) <> (new.state in ('confirmed', 'cancelled'))
    or old.wall_at <> new.wall_at or old.provider_no <> new.provider_no
    or old.payment_method <> new.payment_method`
  await sql`create trigger bookings_count_update
    after update of state, wall_at, provider_no, payment_method on bookings
    when ${moved} begin ${off} ${on} end`.execute(db)
  await sql`create trigger bookings_count_insert after insert on bookings
    when new.state in ('confirmed', 'cancelled') begin ${on} end`.execute(db)
  await sql`create trigger bookings_count_delete after delete on bookings
    when old.state in ('confirmed', 'cancelled') begin ${off} end`.execute(db)
}

async function countRegions(db: Kysely<unknown>): Promise<void> {
  await countEverybody(db, regional)
  await keepCounting(db, regional)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await countEverybody(db, plain)
  await keepCounting(db, plain)
  for (const table of NAMED) {
    for (const name of ['in_order', 'last_name', 'first_name']) {
      await db.schema.dropIndex(`${table}_${name}`).execute()
    }
  }
  for (const name of [
    'history',
    'history_amount',
    'history_patient',
    'history_cancelled',
    'paid',
  ]) {
    await db.schema.dropIndex(`bookings_${name}`).execute()
  }
  await sql`create index bookings_history on bookings (wall_at, no, payment_method)
    where ${BOOKED}`.execute(db)
  await db.schema.dropIndex('gateway_events_object').execute()
  await db.schema.dropIndex('payment_differences_open').execute()
  for (const name of ['dealt_at', 'dealt_by', 'dealt_note']) {
    await db.schema.alterTable('payment_differences').dropColumn(name).execute()
  }
  for (const name of ['taken_minor', 'taken_currency', 'decided_at', 'decided_by']) {
    await db.schema.alterTable('payments').dropColumn(name).execute()
  }
  for (const name of ['decision', 'decision_note']) {
    await db.schema.alterTable('payments').dropColumn(name).execute()
  }
  await makeRefunds(db, 'refunds_new', 'reason')
  await sql`insert into refunds_new select id, payment_no, key, amount_minor, state, gw_refund, tries,
    next_try_at, created_at, updated_at from refunds`.execute(db)
  await replaceRefunds(db)
}
