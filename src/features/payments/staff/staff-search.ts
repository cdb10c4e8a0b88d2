import {
  type HistorySearch,
  historyInput,
  readFilters,
  toHistorySearch,
} from '#app/parts/history/history-filters.tsx'
import { readPage } from '#contract/base/paging.ts'
import { readSearch, type StaffHistoryInput } from '#contract/payments.ts'
import type { HistoryFilters, HistorySortBy } from '#contract/payments-history.ts'
import type { DifferencesInput } from '#contract/payments-review.ts'

export const PAYMENTS_PATH = '/admin-home/payments'

/** URL query parameters of the staff's payments. */
export type StaffPaymentsSearch = HistorySearch & {
  sort_by?: string
  state?: string
  region?: string
  /** A name, an email address, a reference or a payment's id. */
  search?: string
  /** `review` or `differences` instead of the history. */
  show?: string
  /** The appointment that is open beside the list. */
  visit?: string
  /** Shows resolved differences. */
  dealt?: string
}

/** The staff-only filters. */
export type StaffOnlyFilters = Required<Pick<StaffHistoryInput, 'sort_by' | 'state' | 'region'>> & {
  search: string
}

/** Maximum length of an email address, and more than any gateway's id. */
export const MAX_SEARCH_LENGTH = 255

const SORTS: readonly HistorySortBy[] = [
  'date',
  'amount',
  'user_name',
  'doctor_name',
  'payment_method',
]

/** Reads the staff-only filters from the URL. */
export function readStaffOnlyFilters(address: StaffPaymentsSearch): StaffOnlyFilters {
  const { sort_by: by, state, region, search = '' } = address
  return {
    sort_by: SORTS.find((one) => one === by) ?? 'date',
    state: (['confirmed', 'cancelled', 'refunded'] as const).find((one) => one === state) ?? 'all',
    region: region === 'uk' || region === 'usa' ? region : 'all',
    search: search.trim().slice(0, MAX_SEARCH_LENGTH),
  }
}

/** The query for the server. */
export function staffInput(address: StaffPaymentsSearch): StaffHistoryInput {
  const { search, ...more } = readStaffOnlyFilters(address)
  return { ...historyInput(address), ...more, ...readSearch(search) }
}

/** The query for differences in the URL. */
export function differencesInput({ dealt, page }: StaffPaymentsSearch): DifferencesInput {
  return { show: dealt === '1' ? 'dealt' : 'open', page: readPage(page) }
}

/** URL query parameters for filters and a page. */
export function toStaffSearch(
  filters: HistoryFilters,
  more: StaffOnlyFilters,
  page = 1,
): Omit<StaffPaymentsSearch, 'show' | 'visit'> {
  return {
    ...toHistorySearch(filters, page),
    ...(more.sort_by !== 'date' && { sort_by: more.sort_by }),
    ...(more.state !== 'all' && { state: more.state }),
    ...(more.region !== 'all' && { region: more.region }),
    ...(more.search !== '' && { search: more.search }),
  }
}

/** Both kinds of filters in the URL. */
export function readAllFilters(address: StaffPaymentsSearch): {
  filters: HistoryFilters
  more: StaffOnlyFilters
} {
  return { filters: readFilters(address), more: readStaffOnlyFilters(address) }
}

export const NO_STAFF_ONLY_FILTERS: StaffOnlyFilters = {
  sort_by: 'date',
  state: 'all',
  region: 'all',
  search: '',
}

/** "booked, USA, Maya": the staff-only filters in words. */
export function staffOnlyFiltersText({ state, region, search }: StaffOnlyFilters): string {
  const states = { all: '', confirmed: 'booked', cancelled: 'cancelled', refunded: 'refunded' }
  const regions = { all: '', uk: 'UK', usa: 'USA' }
  const { reference, gateway, email, name } = readSearch(search)
  return [
    states[state],
    regions[region],
    name && `named ${name}`,
    email,
    reference && `reference ${reference}`,
    gateway && `payment ${gateway}`,
  ]
    .filter(Boolean)
    .join(', ')
}
