import type { ReactNode } from 'react'
import {
  historyAmount,
  historyDate,
  historyMethod,
  historyName,
  historyRefund,
  historyStatus,
  historyTime,
  modeLabels,
  staffDate,
  staffTime,
} from '#app/lib/visit-text.ts'
import { CardFact, type Column, DataTable } from '#app/ui/data-table.tsx'
import { Badge } from '#app/ui/notice.tsx'
import type { HistoryRow, HistorySortBy } from '#contract/payments-history.ts'

export type HistoryTableProps = {
  rows: readonly HistoryRow[]
  /** Number of the first row, counted across pages. */
  first: number
  sort: 'asc' | 'desc'
  /** Shows each visit's provider, for staff. */
  hasDoctors?: boolean
  /** The column the rows are sorted by. */
  sortBy?: HistorySortBy
  /** For rows that can be opened: a link around the name that fills the row. */
  renderOpen?: ((row: HistoryRow, props: OpenProps) => ReactNode) | undefined
}

export type OpenProps = { className: string; 'aria-label': string; children: ReactNode }

function Status({ row }: { row: HistoryRow }) {
  const { words, money } = historyStatus(row)
  return (
    <>
      <Badge tone={row.state === 'cancelled' ? 'plain' : 'ok'}>{words}</Badge>
      {money !== null && <span className="mt-1 block text-sm text-muted">{money}</span>}
    </>
  )
}

function Amount({ row }: { row: HistoryRow }) {
  const refund = historyRefund(row)
  return (
    <>
      {historyAmount(row)}
      {refund !== null && <span className="block text-sm text-muted">{refund}</span>}
    </>
  )
}

/** The practice location, if the provider has several; null for a video visit. */
function whereOf({ mode, place }: HistoryRow): string | null {
  return mode === 'video' ? modeLabels.video : place
}

function Where({ row }: { row: HistoryRow }) {
  const where = whereOf(row)
  return where !== null && <span className="block text-sm text-muted">{where}</span>
}

type NameProps = Pick<HistoryTableProps, 'renderOpen'> & {
  row: HistoryRow
  number: number
  date: string
}

function UserName({ row, number, date, renderOpen }: NameProps) {
  const name = historyName(row.user_name)
  return (
    <>
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        {renderOpen === undefined
          ? name
          : renderOpen(row, {
              className:
                'text-ink no-underline after:absolute after:inset-0 hover:underline focus-visible:outline-none ' +
                'focus-visible:after:outline-3 focus-visible:after:-outline-offset-2 focus-visible:after:outline-brand',
              'aria-label': `Open ${number}, ${name}, ${date}`,
              children: name,
            })}
      </span>
      {/* Stacked above the link that fills the row, so that it can be selected and copied. */}
      <span className="tabular relative block w-fit text-sm font-normal whitespace-nowrap text-muted select-all">
        {row.reference}
      </span>
    </>
  )
}

/** A page of a history, with the documented columns. */
export function HistoryTable(props: HistoryTableProps) {
  const { rows, first, sort, sortBy = 'date', hasDoctors = false, renderOpen } = props
  // Staff have both regions in one list.
  const [dateOf, timeOf] = hasDoctors ? [staffDate, staffTime] : [historyDate, historyTime]
  const sorted = (by: HistorySortBy) =>
    sortBy === by ? (sort === 'asc' ? 'ascending' : 'descending') : undefined
  const name = (row: HistoryRow, at: number) => (
    <UserName row={row} number={first + at} date={dateOf(row)} renderOpen={renderOpen} />
  )
  const doctor: Column<HistoryRow> = {
    key: 'doctor_name',
    head: 'Doctor name',
    sorted: sorted('doctor_name'),
    renderCell: (row) => historyName(row.doctor_name),
  }
  const columns: Column<HistoryRow>[] = [
    {
      key: 'number',
      head: '#',
      cellClass: 'text-muted',
      renderCell: (_row, at) => first + at,
    },
    {
      key: 'user_name',
      head: 'User name',
      sorted: sorted('user_name'),
      cellClass: 'font-semibold',
      renderCell: name,
    },
    ...(hasDoctors ? [doctor] : []),
    {
      key: 'date',
      head: 'Date',
      sorted: sorted('date'),
      cellClass: 'whitespace-nowrap',
      renderCell: dateOf,
    },
    {
      key: 'time',
      head: 'Time',
      renderCell: (row) => (
        <>
          <span className="whitespace-nowrap">{timeOf(row)}</span>
          <Where row={row} />
        </>
      ),
    },
    {
      key: 'amount',
      head: 'Amount',
      sorted: sorted('amount'),
      className: 'text-right! whitespace-nowrap',
      renderCell: (row) => <Amount row={row} />,
    },
    {
      key: 'payment_method',
      head: 'Payment method',
      sorted: sorted('payment_method'),
      className: 'pl-8! whitespace-nowrap',
      renderCell: historyMethod,
    },
    {
      key: 'status',
      head: 'Status',
      className: 'whitespace-nowrap',
      renderCell: (row) => <Status row={row} />,
    },
  ]
  return (
    <DataTable
      caption="Booked appointments"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      // Wider for staff: one more column, and the visit's outcome beside the name.
      from={hasDoctors ? '4xl' : '2xl'}
      start={first}
      {...(renderOpen && { rowClass: 'relative hover:bg-tint' })}
      renderCard={(row, at) => (
        <>
          <div className="flex items-start justify-between gap-4">
            <p className="font-semibold">
              <span className="tabular font-normal text-muted">{first + at} </span>
              {name(row, at)}
            </p>
            <p className="tabular text-right font-semibold whitespace-nowrap">
              <span className="sr-only">Amount </span>
              <Amount row={row} />
            </p>
          </div>
          <dl className="tabular mt-3 grid grid-cols-2 gap-x-4 gap-y-2">
            {hasDoctors && <CardFact name="Doctor name">{historyName(row.doctor_name)}</CardFact>}
            <CardFact name="Date">{dateOf(row)}</CardFact>
            <CardFact name="Time">{timeOf(row)}</CardFact>
            {whereOf(row) !== null && <CardFact name="Place">{whereOf(row)}</CardFact>}
            <CardFact name="Payment method">{historyMethod(row)}</CardFact>
            <CardFact name="Status">
              <Status row={row} />
            </CardFact>
          </dl>
        </>
      )}
    />
  )
}
