import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RegisterOptions } from 'react-hook-form'
import { useMedia } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { useFilterForm } from '#app/lib/forms/use-filter-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { dateFormat } from '#contract/base/intl.ts'
import { readPage } from '#contract/base/paging.ts'
import {
  type HistoryFilters as Filters,
  HISTORY_MONTHS,
  type HistoryInput,
  YEAR_MAX,
  YEAR_MIN,
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
export function readFilters(address: HistorySearch): Filters {
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
  return {
    ...filters,
    ...(yearProblem(filters)?.isApplied === false && { month: 'all' as const }),
    page: readPage(address.page),
  }
}

/** URL query parameters for filters and a page. */
export function toHistorySearch(
  { sort, payment_method, month, year }: Filters,
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
export function hasFilters({ payment_method: method, month, year }: Filters): boolean {
  return method !== 'all' || month !== 'all' || year !== undefined
}

/** "January", from the number of the month in two digits. */
export function monthName(month: string): string {
  return dateFormat('en-GB', { timeZone: 'UTC', month: 'long' }).format(
    new Date(`2026-${month}-15T12:00:00Z`),
  )
}

type Draft = { sort: string; payment_method: string; month: string; year: string }

function draftOf({ year, ...rest }: Filters): Draft {
  return { ...rest, year: year?.toString() ?? '' }
}

export type HistoryFiltersProps = {
  /** The filters applied now. */
  filters: Filters
  onApply: (filters: Filters) => void
  /** A field to search by, which stays open on phones. */
  search?: ReactNode
  /** Further filters, and how many are set; the caller applies them in `onApply`. */
  more?: { fields: ReactNode; active: number }
}

/** How many filters are set. */
function activeIn({ payment_method: method, month, year }: Filters): number {
  return [method !== 'all', month !== 'all', year !== undefined].filter(Boolean).length
}

type FoldProps = { active: number; isOpen: boolean; children: ReactNode }

/** On phones the filters collapse into one line that says how many are set. */
function Fold({ active, isOpen, children }: FoldProps) {
  return (
    <details open={isOpen}>
      <summary className="flex min-h-11 list-none items-center justify-between font-semibold text-brand-deep">
        {active === 0 ? 'Filters' : `Filters (${active})`}
        <ChevronDown aria-hidden="true" className="size-5 in-open:rotate-180" />
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  )
}

/**
 * The filters of a history, applied on Submit. A month without a year is not applied; a year out of range is,
 * with a message.
 */
export function HistoryFilters({ filters, onApply, search, more }: HistoryFiltersProps) {
  const isWide = useMedia('(min-width: 48rem)')
  const { form, field } = useFilterForm(draftOf(filters), 'onSubmit')
  const yearRules: RegisterOptions<Draft, 'year'> = {
    validate: (_, draft) => {
      const problem = yearProblem(readFilters(draft))
      return problem?.isApplied === false ? problem.sentence : true
    },
  }
  const yearError = form.formState.errors.year?.message ?? yearProblem(filters)?.sentence
  const submit = <Button type="submit">Submit</Button>
  const fields = (
    <>
      <Select label="Sort" {...field('sort')}>
        <option value="desc">Latest to Oldest</option>
        <option value="asc">Oldest to Latest</option>
      </Select>
      <Select label="Payment method" {...field('payment_method')}>
        <option value="all">All</option>
        <option value="stripe">Card (Stripe)</option>
        <option value="paypal">PayPal</option>
      </Select>
      <Select label="Month" {...field('month')}>
        <option value="all">All</option>
        {HISTORY_MONTHS.map((month) => (
          <option key={month} value={month}>
            {monthName(month)}
          </option>
        ))}
      </Select>
      <TextInput
        type="number"
        inputMode="numeric"
        label="Year"
        min={YEAR_MIN}
        max={YEAR_MAX}
        step={1}
        error={yearError}
        {...field('year', yearRules)}
      />
      {more?.fields}
      {search === undefined && submit}
    </>
  )
  const row = (
    <div
      className={cx(
        'grid grid-cols-2 items-end gap-4',
        more === undefined
          ? '@3xl:grid-cols-[11.5rem_minmax(0,1fr)_minmax(0,1fr)_7rem_auto]'
          : '@2xl:grid-cols-[1.35fr_1fr_1fr_0.8fr] @4xl:grid-cols-[1.45fr_1.1fr_1.05fr_0.65fr_0.9fr_0.85fr_0.7fr] @4xl:gap-3',
      )}
    >
      {fields}
    </div>
  )
  const active = activeIn(filters) + (more?.active ?? 0)
  return (
    <form
      noValidate
      aria-label="Filters"
      onSubmit={(event) => void form.handleSubmit((draft) => onApply(readFilters(draft)))(event)}
      className="no-print @container flex flex-col gap-4 rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      {search !== undefined && (
        <div className="flex items-end gap-3">
          <div className="min-w-0 flex-1">{search}</div>
          {submit}
        </div>
      )}
      {isWide ? (
        row
      ) : (
        <Fold active={active} isOpen={active > 0 || yearError !== undefined}>
          {row}
        </Fold>
      )}
    </form>
  )
}
