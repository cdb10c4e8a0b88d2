import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import {
  addDays,
  addMonths,
  monthOf,
  weekdayName,
  weekdayOf,
  weekdaysFrom,
  weeksOf,
} from '#app/lib/dates/calendar-days.ts'
import { formatDay } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { Button } from '#app/ui/button.tsx'
import { LoadNotice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import { dateFormat } from '#contract/base/intl.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'
import { type SlotSource, useMonthTimes } from './free-times.ts'

type OtherDatesProps = {
  whose: SlotSource
  timeZone: string
  /** Today in the clinic's calendar. */
  today: string
  startMonth: string
  chosen: string | undefined
  takesFocus: boolean
  onChoose: (date: string) => void
}

function monthName(month: string): string {
  return dateFormat('en-GB', {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  }).format(new Date(`${month}-15T12:00:00Z`))
}

function GridSkeleton() {
  return (
    <div className="grid grid-cols-7 gap-1">
      <p role="status" className="sr-only">
        Loading the month
      </p>
      {Array.from({ length: 35 }, (_, at) => (
        <Skeleton key={at} className="h-11" />
      ))}
    </div>
  )
}

const arrow =
  'inline-flex size-11 items-center justify-center rounded-field text-brand-deep hover:bg-tint disabled:text-field disabled:hover:bg-transparent'

/** "Other dates": a month at a time, as far as there are free times. */
export function OtherDates(props: OtherDatesProps) {
  const { whose, timeZone, today, startMonth, chosen, onChoose } = props
  const id = useId()
  const [month, setMonth] = useState(startMonth)
  const [isMoved, setIsMoved] = useState(props.takesFocus)
  const { data, error, refetch } = useMonthTimes(whose, month, today)
  const failed = useRef<HTMLDivElement>(null)
  const hasEarlier = month > monthOf(today)
  const hasLater = data === undefined || data.nextDay !== null

  const changeMonth = (months: 1 | -1, fromKeyboard: boolean) => {
    if (months === 1 ? !hasLater : !hasEarlier) return
    setIsMoved(fromKeyboard)
    setMonth(addMonths(month, months))
  }

  /** The pressed button disappears, so the new days take the focus. */
  const leave = () => setIsMoved(true)

  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between">
        <button
          type="button"
          aria-label="Previous month"
          disabled={!hasEarlier}
          onClick={() => changeMonth(-1, false)}
          className={arrow}
        >
          <ChevronLeft aria-hidden="true" className="size-5" />
        </button>
        <h3 id={id} tabIndex={-1} aria-live="polite" className="font-semibold">
          {monthName(month)}
        </h3>
        <button
          type="button"
          aria-label="Next month"
          disabled={!hasLater}
          onClick={() => changeMonth(1, false)}
          className={arrow}
        >
          <ChevronRight aria-hidden="true" className="size-5" />
        </button>
      </div>
      {error !== null ? (
        <div ref={failed}>
          <LoadNotice
            title={`${monthName(month)} didn’t load`}
            error={error}
            onRetry={() => {
              // Not when the network is back while the user is elsewhere on the page.
              if (failed.current?.contains(document.activeElement)) leave()
              void refetch()
            }}
          />
        </div>
      ) : data === undefined ? (
        <GridSkeleton />
      ) : (
        <>
          <MonthGrid
            key={month}
            month={month}
            days={data.days}
            timeZone={timeZone}
            firstWeekday={factsOfZone(timeZone).firstWeekday}
            chosen={chosen}
            labelledBy={id}
            takesFocus={isMoved}
            onChoose={onChoose}
            onMonth={(months) => changeMonth(months, true)}
          />
          {data.days.length === 0 && (
            <p className="flex flex-wrap items-center gap-3">
              No free times in {monthName(month)}.
              {data.nextDay !== null && (
                <Button
                  variant="secondary"
                  onClick={() => {
                    leave()
                    setMonth(monthOf(data.nextDay ?? month))
                  }}
                >
                  Next free {formatDay(data.nextDay, timeZone)}
                </Button>
              )}
            </p>
          )}
        </>
      )}
    </div>
  )
}

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

function Weekdays({ firstWeekday }: { firstWeekday: 1 | 7 }) {
  return (
    <div role="row" className="contents">
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
  )
}

/** A month in which only days with free times are buttons: "Thursday 19 February, 6 times". */
function MonthGrid(props: MonthGridProps) {
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
                    aria-label={`${formatDay(day.date, timeZone, 'long')}, ${plural(day.slots.length, 'time')}`}
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

/** Where a key press in the month grid leads: to a day with times, to another month, or nowhere. */
export type CalendarStep = { day: string } | { months: 1 | -1 } | null

type Grid = {
  /** Days of the month shown that have times, in order. */
  days: readonly string[]
  firstWeekday: 1 | 7
}

function nearest(days: readonly string[], from: string, step: 1 | -1): string | undefined {
  return step === 1 ? days.find((day) => day > from) : days.findLast((day) => day < from)
}

/** The same weekday some weeks away, else the nearest day with times in that direction. */
function sameWeekdayAway(days: readonly string[], from: string, step: 1 | -1): string | undefined {
  for (let week = 1; week <= 5; week += 1) {
    const day = addDays(from, step * 7 * week)
    if (days.includes(day)) return day
  }
  return nearest(days, from, step)
}

function sameWeek(grid: Grid, from: string): string[] {
  const start = addDays(from, -((weekdayOf(from) - grid.firstWeekday + 7) % 7))
  const end = addDays(start, 6)
  return grid.days.filter((day) => day >= start && day <= end)
}

const orStay = (day: string | undefined): CalendarStep => (day === undefined ? null : { day })
const orMonth = (day: string | undefined, months: 1 | -1): CalendarStep =>
  day === undefined ? { months } : { day }

/**
 * The keys of a date picker over a grid where only days with times can be pressed: arrows move by
 * day and week and run on into the next month, Home and End to the ends of the week, Page Up and
 * Page Down by month.
 */
export function moveInCalendar(key: string, from: string, grid: Grid): CalendarStep {
  switch (key) {
    case 'ArrowRight':
      return orMonth(nearest(grid.days, from, 1), 1)
    case 'ArrowLeft':
      return orMonth(nearest(grid.days, from, -1), -1)
    case 'ArrowDown':
      return orMonth(sameWeekdayAway(grid.days, from, 1), 1)
    case 'ArrowUp':
      return orMonth(sameWeekdayAway(grid.days, from, -1), -1)
    case 'Home':
      return orStay(sameWeek(grid, from)[0])
    case 'End':
      return orStay(sameWeek(grid, from).at(-1))
    case 'PageUp':
      return { months: -1 }
    case 'PageDown':
      return { months: 1 }
    default:
      return null
  }
}
