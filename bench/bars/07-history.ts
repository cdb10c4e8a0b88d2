import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { type Bar, type BenchOptions, type Measure, percentile, type Times } from '#bench/bar.ts'
import { cachePath, NOW, seeded } from '#bench/data.ts'
import { MAX_PAGE } from '#contract/base/paging.ts'
import type { StaffHistoryInput } from '#contract/payments.ts'
import {
  HISTORY_PAGE_SIZE,
  type HistoryInput,
  type HistorySortBy,
} from '#contract/payments-history.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { listHistory } from '#server/payments/history/history.ts'
import type { HistoryScope } from '#server/payments/history/history-store.ts'
import { listAllHistory } from '#server/payments/history/staff-payments.ts'

/** Five years of bookings spread over these providers and patients; provider 1 has a tenth of them. */
type BookedSpec = { bookings: number; providers: number; patients: number }

const YEARS_MS = 5 * 365 * 86_400_000
const STEP = 1_800_000

/** SQL for a table `n(i)` with the rows 1 to `count`. */
const numbers = (count: number) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`

const digits = (prefix: string) => `'${prefix}_' || substr('00000000000000000000000000' || i, -26)`

function writePeople(file: Sqlite.Database, { providers, patients }: BookedSpec): void {
  file.exec(`${numbers(providers)}
    insert into providers (no, id, region, title, first_name, last_name, gender, email,
      specialty_no, professional_body, membership_number, verification_status, verified_at, photo,
      about, qualifications, languages, offers_in_person, offers_video, amount_minor,
      follow_amount_minor, currency, consultation_minutes, created_at, updated_at)
    select i, ${digits('prv')}, 'uk', 'Dr', 'Alexandra', 'Person ' || i, 'female',
      'p' || i || '@clinic.example', 1, 'GMC', '7000001', 'Verified', 0, null, '', '[]', '[]', 1, 0,
      6000, 4000, 'GBP', 30, 0, 0 from n`)
  file.exec(`${numbers(providers)}
    insert into places (no, id, provider_no, position, name, address, locality, postcode, latitude,
      longitude, time_zone, phone)
    select i, ${digits('plc')}, i, 0, 'The Surgery', '1 High Street', 'Town', 'SE1 6ET', 51.5, 0,
      'Europe/London', null from n`)
  file.exec(`${numbers(patients)}
    insert into accounts (no, id, kind, email, password_hash, first_name, last_name, phone_number,
      default_radius, totp_last_step, must_change_password, terms_accepted_at, created_at, updated_at)
    select i, ${digits('usr')}, 'patient', 'a' || i || '@mail.example', '', 'Maya', 'Person ' || i,
      '', 10, 0, 0, 0, 0, 0 from n`)
}

/** Bookings are made weeks ahead or on the day, so booking order differs from visit order. */
function writeBookings(file: Sqlite.Database, spec: BookedSpec): void {
  const { bookings, providers, patients } = spec
  const dice = '((i * 2654435761) % 4294967296)'
  const start = `((${NOW - YEARS_MS} + i * ${Math.floor(YEARS_MS / bookings)}
    + (${dice} % 2880) * ${STEP}) / ${STEP} * ${STEP})`
  const provider = `case when ${dice} % 10 = 0 then 1 else 2 + ${dice} % ${providers - 1} end`
  const method = `case when ${dice} % 3 = 0 then 'paypal' else 'stripe' end`
  file.exec(`${numbers(bookings)}
    insert into bookings (no, id, patient_no, provider_no, place_no, region, start_at, end_at,
      time_zone, state, hold_until, renewed, visit_type, payment_method, purpose, first_minor,
      follow_minor, currency, free_cancel_hours, late_cancel_percent, paid_by, sequence,
      created_at, confirmed_at, wall_at, reference)
    select i, ${digits('apt')}, 1 + ${dice} % ${patients}, ${provider}, 1, 'uk', ${start},
      ${start} + ${STEP}, 'Europe/London', case when i % 50 = 0 then 'cancelled' else 'confirmed' end,
      0, 0, 'first_visit', ${method}, 'A cough that will not go away', 6000, 4000, 'GBP', 24, 50, i,
      0, 0, 0, ${start}, 'AP-' || i from n`)
  file.exec(`${numbers(bookings)}
    insert into payments (no, id, booking_no, patient_no, gateway, state, amount_minor, currency,
      visit_type, expires_at, checked_at, created_at, updated_at)
    select i, ${digits('pay')}, i, 1 + ${dice} % ${patients}, ${method}, 'paid', 6000, 'GBP',
      'first_visit', 0, 0, 0, 0 from n`)
}

/** Computes in bulk the counts that triggers otherwise keep row by row. */
function countMonths(file: Sqlite.Database): void {
  const month = `cast(strftime('%Y', wall_at / 1000, 'unixepoch') as integer) * 12
    + cast(strftime('%m', wall_at / 1000, 'unixepoch') as integer) - 1`
  file.exec(`insert into booking_months (scope_no, month, method, shard, n)
    select provider_no, ${month}, payment_method, 0, count(*) from bookings group by 1, 2, 3`)
  file.exec(`insert into booking_months (scope_no, month, method, shard, n)
    select 0, ${month}, payment_method, no & 15, count(*) from bookings group by 2, 3, 4`)
}

type Definition = { type: string; name: string; sql: string }

/** Drops the tables' indexes and triggers during `work` and re-creates them afterwards. */
function withoutIndexes(file: Sqlite.Database, tables: readonly string[], work: () => void): void {
  const found = file
    .prepare<string[], Definition>(
      `select type, name, sql from sqlite_schema where type in ('index', 'trigger')
        and sql is not null and tbl_name in (${tables.map(() => '?').join(', ')})`,
    )
    .all(...tables)
  for (const { type, name } of found) file.exec(`drop ${type} ${name}`)
  work()
  for (const { sql } of found) file.exec(sql)
}

/** Path of a database file with that many bookings, made once and kept. */
async function bookedFile(spec: BookedSpec, { say }: BenchOptions): Promise<string> {
  const name = `booked-${spec.bookings}`
  const path = await cachePath(name, ['migrations', 'bench/bars/07-history.ts'])
  if (existsSync(path)) return path
  say(`Making ${spec.bookings} bookings of ${spec.providers} providers`)
  const unfinished = `${path}.part`
  for (const ending of ['', '-wal', '-shm']) await rm(unfinished + ending, { force: true })
  const database = openDatabase(`sqlite:${unfinished}`)
  await migrateToLatest(database)
  await database.close()
  const file = new Sqlite(unfinished)
  for (const pragma of ['journal_mode = off', 'synchronous = off', 'foreign_keys = off']) {
    file.pragma(pragma)
  }
  file.pragma('cache_size = -400000')
  file.transaction(() => {
    writePeople(file, spec)
    withoutIndexes(file, ['bookings', 'payments'], () => {
      writeBookings(file, spec)
      countMonths(file)
    })
  })()
  file.close()
  await rename(unfinished, path)
  return path
}

const SORTS = ['desc', 'asc'] as const
const METHODS = ['all', 'stripe', 'paypal'] as const

function specOf({ quick }: BenchOptions): BookedSpec {
  return quick
    ? { bookings: 250_000, providers: 500, patients: 5_000 }
    : { bookings: 5_000_000, providers: 10_000, patients: 100_000 }
}

type Filters = Omit<HistoryInput, 'page'>

/** A query for any page of the history, even beyond the highest page the endpoint serves. */
type PageQuery = { filters: Filters; page: number }

async function questions(
  database: Database,
  scope: HistoryScope,
  count: number,
): Promise<PageQuery[]> {
  const random = seeded(5)
  const asked: PageQuery[] = []
  for (let n = 0; n < count; n += 1) {
    const sort = SORTS[n % 2] ?? 'desc'
    const payment_method = METHODS[n % 3] ?? 'all'
    const filters: Filters = { sort, payment_method, month: 'all' }
    const { total } = await listHistory({ database }, scope, { ...filters, page: 1 })
    const pages = Math.ceil(total / HISTORY_PAGE_SIZE)
    asked.push({ filters, page: 1 + Math.floor(random() * pages) })
  }
  return asked
}

/** Attempts per page; the fastest counts, as the one least disturbed by other processes. */
const ATTEMPTS = 7

async function fastest(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let go = 0; go < ATTEMPTS; go += 1) {
    const start = performance.now()
    await work()
    best = Math.min(best, performance.now() - start)
  }
  return best
}

async function measureScope(
  database: Database,
  scope: HistoryScope,
  { name, count }: { name: string; count: number },
): Promise<Measure[]> {
  const pageOf = ({ filters }: PageQuery, page: number) =>
    fastest(() => listHistory({ database }, scope, { ...filters, page }))
  const first: Times = []
  const any: Times = []
  for (const one of await questions(database, scope, count)) {
    first.push(await pageOf(one, 1))
    any.push(await pageOf(one, one.page))
  }
  const limit = percentile(first, 0.5)
  return [
    {
      name: `the slowest history page of ${name}, against page one`,
      ours: Math.max(...any),
      limit,
      unit: 'ms',
      bar: { atMost: 20 },
    },
    {
      name: `a history page of ${name} in the middle, against page one`,
      ours: percentile(any, 0.5),
      limit,
      unit: 'ms',
      bar: null,
    },
  ]
}

const ORDERS: readonly HistorySortBy[] = ['payment_method', 'amount', 'user_name', 'doctor_name']

/** Measures the pages of one sort order of the staff's history, including the highest page served. */
async function measureOrder(database: Database, sortBy: HistorySortBy): Promise<Measure> {
  const first: Times = []
  const any: Times = []
  const random = seeded(9)
  for (let n = 0; n < 24; n += 1) {
    const input: StaffHistoryInput = {
      page: 1,
      sort: SORTS[n % 2] ?? 'desc',
      sort_by: sortBy,
      payment_method: METHODS[n % 3] ?? 'all',
      month: 'all',
      state: 'all',
      region: n % 4 === 3 ? 'uk' : 'all',
    }
    const { total_pages: pages } = await listAllHistory({ database }, input)
    const page = n < 6 ? Math.min(pages, MAX_PAGE) : 1 + Math.floor(random() * pages)
    first.push(await fastest(() => listAllHistory({ database }, input)))
    any.push(await fastest(() => listAllHistory({ database }, { ...input, page })))
  }
  const isCounted = sortBy === 'payment_method'
  return {
    name: `the slowest page of staff’s history by ${sortBy.replace('_', ' ')}, against page one`,
    ours: Math.max(...any),
    limit: percentile(first, 0.5),
    unit: 'ms',
    bar: isCounted ? { atMost: 20 } : null,
  }
}

async function measureOrders(database: Database): Promise<Measure[]> {
  const measures: Measure[] = []
  for (const order of ORDERS) measures.push(await measureOrder(database, order))
  return measures
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const database = openDatabase(`sqlite:${await bookedFile(specOf(options), options)}`)
  const count = options.quick ? 90 : 300
  try {
    return [
      ...(await measureScope(database, 'everybody', { name: 'everybody', count })),
      ...(await measureScope(database, { providerNo: 1 }, { name: 'a busy provider', count })),
      ...(await measureOrders(database)),
    ]
  } finally {
    await database.close()
  }
}

export const bar: Bar = { no: 7, title: 'Histories', run }
