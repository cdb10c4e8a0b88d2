import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatMoney } from '#app/lib/format/money.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/page.tsx'
import { dateFormat } from '#contract/base/intl.ts'
import { type Currency, formatExactMoney } from '#contract/base/money.ts'
import type { IncomeByDay, IncomeDay } from '#contract/payments-review.ts'

/** How many days a key moves the selection. */
const steps = new Map([
  ['ArrowLeft', -1],
  ['ArrowDown', -1],
  ['ArrowRight', 1],
  ['ArrowUp', 1],
  ['PageDown', -7],
  ['PageUp', 7],
  ['Home', -Infinity],
  ['End', Infinity],
])

/** The day selected by pointer or keyboard; the last one at first. */
function useChosenDay(count: number) {
  const bars = useRef<HTMLDivElement>(null)
  const [chosen, choose] = useState(count - 1)
  const clamp = (day: number) => Math.max(0, Math.min(count - 1, day))
  return {
    bars,
    chosen: clamp(chosen),
    onKeyDown: (event: KeyboardEvent) => {
      const step = steps.get(event.key)
      if (step === undefined) return
      event.preventDefault()
      choose(clamp(chosen + step))
    },
    onPointerMove: (event: PointerEvent) => {
      const box = bars.current?.querySelector('svg')?.getBoundingClientRect()
      if (box === undefined || box.width === 0) return
      choose(clamp(Math.floor(((event.clientX - box.left) / box.width) * count)))
    },
  }
}

function incomeOf({ days, income }: IncomeByDay, currency: Currency) {
  const values = days.map((day) => day.income[currency])
  return {
    values,
    total: formatMoney({ minor: income[currency], currency }),
    highest: formatMoney({ minor: Math.max(0, ...values), currency }),
  }
}

/** Bookings and income of the last thirty days, each currency on its own scale. */
export function IncomeChart({ takings }: { takings: IncomeByDay }) {
  const id = useId()
  const { days, bookings } = takings
  const { bars, chosen, onKeyDown, onPointerMove } = useChosenDay(days.length)
  const [isTable, setTable] = useState(false)
  const counts = days.map((day) => day.bookings)
  const day = days[chosen]
  return (
    <section aria-labelledby={id} className="min-w-0">
      <Card>
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 id={id} className="text-lg font-semibold">
            Bookings and income, last {days.length} days
          </h2>
          <p className="tabular text-muted">{day && dayText(day)}</p>
        </div>
        <p className="mt-1 text-sm text-muted">By the day they were paid, before refunds.</p>
        <div
          ref={bars}
          role="slider"
          tabIndex={0}
          aria-label="Day to look at"
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={chosen + 1}
          aria-valuetext={day && dayText(day)}
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerDown={onPointerMove}
          className="mt-5 grid touch-pan-y gap-6 rounded-field"
        >
          <DayBars
            title="Bookings"
            total={String(bookings)}
            highest={bookingsText(Math.max(0, ...counts))}
            values={counts}
            chosen={chosen}
          />
          <DayBars title="Income in pounds" {...incomeOf(takings, 'GBP')} chosen={chosen} />
          <DayBars title="Income in dollars" {...incomeOf(takings, 'USD')} chosen={chosen} />
        </div>
        <p
          aria-hidden="true"
          className="tabular mt-2 flex justify-between text-sm text-muted sm:ml-50"
        >
          {[days[0], days[Math.floor(days.length / 2)], days.at(-1)].map(
            (one) => one && <span key={one.date}>{shortDay(one.date)}</span>,
          )}
        </p>
        <Button
          variant="quiet"
          aria-expanded={isTable}
          onClick={() => setTable(!isTable)}
          className="mt-3 -ml-4"
        >
          {isTable ? 'Hide the table' : 'Show as a table'}
        </Button>
        {isTable && <DayTable days={days} />}
      </Card>
    </section>
  )
}

type DayBarsProps = {
  title: string
  /** Sum of all days. */
  total: string
  /** Value of the highest day, shown at the top of the scale. */
  highest: string
  values: readonly number[]
  /** Index of the selected day, the same in all charts. */
  chosen: number
}

const HEIGHT = 100
/** Widths of a day and of its bar, in units of the drawing, which is stretched to fit. */
const DAY = 10
const BAR = 7

/** One measure per day as bars on its own scale; its text equivalent is elsewhere. */
function DayBars({ title, total, highest, values, chosen }: DayBarsProps) {
  const top = Math.max(1, ...values)
  return (
    <div className="grid gap-x-6 gap-y-1 sm:grid-cols-[11rem_minmax(0,1fr)] sm:items-end">
      <div>
        <p className="text-sm text-muted">{title}</p>
        <p className="tabular text-xl font-semibold">{total}</p>
      </div>
      <div>
        <p className="tabular text-right text-sm text-muted">{highest}</p>
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${values.length * DAY} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-16 w-full border-t border-b border-t-line border-b-field"
        >
          {values.map((value, at) => {
            // Any value above zero must be visible.
            const height = value === 0 ? 0 : Math.max(2, (value / top) * HEIGHT)
            const x = at * DAY
            return (
              // Days have no identity but their position.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <g key={at}>
                {at === chosen && (
                  <rect x={x} y={0} width={DAY} height={HEIGHT} className="fill-tint" />
                )}
                <rect
                  x={x + (DAY - BAR) / 2}
                  y={HEIGHT - height}
                  width={BAR}
                  height={height}
                  className={cx(at === chosen ? 'fill-brand-deep' : 'fill-brand')}
                />
              </g>
            )
          })}
        </svg>
      </div>
    </div>
  )
}

const head = 'border-b border-line py-2 pr-4 text-left text-sm font-semibold text-muted'
const cell = 'tabular border-b border-line py-2 pr-2 whitespace-nowrap sm:pr-4'
const number = 'pr-0! pl-2 text-right sm:pl-4'

/** The same data as a table, newest day first. */
function DayTable({ days }: { days: readonly IncomeDay[] }) {
  return (
    <div className="mt-4">
      <table className="w-full border-separate border-spacing-0">
        <caption className="sr-only">Bookings and income by day</caption>
        <thead>
          <tr>
            <th scope="col" className={head}>
              Day
            </th>
            <th scope="col" className={`${head} ${number}`}>
              Bookings
            </th>
            <th scope="col" className={`${head} ${number}`}>
              Pounds
            </th>
            <th scope="col" className={`${head} ${number}`}>
              Dollars
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ date, bookings, income }) => (
            <tr key={date}>
              <th scope="row" className={`${cell} text-left font-normal`}>
                <span className="sm:hidden">{shortDay(date)}</span>
                <span className="max-sm:hidden">{longDay(date)}</span>
              </th>
              <td className={`${cell} ${number}`}>{bookings}</td>
              <td className={`${cell} ${number}`}>
                {formatExactMoney({ minor: income.GBP, currency: 'GBP' })}
              </td>
              <td className={`${cell} ${number}`}>
                {formatExactMoney({ minor: income.USD, currency: 'USD' })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const noon = (date: string) => new Date(`${date}T12:00:00Z`)

/** "2 Mar". */
function shortDay(date: string): string {
  return dateFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(noon(date))
}

/** "Mon 2 March 2026". */
function longDay(date: string): string {
  return dateFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
    .format(noon(date))
    .replace(',', '')
}

/** "1 booking", "12 bookings". */
function bookingsText(count: number): string {
  return count === 1 ? '1 booking' : `${count} bookings`
}

/** "Mon 2 March 2026: 3 bookings, £120, $90". */
function dayText({ date, bookings, income }: IncomeDay): string {
  const pounds = formatMoney({ minor: income.GBP, currency: 'GBP' })
  const dollars = formatMoney({ minor: income.USD, currency: 'USD' })
  return `${longDay(date)}: ${bookingsText(bookings)}, ${pounds}, ${dollars}`
}
