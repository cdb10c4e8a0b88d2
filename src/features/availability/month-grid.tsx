import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { weeksOf } from '#app/lib/calendar-months.ts'
import { formatDay } from '#app/lib/format.ts'
import { dateFormat } from '#contract/intl.ts'
import { moveInCalendar } from './calendar-keys.ts'

type Day = { date: string; slots: readonly unknown[] }

type MonthGridProps = {
  month: string
  /** Days of this month that have free times. */
  days: readonly Day[]
  timeZone: string
  firstWeekday: 1 | 7
  chosen: string | undefined
  labelledBy: string
  /** True after keyboard navigation from another month or from the times: takes the focus once. */
  takesFocus: boolean
  onChoose: (date: string) => void
  onMonth: (months: 1 | -1) => void
}

function weekdayName(at: number, weekday: 'short' | 'long'): string {
  // 2024-01-01 was a Monday.
  return dateFormat('en-GB', { weekday, timeZone: 'UTC' }).format(Date.UTC(2024, 0, at))
}

function Weekdays({ firstWeekday }: { firstWeekday: 1 | 7 }) {
  const offset = firstWeekday === 1 ? 1 : 0
  return (
    <div role="row" className="contents">
      {[0, 1, 2, 3, 4, 5, 6].map((at) => (
        <div
          key={at}
          role="columnheader"
          aria-label={weekdayName(at + offset, 'long')}
          className="pb-1 text-center text-sm font-medium text-muted"
        >
          {weekdayName(at + offset, 'short').slice(0, 2)}
        </div>
      ))}
    </div>
  )
}

function timesWord(count: number): string {
  return count === 1 ? '1 time' : `${count} times`
}

/** A month in which only days with free times are buttons: "Thursday 19 February, 6 times". */
export function MonthGrid(props: MonthGridProps) {
  const { month, days, timeZone, firstWeekday, chosen, labelledBy, takesFocus } = props
  const { onChoose, onMonth } = props
  const grid = useRef<HTMLDivElement>(null)
  const hasTakenFocus = useRef(false)
  const dates = days.map((day) => day.date)
  const [at, setAt] = useState<string>()
  const home = chosen !== undefined && dates.includes(chosen) ? chosen : dates[0]
  const current = at !== undefined && dates.includes(at) ? at : home

  const focusOn = (date: string) =>
    grid.current?.querySelector<HTMLElement>(`[data-date="${date}"]`)?.focus()

  useEffect(() => {
    if (!takesFocus || hasTakenFocus.current) return
    hasTakenFocus.current = true
    const target =
      home === undefined
        ? document.getElementById(labelledBy)
        : grid.current?.querySelector<HTMLElement>(`[data-date="${home}"]`)
    target?.focus()
  }, [takesFocus, home, labelledBy])

  const press = (event: KeyboardEvent) => {
    if (current === undefined) return
    const move = moveInCalendar(event.key, current, { days: dates, firstWeekday })
    if (move === null) return
    event.preventDefault()
    if ('months' in move) {
      onMonth(move.months)
      return
    }
    setAt(move.day)
    focusOn(move.day)
  }

  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={-1}
      aria-labelledby={labelledBy}
      onKeyDown={press}
      className="grid grid-cols-7 gap-0.5"
    >
      <Weekdays firstWeekday={firstWeekday} />
      {weeksOf(month, firstWeekday).map((week) => (
        <div key={week.find((date) => date !== null)} role="row" className="contents">
          {week.map((date, column) => {
            const day = days.find((one) => one.date === date)
            return (
              <div key={date ?? column} role="gridcell">
                {day === undefined ? (
                  <span className="tabular flex min-h-11 items-center justify-center text-muted">
                    {date !== null && Number(date.slice(8))}
                  </span>
                ) : (
                  <button
                    type="button"
                    data-date={day.date}
                    aria-label={`${formatDay(day.date, timeZone, 'long')}, ${timesWord(day.slots.length)}`}
                    aria-pressed={day.date === chosen}
                    tabIndex={day.date === current ? 0 : -1}
                    onFocus={() => setAt(day.date)}
                    onClick={() => onChoose(day.date)}
                    className="tabular flex min-h-11 w-full items-center justify-center rounded-field bg-tint font-semibold text-brand-deep transition-colors duration-150 hover:bg-brand hover:text-on-brand aria-pressed:bg-brand aria-pressed:text-on-brand"
                  >
                    {Number(day.date.slice(8))}
                  </button>
                )}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}
