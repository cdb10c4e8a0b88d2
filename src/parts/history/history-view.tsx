import { useMutation } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { type ReactNode, useEffect, useId } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { fetchFile, saveFile } from '#app/lib/files.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import type { RunWithStepUp } from '#app/parts/step-up.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/notice.tsx'
import { LiveRegion, PendingShapes } from '#app/ui/page.tsx'
import { type PageLinkProps, Pagination } from '#app/ui/pagination.tsx'
import { showToast } from '#app/ui/toast.tsx'
import {
  EXPORT_MAX,
  type EXPORT_PATH,
  type HistoryFilters as Filters,
  HISTORY_PAGE_SIZE,
  type HistoryPage,
  type HistorySheet,
  type OWN_EXPORT_PATH,
} from '#contract/payments-history.ts'
import {
  HistoryFilters,
  type HistoryFiltersProps,
  hasFilters,
  monthName,
} from './history-filters.tsx'
import { HistoryTable, type HistoryTableProps } from './history-table.tsx'

type HistoryListProps = {
  filters: Filters
  history: HistoryPage
  /** The data shown belongs to the previous filters. */
  isStale: boolean
  onApply: (filters: Filters) => void
  renderPageLink: (page: number, props: PageLinkProps) => ReactNode
  /** Shown when there are no bookings at all. */
  whenNothing: ReactNode
  hasDoctors?: boolean
} & Pick<HistoryTableProps, 'sortBy' | 'renderOpen'> & {
    /** Whether a staff-only filter is set. */
    isNarrowedMore?: boolean
    /** The further filters in words, after those of the others. */
    moreWords?: string
    /** Actions beside Print. */
    actions?: ReactNode
    /** Fetches all rows that match the filters, for printing. */
    onPrint: () => Promise<HistorySheet>
    /** Clears all filters, where there are more than these. */
    onClear?: () => void
  }

const methodLabels = { all: '', stripe: 'paid by card', paypal: 'paid with PayPal' } as const

/** "March 2025, paid with PayPal": the filters in words, for screen and print. */
function scopeText({ payment_method: method, month, year }: Filters): string {
  const when = year === undefined ? '' : month === 'all' ? `${year}` : `${monthName(month)} ${year}`
  return [when, methodLabels[method]].filter(Boolean).join(', ')
}

function countText({ total, current_page: page, appointments }: HistoryPage): string {
  if (total === 0 || appointments.length === 0) return 'No appointment history found.'
  const first = (page - 1) * HISTORY_PAGE_SIZE + 1
  const all = total.toLocaleString('en-GB')
  return total === 1
    ? '1 appointment'
    : `${first.toLocaleString('en-GB')} to ${(first + appointments.length - 1).toLocaleString('en-GB')} of ${all} appointments`
}

function NoBookings(props: HistoryListProps) {
  const { filters, history, onApply, whenNothing, isNarrowedMore = false, onClear } = props
  const isPastEnd = history.total > 0
  const isFiltered = isPastEnd || hasFilters(filters) || isNarrowedMore
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

/** Fetches all rows that match the filters, and prints them once they are rendered. */
function useHistoryPrint(onPrint: () => Promise<HistorySheet>) {
  const {
    data: sheet = null,
    isPending,
    mutate,
    reset,
  } = useMutation({
    mutationFn: onPrint,
    onError: (error) => void showToast(describeFailure(error).sentence),
  })
  useEffect(() => {
    if (sheet === null) return
    window.addEventListener('afterprint', reset)
    print()
    return () => window.removeEventListener('afterprint', reset)
  }, [sheet, reset])
  return { sheet, isBusy: isPending, start: () => mutate() }
}

/** Opens a print view of all rows that match the filters. */
function PrintButton({ isBusy, onPrint }: { isBusy: boolean; onPrint: () => void }) {
  return (
    <Button variant="secondary" isBusy={isBusy} onClick={onPrint}>
      <Printer aria-hidden="true" className="size-5" />
      Print
    </Button>
  )
}

function Body(props: HistoryListProps) {
  const { filters, history, isStale, renderPageLink, hasDoctors = false } = props
  const { sortBy = 'date', renderOpen, actions, moreWords = '', onPrint } = props
  const printing = useHistoryPrint(onPrint)
  const { sheet } = printing
  const scope = [scopeText(filters), moreWords].filter(Boolean).join(', ')
  if (history.appointments.length === 0) return <NoBookings {...props} />
  return (
    <div aria-busy={isStale} className={isStale ? 'opacity-60 transition-opacity' : ''}>
      {sheet && <PrintList sheet={sheet} scope={scope} {...{ filters, sortBy, hasDoctors }} />}
      <div className={sheet ? 'print:hidden' : ''}>
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="tabular text-muted">
            {countText(history)}
            {scope !== '' && ` · ${scope}`}
          </p>
          <div className="no-print flex flex-wrap items-center gap-3">
            {actions}
            <PrintButton isBusy={printing.isBusy} onPrint={printing.start} />
          </div>
        </div>
        <HistoryTable
          rows={history.appointments}
          first={(history.current_page - 1) * HISTORY_PAGE_SIZE + 1}
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
    </div>
  )
}

type PrintListProps = Pick<HistoryListProps, 'filters' | 'sortBy' | 'hasDoctors'> & {
  sheet: HistorySheet
  scope: string
}

/** Replaces the page in print: all rows that match the filters. */
function PrintList({ sheet, scope, filters, sortBy = 'date', hasDoctors = false }: PrintListProps) {
  const { appointments, isCut } = sheet
  const count = `${appointments.length.toLocaleString('en-GB')} ${appointments.length === 1 ? 'appointment' : 'appointments'}`
  return (
    <div className="hidden print:block">
      <p className="tabular mb-3">
        {isCut ? `The first ${count}` : count}
        {scope !== '' && ` · ${scope}`}
      </p>
      <HistoryTable
        rows={appointments}
        first={1}
        sort={filters.sort}
        sortBy={sortBy}
        hasDoctors={hasDoctors}
      />
    </div>
  )
}

/** Placeholder of the list. */
const pending = (
  <PendingShapes
    className="flex flex-col gap-3"
    shapes={['h-11 w-56', ...Array.from({ length: 5 }, () => 'h-28 md:h-12')]}
  />
)

type HistoryFrameProps = Pick<HistoryListProps, 'filters' | 'onApply'> &
  Pick<HistoryFiltersProps, 'search' | 'more'> & {
    /** The list, a `HistoryList` that reads its page. */
    children: ReactNode
  }

/** Filters above a list of booked appointments: a provider's own, or all of them for staff. */
export function HistoryFrame({ children, ...filters }: HistoryFrameProps) {
  return (
    <div className="flex flex-col gap-6">
      <HistoryFilters {...filters} />
      <DataBoundary failed="The history didn’t load" pending={pending}>
        {children}
      </DataBoundary>
    </div>
  )
}

/** Table, pagination and Print of booked appointments. */
export function HistoryList(props: HistoryListProps) {
  return (
    <>
      <LiveRegion text={countText(props.history)} />
      <Body {...props} />
    </>
  )
}

type HistoryExportProps = {
  path: typeof EXPORT_PATH | typeof OWN_EXPORT_PATH
  /** The filters, as the export endpoint takes them. */
  filters: object
  /** Asks for step-up authentication, where the endpoint requires it. */
  prove?: RunWithStepUp
  total: number
  /** Why the viewer may not export; null or absent if they may. */
  whyNot?: string | null
}

const grouped = (rows: number) => rows.toLocaleString('en-GB')

/** Downloads the rows that match the filters, up to `EXPORT_MAX`, as a CSV file. */
export function HistoryExport({
  path,
  filters,
  prove = (act) => act(),
  total,
  whyNot = null,
}: HistoryExportProps) {
  const id = useId()
  const save = useMutation({
    mutationFn: () => prove(() => fetchFile(path, filters)),
    onSuccess: ({ name, content }) => {
      saveFile(name, content, 'text/csv;charset=utf-8')
      void showToast(
        total > EXPORT_MAX
          ? `The first ${grouped(EXPORT_MAX)} rows are downloaded.`
          : `${grouped(total)} ${total === 1 ? 'row is' : 'rows are'} downloaded.`,
      )
    },
  })
  const failure = save.error ? describeFailure(save.error) : null
  const message =
    whyNot ??
    (failure !== null && failure.code !== 'step_up_required' ? failure.sentence : null) ??
    (total > EXPORT_MAX ? `The file will hold only the first ${grouped(EXPORT_MAX)} rows.` : null)
  return (
    <>
      {message !== null && (
        <p
          id={id}
          role={failure === null ? undefined : 'alert'}
          className={failure === null ? 'text-sm text-muted' : 'text-sm font-medium text-danger'}
        >
          {message}
        </p>
      )}
      <Button
        variant="secondary"
        isBusy={save.isPending}
        disabled={whyNot !== null}
        aria-describedby={message === null ? undefined : id}
        onClick={() => save.mutate()}
      >
        <Download aria-hidden="true" className="size-5" />
        Download CSV
      </Button>
    </>
  )
}
