import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { type PageLinkProps, Pagination } from '#app/ui/pagination.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import { LiveRegion } from '#app/ui/skip-link.tsx'
import {
  type HistoryFilters as Filters,
  HISTORY_PAGE_SIZE,
  type HistoryPage,
} from '#contract/payments-history.ts'
import { DataBoundary } from './data-boundary.tsx'
import { isNarrowed } from './history-address.ts'
import { HistoryFilters, monthName } from './history-filters.tsx'
import { HistoryTable, type HistoryTableProps } from './history-table.tsx'

type HistoryListProps = {
  filters: Filters
  history: HistoryPage
  /** What is shown is of the question before. */
  isStale: boolean
  onApply: (filters: Filters) => void
  renderPageLink: (page: number, props: PageLinkProps) => ReactNode
  /** What to do when nobody has booked at all. */
  whenNothing: ReactNode
  hasDoctors?: boolean
} & Pick<HistoryTableProps, 'sortBy' | 'renderOpen'> & {
    /** Whether one of the filters that only staff have narrows what is shown. */
    isNarrowedMore?: boolean
    /** In words, after those of the other filters. */
    moreWords?: string
    /** Beside Print. */
    actions?: ReactNode
    /** Takes all filters away, where there are more than these. */
    onClear?: () => void
  }

const methodWords = { all: '', stripe: 'paid by card', paypal: 'paid with PayPal' } as const

/** "March 2025, paid with PayPal": what the filters leave, for people and for paper. */
function scopeWords({ payment_method: method, month, year }: Filters): string {
  const when = year === undefined ? '' : month === 'all' ? `${year}` : `${monthName(month)} ${year}`
  return [when, methodWords[method]].filter(Boolean).join(', ')
}

function countWords({ total, current_page: page, appointments }: HistoryPage): string {
  if (total === 0 || appointments.length === 0) return 'No appointment history found.'
  const first = (page - 1) * HISTORY_PAGE_SIZE + 1
  const all = total.toLocaleString('en-GB')
  return total === 1
    ? '1 appointment'
    : `${first.toLocaleString('en-GB')} to ${(first + appointments.length - 1).toLocaleString('en-GB')} of ${all} appointments`
}

function Nothing(props: HistoryListProps) {
  const { filters, history, onApply, whenNothing, isNarrowedMore = false, onClear } = props
  const isPastEnd = history.total > 0
  const isFiltered = isPastEnd || isNarrowed(filters) || isNarrowedMore
  return (
    <EmptyState
      title="No appointment history found."
      actions={
        isFiltered && (
          <Button
            variant="secondary"
            onClick={() => {
              if (isPastEnd) onApply(filters)
              else if (onClear) onClear()
              else onApply({ sort: filters.sort, payment_method: 'all', month: 'all' })
            }}
          >
            {isPastEnd ? 'Back to the first page' : 'Clear the filters'}
          </Button>
        )
      }
    >
      {!isFiltered && whenNothing}
    </EmptyState>
  )
}

function Body(props: HistoryListProps) {
  const { filters, history, isStale, renderPageLink, hasDoctors = false } = props
  const { sortBy = 'date', renderOpen, actions, moreWords = '' } = props
  const scope = [scopeWords(filters), moreWords].filter(Boolean).join(', ')
  if (history.appointments.length === 0) return <Nothing {...props} />
  return (
    <div aria-busy={isStale} className={isStale ? 'opacity-60 transition-opacity' : ''}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="tabular text-muted">
          {countWords(history)}
          {scope !== '' && ` · ${scope}`}
        </p>
        <div className="no-print flex flex-wrap items-center gap-3">
          {actions}
          <Button variant="secondary" onClick={() => print()}>
            <Printer aria-hidden="true" className="size-5" />
            Print
          </Button>
        </div>
      </div>
      <HistoryTable
        history={history}
        sort={filters.sort}
        sortBy={sortBy}
        hasDoctors={hasDoctors}
        renderOpen={renderOpen}
      />
      <div className="mt-6">
        <Pagination
          page={history.current_page}
          pages={history.total_pages}
          renderLink={renderPageLink}
        />
      </div>
    </div>
  )
}

/** The list in grey. */
const pending = (
  <PendingShapes
    className="flex flex-col gap-3"
    shapes={['h-11 w-56', ...Array.from({ length: 5 }, () => 'h-28 md:h-12')]}
  />
)

type HistoryFrameProps = Pick<HistoryListProps, 'filters' | 'onApply'> & {
  /** More filters. */
  more?: ReactNode
  /** The list, a `HistoryList` that reads its page. */
  children: ReactNode
}

/** Filters above a list of booked appointments: a provider's own, or everybody's for staff. */
export function HistoryFrame({ filters, onApply, more, children }: HistoryFrameProps) {
  return (
    <div className="flex flex-col gap-6">
      <HistoryFilters filters={filters} onApply={onApply} more={more} />
      <DataBoundary failed="The history did not load" pending={pending}>
        {children}
      </DataBoundary>
    </div>
  )
}

/** Table, pages and Print of booked appointments. */
export function HistoryList(props: HistoryListProps) {
  return (
    <>
      <LiveRegion text={countWords(props.history)} />
      <Body {...props} />
    </>
  )
}
