import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import { formatMoney } from '#app/lib/format-money.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Currency } from '#contract/money.ts'
import type { IncomeByDay } from '#contract/payments-review.ts'
import { DayBars } from './day-bars.tsx'
import { DayTable } from './day-table.tsx'
import { bookingsWords, dayWords, shortDay } from './day-words.ts'

/** How far a key moves the day that is looked at. */
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

/** The day that pointer or keyboard is at; the last one at first. */
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

/** Bookings and income of the last thirty days, each currency on a scale of its own. */
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
          <p className="tabular text-muted">{day && dayWords(day)}</p>
        </div>
        <p className="mt-1 text-sm text-muted">
          By the day they were paid, before anything went back.
        </p>
        <div
          ref={bars}
          role="slider"
          tabIndex={0}
          aria-label="Day to look at"
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={chosen + 1}
          aria-valuetext={day && dayWords(day)}
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerDown={onPointerMove}
          className="mt-5 grid touch-pan-y gap-6 rounded-field"
        >
          <DayBars
            title="Bookings"
            total={String(bookings)}
            highest={bookingsWords(Math.max(0, ...counts))}
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
