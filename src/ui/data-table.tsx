import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'

export type Column<Row> = {
  /** Unique among the columns. */
  key: string
  /** The column's heading, or the link that sorts by it. */
  head: ReactNode
  /** Set on the column the rows are sorted by. */
  sorted?: 'ascending' | 'descending' | undefined
  /** Applied to header and cells. */
  className?: string
  cellClass?: string
  renderCell: (row: Row, at: number) => ReactNode
}

type DataTableProps<Row> = {
  /** Label of the table and of the list of cards. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Renders a row as a card, for phones and narrow columns. */
  renderCard: (row: Row, at: number) => ReactNode
  /** Container width from which the table replaces the cards. */
  from: keyof typeof widths
  /** Number of the first row, where rows are counted across pages. */
  start?: number
  rowClass?: string
  /** Expandable content below a row. */
  details?: {
    id: (row: Row) => string
    isOpen: (row: Row) => boolean
    render: (row: Row) => ReactNode
  }
}

/** Classes that hide the table below a width, and the cards from it on. */
const widths = {
  '2xl': { table: '@max-2xl:hidden', cards: '@2xl:hidden' },
  '3xl': { table: '@max-3xl:hidden', cards: '@3xl:hidden' },
  '4xl': { table: '@max-4xl:hidden', cards: '@4xl:hidden' },
} as const

const headClass =
  'sticky top-0 z-10 border-b border-line bg-sunken px-4 py-3 text-left text-sm font-semibold whitespace-nowrap text-muted print:static print:bg-transparent print:px-2 print:whitespace-normal'
const cellClass =
  'border-b border-line px-4 py-3 align-top group-last:border-b-0 print:px-2 print:py-1.5'

/**
 * Rows of data: a table with a caption, or the same rows as cards where a table does not fit. Always the
 * table in print.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, renderCard, from, start, rowClass, details } = props
  return (
    <div className="@container">
      <div
        className={cx(
          'rounded-card border border-line bg-surface print:block! print:rounded-none print:border-0',
          widths[from].table,
        )}
      >
        <table className="w-full border-separate border-spacing-0 [&_th:first-child]:rounded-tl-card [&_th:last-child]:rounded-tr-card">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ key, head, sorted, className }) => (
                <th key={key} scope="col" aria-sort={sorted} className={cx(headClass, className)}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          {rows.map((row, at) => (
            <tbody key={keyOf(row)} className="group">
              <tr className={rowClass}>
                {columns.map((column) => (
                  <td
                    key={column.key}
                    className={cx(cellClass, column.className, column.cellClass)}
                  >
                    {column.renderCell(row, at)}
                  </td>
                ))}
              </tr>
              {details && (
                <tr id={details.id(row)} hidden={!details.isOpen(row)}>
                  <td
                    colSpan={columns.length}
                    className="border-b border-line bg-sunken px-4 py-4 group-last:rounded-b-card group-last:border-b-0"
                  >
                    {details.isOpen(row) && details.render(row)}
                  </td>
                </tr>
              )}
            </tbody>
          ))}
        </table>
      </div>
      <ol
        aria-label={caption}
        start={start}
        className={cx('flex flex-col gap-3 print:hidden!', widths[from].cards)}
      >
        {rows.map((row, at) => (
          <li key={keyOf(row)} className="relative rounded-card border border-line bg-surface p-4">
            {renderCard(row, at)}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** One fact of a card, under its name; inside a `dl`. */
export function CardFact(props: { name: ReactNode; className?: string; children: ReactNode }) {
  return (
    <div className={props.className}>
      <dt className="text-sm text-muted">{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
