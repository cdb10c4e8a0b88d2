import {
  HISTORY_MONTHS,
  type HistoryFilters,
  type HistoryInput,
  yearProblem,
} from '#contract/payments-history.ts'

/** A history's URL query parameters: filters and page, each omitted at its default. */
export type HistorySearch = {
  sort?: string
  payment_method?: string
  month?: string
  year?: string
  page?: string
}

function yearOf(text: string | undefined): number | undefined {
  const year = Math.trunc(Number(text))
  return text === undefined || text.trim() === '' || Number.isNaN(year) ? undefined : year
}

const MAX_YEAR = 1e9

/** The filters in the URL, even if they do not go together. */
export function readFilters(address: HistorySearch): HistoryFilters {
  const { sort, payment_method: method, month } = address
  const year = yearOf(address.year)
  return {
    sort: sort === 'asc' ? 'asc' : 'desc',
    payment_method: method === 'stripe' || method === 'paypal' ? method : 'all',
    month: HISTORY_MONTHS.find((one) => one === month) ?? 'all',
    ...(year !== undefined && Math.abs(year) <= MAX_YEAR && { year }),
  }
}

/** The query for the server: a month without a year is not applied. */
export function historyInput(address: HistorySearch): HistoryInput {
  const filters = readFilters(address)
  const page = Number(address.page)
  const isPage = Number.isInteger(page) && page >= 1 && page <= 10_000
  return {
    ...filters,
    ...(yearProblem(filters)?.isApplied === false && { month: 'all' as const }),
    page: isPage ? page : 1,
  }
}

/** URL query parameters for filters and a page. */
export function toHistorySearch(
  { sort, payment_method, month, year }: HistoryFilters,
  page = 1,
): HistorySearch {
  return {
    ...(sort !== 'desc' && { sort }),
    ...(payment_method !== 'all' && { payment_method }),
    ...(month !== 'all' && { month }),
    ...(year !== undefined && { year: String(year) }),
    ...(page > 1 && { page: String(page) }),
  }
}

/** Whether any filter other than the order is set. */
export function hasFilters({ payment_method: method, month, year }: HistoryFilters): boolean {
  return method !== 'all' || month !== 'all' || year !== undefined
}
