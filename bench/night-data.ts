import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Database, Db } from '#db/engine.ts'
import { NOW } from './data.ts'

/** Almost two years of past visits and a month of upcoming ones, for existing providers. */
export type NightSpec = { providers: number; visits: number }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEP = 30 * MINUTE
const PAST = 700 * DAY
const UPCOMING = 30 * DAY

const id = (prefix: string) => sql`${sql.lit(`${prefix}_`)} || lpad(i::text, 26, '0')`
const dice = sql`((i::bigint * 2654435761) % 4294967296)`
const at = (ms: number) => sql.lit(NOW + ms)

/** Consecutive numbers are close in time and belong to different providers. */
function visits({ providers, visits: count }: NightSpec): RawBuilder<unknown> {
  const start = sql`(${at(-PAST)} + i::bigint * ${sql.lit(PAST + UPCOMING)} / ${sql.lit(count)})
    / ${sql.lit(STEP)} * ${sql.lit(STEP)}`
  return sql`select i, ${dice} as dice, ${start} as start_at, ${start} + ${sql.lit(STEP)} as end_at,
    1 + (i::bigint * 7919) % ${sql.lit(providers)} as provider_no,
    1 + ${dice} % ${sql.lit(providers)} as patient_no,
    case when ${dice} % 3 = 0 then 'paypal' else 'stripe' end as method,
    ${start} - ${sql.lit(UPCOMING)} - (${dice} % 10080) * ${sql.lit(MINUTE)} as made_at,
    i % 50 = 0 as is_cancelled, i % 33 = 0 as is_missed
    from generate_series(1, ${sql.lit(count)}) i`
}

/** Visits of the last three days have no outcome yet, so that the jobs have a night's work. */
async function writeBookings(db: Db, spec: NightSpec): Promise<void> {
  await sql`insert into bookings (no, id, patient_no, provider_no, place_no, region, start_at, end_at,
      time_zone, state, hold_until, renewed, visit_type, payment_method, purpose, first_minor,
      follow_minor, currency, free_cancel_hours, late_cancel_percent, no_show_percent, paid_by,
      sequence, created_at, confirmed_at, closed_at, wall_at, reference, outcome, outcome_at)
    select i, ${id('apt')}, patient_no, provider_no, provider_no, 'uk', start_at, end_at,
      'Europe/London', case when is_cancelled then 'cancelled' else 'confirmed' end, 0, 0,
      'first_visit', method, 'A cough that will not go away', 6000, 4000, 'GBP', 24, 50,
      case when provider_no % 2 = 0 then 50 else 100 end, i, 0, made_at, made_at,
      case when is_cancelled then made_at end, start_at, 'AP-' || i,
      case when is_over then case when is_missed then 'no_show' else 'completed' end end,
      case when is_over then end_at + ${sql.lit(HOUR)} end
    from (select *, not is_cancelled and end_at <= ${at(-3 * DAY)} as is_over
      from (${visits(spec)}) v) v`.execute(db)
  const released = sql.lit(spec.visits + Math.floor(spec.visits / 50))
  await sql`insert into bookings (no, id, provider_no, place_no, region, start_at, end_at, time_zone,
      state, hold_until, renewed, visit_type, payment_method, purpose, first_minor, follow_minor,
      currency, free_cancel_hours, late_cancel_percent, sequence, created_at, closed_at, reference)
    select i, ${id('apt')}, 1 + ${dice} % ${sql.lit(spec.providers)},
      1 + ${dice} % ${sql.lit(spec.providers)}, 'uk', ${at(0)}, ${at(STEP)}, 'Europe/London',
      'released', 0, 0, 'first_visit', 'stripe', case when i % 40 = 0 then 'A cough' else '' end,
      6000, 4000, 'GBP', 24, 50, 0, ${at(-3 * DAY)}, ${at(-2 * DAY)}, 'AP-' || i
    from generate_series(${sql.lit(spec.visits + 1)}, ${released}) i`.execute(db)
}

async function writePayments(db: Db, spec: NightSpec): Promise<void> {
  await sql`insert into payments (no, id, booking_no, patient_no, gateway, state, amount_minor,
      currency, visit_type, expires_at, gw_session, gw_payment, checked_at, created_at, updated_at)
    select i, ${id('pay')}, i, patient_no, method, 'paid', 6000, 'GBP', 'first_visit',
      made_at + ${sql.lit(HOUR)}, 'session_' || i, 'payment_' || i, made_at, made_at, made_at
    from (${visits(spec)}) v`.execute(db)
}

/** Follow-up rows of cancelled and missed visits: all but the latest are settled. */
async function writeFollowUps(db: Db, spec: NightSpec): Promise<void> {
  await sql`insert into visit_changes (booking_no, at, what, by_kind, sequence, refund_minor, kept_minor)
    select i, made_at, 'cancelled', 'patient', 1, case when i % 100 = 0 then 3000 else 6000 end,
      case when i % 100 = 0 then 3000 else 0 end
    from (${visits(spec)}) v where is_cancelled`.execute(db)
  await sql`insert into refunds (id, payment_no, reason, amount_minor, state, tries, next_try_at,
      created_at, updated_at, key, currency)
    select ${id('rfd')}, i, 'no_show', 3000, 'done', 1, 0, end_at, end_at, ${id('rfd')}, 'GBP'
    from (${visits(spec)}) v
    where is_missed and not is_cancelled and provider_no % 2 = 0 and end_at <= ${at(-8 * DAY)}`.execute(
    db,
  )
  for (const [kind, days] of [
    ['week', 6.5],
    ['day', 0.5],
  ] as const) {
    await sql`insert into reminders (booking_no, kind, start_at, due_at, batch, created_at)
      select i, ${kind}, start_at, ${at(0)}, ${id('rmd')}, ${at(0)}
      from (${visits(spec)}) v where start_at between ${at(0)} and ${at(days * DAY)}`.execute(db)
  }
  await sql`insert into slot_claims (booking_no, provider_no, start_at, end_at)
    select i, provider_no, start_at, end_at
    from (${visits(spec)}) v where not is_cancelled and start_at >= ${at(0)}`.execute(db)
}

async function writePatients(db: Db, { providers }: NightSpec): Promise<void> {
  await sql`insert into accounts (no, id, kind, email, password_hash, first_name, last_name,
      phone_number, terms_accepted_at, created_at, updated_at)
    select i, ${id('usr')}, 'patient', 'a' || i || '@mail.example', '', 'Maya', 'Person ' || i, '',
      0, 0, 0 from generate_series(1, ${sql.lit(providers)}) i`.execute(db)
}

/** Every provider's next day is due for slots, and every registration is due for a check. */
async function writeProviders(db: Db, { providers }: NightSpec): Promise<void> {
  const i = sql`generate_series(1, ${sql.lit(providers)}) i`
  const day = (ms: number) => sql.lit(new Date(NOW + ms).toISOString().slice(0, 10))
  await sql`insert into slots (provider_no, start_at, place_no, minutes, free)
    select provider_no, next_free + k * ${sql.lit(STEP)}, place_no, 30, 1
    from search_index cross join generate_series(0, 4) k
    where next_free < ${at(365 * DAY)}`.execute(db)
  await sql`insert into schedules (provider_no, rotation_from, generated_to, extend_at, withdraw_at,
      version, updated_at)
    select provider_no, ${day(0)}, ${day(60 * DAY)}, ${at(-HOUR)} + provider_no % 180,
      next_free - ${sql.lit(3 * HOUR)}, 1, 0
    from search_index`.execute(db)
  await sql`insert into weekly_hours (provider_no, place_no, week, weekday, from_minute, to_minute)
    select i, i, 1, weekday, 540, 1020 from ${i} cross join generate_series(1, 5, 2) weekday`.execute(
    db,
  )
  await sql`insert into provider_standings (provider_no, state, since, is_match, asked_at, checked_at, due_at)
    select i, 'verified', 0, 1, 0, ${at(-DAY)}, ${at(-7 * HOUR)} from ${i}`.execute(db)
  await sql`insert into register_loads (no, body, state, source, entries, started_at, finished_at)
    values (1, 'GMC', 'current', 'list.csv', ${sql.lit(providers)}, 0, ${at(-DAY)})`.execute(db)
  await sql`insert into register_entries (load_no, registration_number, name, status_text)
    select 1, membership_number, first_name || ' ' || last_name, 'Registered with a licence to practise'
    from providers`.execute(db)
}

/** What a busy day leaves to be deleted, among rows that must stay. */
async function writeQueues(db: Db, { visits: count }: NightSpec): Promise<void> {
  const rows = sql`generate_series(1, ${sql.lit(Math.floor(count / 20))}) i`
  const done = (days: number) =>
    sql`${at(-days * DAY)} + i::bigint * ${sql.lit(days * DAY)} / ${sql.lit(Math.floor(count / 20))}`
  await sql`insert into outbox (id, topic, payload, created_at, attempts, due_at, done_at)
    select ${id('out')}, 'booking.confirmed', '{}', 0, 1, 0, ${done(8)} from ${rows}`.execute(db)
  await sql`insert into gateway_events (gateway, id, type, object, body, received_at, processed_at, tries)
    select 'stripe', ${id('evt')}, 'checkout.session.completed', 'session_' || i, '', 0,
      ${done(31)}, 1 from ${rows}`.execute(db)
}

type Index = { drop: string; make: string }

/** Drops all indexes but the primary keys during `work` and re-creates them afterwards. */
async function withoutIndexes(
  db: Db,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await sql<Index>`
    select case when k.oid is null then format('drop index %I', c.relname)
        else format('alter table %I drop constraint %I', t.relname, k.conname) end as drop,
      case when k.oid is null then pg_get_indexdef(c.oid)
        else format('alter table %I add constraint %I %s', t.relname, k.conname,
          pg_get_constraintdef(k.oid)) end as make
    from pg_index x join pg_class c on c.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      left join pg_constraint k on k.conindid = c.oid and k.contype in ('u', 'x')
    where t.relname in (${sql.join(tables)}) and t.relnamespace = current_schema()::regnamespace
      and not x.indisprimary`.execute(db)
  for (const { drop } of rows) await db.executeQuery(CompiledQuery.raw(drop))
  await work()
  for (const { make } of rows) await db.executeQuery(CompiledQuery.raw(make))
}

type Part = { tables: readonly string[]; write: (db: Db, spec: NightSpec) => Promise<void> }

/** Fills the tables one after the other, on a connection that does not check foreign keys. */
async function fill(database: Database, spec: NightSpec, parts: readonly Part[]): Promise<void> {
  await database.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    for (const { tables, write } of parts) {
      await withoutIndexes(db, tables, () => write(db, spec))
    }
    await sql`set session_replication_role = default`.execute(db)
  })
}

/** Fills the tables the nightly jobs read, in a database that already has providers and places. */
export async function fillNight(database: Database, spec: NightSpec): Promise<void> {
  await Promise.all([
    fill(database, spec, [{ tables: ['bookings'], write: writeBookings }]),
    fill(database, spec, [
      { tables: ['payments'], write: writePayments },
      { tables: ['accounts'], write: writePatients },
      { tables: ['slot_claims'], write: writeFollowUps },
      { tables: ['schedules', 'weekly_hours', 'slots'], write: writeProviders },
      { tables: ['outbox', 'gateway_events'], write: writeQueues },
    ]),
  ])
  await sql`vacuum analyze`.execute(database.db)
}
