import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { weekdayName, weekdaysFrom } from '#app/features/availability/hours/words.ts'
import { addDays } from '#app/lib/calendar-days.ts'
import { addMonths, lastDayOf, monthOf, weeksOf } from '#app/lib/calendar-months.ts'
import { IconButton } from '#app/ui/button.tsx'
import { dateFormat } from '#contract/intl.ts'

type DaysPickerProps = {
  label: string
  today: string
  firstWeekday: 1 | 7
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
}

function text(date: string, options: Intl.DateTimeFormatOptions): string {
  return dateFormat('en-GB', { timeZone: 'UTC', ...options }).format(new Date(`${date}T12:00:00Z`))
}

/** A month in which any number of days can be chosen; arrows move by day and week. */
export function DaysPicker({ label, today, firstWeekday, chosen, onChange }: DaysPickerProps) {
  const id = useId()
  const grid = useRef<HTMLDivElement>(null)
  const [month, setMonth] = useState(monthOf(today))
  const [at, setAt] = useState(today)
  const first = `${month}-01` < today ? today : `${month}-01`
  const current = monthOf(at) === month ? at : first

  const moveTo = (date: string) => {
    if (date < today) return
    // Drawn at once: the next key must find focus on the day, also in another month.
    flushSync(() => {
      setMonth(monthOf(date))
      setAt(date)
    })
    grid.current?.querySelector<HTMLElement>(`[data-date="${date}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step !== undefined) {
      event.preventDefault()
      moveTo(addDays(current, step))
    } else if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault()
      const next = addMonths(month, event.key === 'PageDown' ? 1 : -1)
      const wanted = `${next}-${current.slice(8)}`
      const last = lastDayOf(next)
      const date = wanted > last ? last : wanted
      moveTo(date < today && monthOf(date) === monthOf(today) ? today : date)
    }
  }
  const toggle = (date: string) =>
    onChange(
      chosen.includes(date) ? chosen.filter((one) => one !== date) : [...chosen, date].toSorted(),
    )
  return (
    <div className="w-full max-w-88 rounded-field border border-line p-2">
      <div className="flex items-center justify-between">
        <IconButton
          label="Previous month"
          disabled={month <= monthOf(today)}
          onClick={() => setMonth(addMonths(month, -1))}
        >
          <ChevronLeft aria-hidden="true" strokeWidth={1.75} className="size-5" />
        </IconButton>
        <p id={id} aria-live="polite" className="font-semibold">
          {text(`${month}-15`, { month: 'long', year: 'numeric' })}
        </p>
        <IconButton label="Next month" onClick={() => setMonth(addMonths(month, 1))}>
          <ChevronRight aria-hidden="true" strokeWidth={1.75} className="size-5" />
        </IconButton>
      </div>
      <div ref={grid} role="grid" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown}>
        <div role="row" className="grid grid-cols-7">
          {weekdaysFrom(firstWeekday).map((weekday) => (
            <div
              key={weekday}
              role="columnheader"
              aria-label={weekdayName(weekday)}
              className="pb-1 text-center text-sm font-medium text-muted"
            >
              {weekdayName(weekday, 'short').slice(0, 2)}
            </div>
          ))}
        </div>
        {weeksOf(month, firstWeekday).map((week, row) => (
          // Weeks of a month are told apart by their position alone.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={row} role="row" className="grid grid-cols-7 gap-0.5">
            {week.map((date, column) => (
              <div
                key={date ?? column}
                role="gridcell"
                aria-selected={date !== null && chosen.includes(date)}
              >
                {date !== null && (
                  <button
                    type="button"
                    data-date={date}
                    disabled={date < today}
                    aria-pressed={chosen.includes(date)}
                    aria-label={text(date, { weekday: 'long', day: 'numeric', month: 'long' })}
                    tabIndex={date === current ? 0 : -1}
                    onFocus={() => setAt(date)}
                    onClick={() => toggle(date)}
                    className="tabular flex min-h-11 w-full items-center justify-center rounded-field font-medium transition-colors duration-150 hover:bg-tint disabled:text-muted disabled:opacity-50 disabled:hover:bg-transparent aria-pressed:bg-brand aria-pressed:font-semibold aria-pressed:text-on-brand"
                  >
                    {Number(date.slice(8))}
                  </button>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
