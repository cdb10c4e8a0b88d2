import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import {
  historyAmount,
  historyDate,
  historyMethod,
  historyName,
  historyRefund,
  historyTime,
} from '#app/lib/words.ts'
import { Badge } from '#app/ui/badge.tsx'
import { HISTORY_PAGE_SIZE, type HistoryPage, type HistoryRow } from '#contract/payments-history.ts'
import type { HistorySortBy } from '#contract/payments-staff.ts'

export type HistoryTableProps = {
  history: HistoryPage
  sort: 'asc' | 'desc'
  /** Staff see whose visits these are. */
  hasDoctors?: boolean
  /** Which column the rows are in the order of. */
  sortBy?: HistorySortBy
  /** Where a row can be opened: a link around its name that fills the row. */
  renderOpen?: ((row: HistoryRow, props: OpenProps) => ReactNode) | undefined
}

export type OpenProps = { className: string; 'aria-label': string; children: ReactNode }

/** Counts on over the pages. */
function numberOf({ current_page: page }: HistoryPage, at: number): number {
  return (page - 1) * HISTORY_PAGE_SIZE + at + 1
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

type NameProps = Pick<HistoryTableProps, 'renderOpen'> & { row: HistoryRow; number: number }

function UserName({ row, number, renderOpen }: NameProps) {
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
              'aria-label': `Open ${number}, ${name}, ${historyDate(row)}`,
              children: name,
            })}
        {row.state === 'cancelled' && <Badge>Cancelled</Badge>}
      </span>
      {/* Above the link that fills the row: people copy it. */}
      <span className="tabular relative block w-fit text-sm font-normal whitespace-nowrap text-muted select-all">
        {row.reference}
      </span>
    </>
  )
}

const head =
  'sticky top-0 z-10 border-b border-line bg-sunken px-4 py-3 text-left text-sm font-semibold whitespace-nowrap text-muted print:static print:bg-transparent print:px-2'
const cell =
  'border-b border-line px-4 py-3 align-top group-last:border-b-0 print:px-2 print:py-1.5'

/** Where there is room for it, and on paper: the documented columns. */
function Rows(props: HistoryTableProps) {
  const { history, sort, sortBy = 'date', hasDoctors, renderOpen } = props
  const order = (by: HistorySortBy) =>
    sortBy === by
      ? { 'aria-sort': sort === 'asc' ? ('ascending' as const) : ('descending' as const) }
      : {}
  return (
    <div
      className={cx(
        'rounded-card border border-line bg-surface print:block! print:rounded-none print:border-0',
        // One column more, and names with what became of the visit beside them.
        hasDoctors ? '@max-4xl:hidden' : '@max-2xl:hidden',
      )}
    >
      <table className="w-full border-separate border-spacing-0 [&_th:first-child]:rounded-tl-card [&_th:last-child]:rounded-tr-card">
        <caption className="sr-only">Booked appointments</caption>
        <thead>
          <tr>
            <th scope="col" className={head}>
              #
            </th>
            <th scope="col" {...order('user_name')} className={head}>
              User name
            </th>
            {hasDoctors && (
              <th scope="col" {...order('doctor_name')} className={head}>
                Doctor name
              </th>
            )}
            <th scope="col" {...order('date')} className={head}>
              Date
            </th>
            <th scope="col" className={head}>
              Time
            </th>
            <th scope="col" {...order('amount')} className={`${head} text-right!`}>
              Amount
            </th>
            <th scope="col" {...order('payment_method')} className={`${head} pl-8!`}>
              Payment method
            </th>
          </tr>
        </thead>
        <tbody>
          {history.appointments.map((row, at) => (
            <tr
              key={row.id}
              className={cx('group', renderOpen !== undefined && 'relative hover:bg-tint')}
            >
              <td className={`${cell} text-muted`}>{numberOf(history, at)}</td>
              <td className={`${cell} font-semibold`}>
                <UserName row={row} number={numberOf(history, at)} renderOpen={renderOpen} />
              </td>
              {hasDoctors && <td className={cell}>{historyName(row.doctor_name)}</td>}
              <td className={`${cell} whitespace-nowrap`}>{historyDate(row)}</td>
              <td className={`${cell} whitespace-nowrap`}>{historyTime(row)}</td>
              <td className={`${cell} text-right whitespace-nowrap`}>
                <Amount row={row} />
              </td>
              <td className={`${cell} pl-8! whitespace-nowrap`}>{historyMethod(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The same on phones, and beside the menu on tablets: a card for each row. */
function Cards({ history, hasDoctors, renderOpen }: HistoryTableProps) {
  return (
    <ol
      className={cx(
        'flex flex-col gap-3 print:hidden!',
        hasDoctors ? '@4xl:hidden' : '@2xl:hidden',
      )}
      start={numberOf(history, 0)}
      aria-label="Booked appointments"
    >
      {history.appointments.map((row, at) => (
        <li key={row.id} className="relative rounded-card border border-line bg-surface p-4">
          <div className="flex items-start justify-between gap-4">
            <p className="font-semibold">
              <span className="tabular font-normal text-muted">{numberOf(history, at)} </span>
              <UserName row={row} number={numberOf(history, at)} renderOpen={renderOpen} />
            </p>
            <p className="tabular text-right font-semibold whitespace-nowrap">
              <span className="sr-only">Amount </span>
              <Amount row={row} />
            </p>
          </div>
          <dl className="tabular mt-3 grid grid-cols-2 gap-x-4 gap-y-2">
            {hasDoctors && <Fact name="Doctor name">{historyName(row.doctor_name)}</Fact>}
            <Fact name="Date">{historyDate(row)}</Fact>
            <Fact name="Time">{historyTime(row)}</Fact>
            <Fact name="Payment method">{historyMethod(row)}</Fact>
          </dl>
        </li>
      ))}
    </ol>
  )
}

/** A page of a history: a table, or cards on phones. On paper always the table. */
export function HistoryTable(props: HistoryTableProps) {
  return (
    <div className="@container">
      <Rows {...props} />
      <Cards {...props} />
    </div>
  )
}
