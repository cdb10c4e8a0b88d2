import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import { type BookedSpec, bookedFile } from '#bench/booked-data.ts'
import { percentile, type Times } from '#bench/measure.ts'
import { seeded } from '#bench/random.ts'
import { MAX_PAGE } from '#contract/paging.ts'
import {
  HISTORY_PAGE_SIZE,
  type HistoryInput,
  type HistorySortBy,
} from '#contract/payments-history.ts'
import type { StaffHistoryInput } from '#contract/payments-staff.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import type { HistoryScope } from '#server/payments/history/history-store.ts'
import { listHistory } from '#server/payments/history/list-history.ts'
import { listAllHistory } from '#server/payments/history/staff-history.ts'

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
