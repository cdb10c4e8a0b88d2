import {
  firstWeekdayOf,
  formatRange,
  hour12Of,
} from '#app/features/availability/hours/hours-format.ts'
import { cx } from '#app/lib/cx.ts'
import { weekdayName, weekdayOf, weekdaysFrom } from '#app/lib/dates/calendar-days.ts'
import { formatDay } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { Availability, PreviewDay, PreviewInput } from '#contract/availability.ts'
import { dateFormat } from '#contract/base/intl.ts'
import { usePreview, VisitList } from './own-hours.tsx'

const CLOSED: Record<NonNullable<PreviewDay['closed']>, string> = {
  past: 'Over',
  no_hours: 'Closed',
  absence: 'Away',
  holiday: 'Holiday',
  horizon: 'Not yet',
}

type View = {
  timeZone: string
  hour12: boolean
  /** Name of a place; null if there is only one place. */
  nameOf: (placeId: string) => string | null
}

/** What a day holds, for screen readers: "Monday 2 March: 12 free, 2 booked, 09:00 to 12:30". */
function dayLabel(day: PreviewDay, { timeZone, hour12, nameOf }: View): string {
  const name = formatDay(day.date, timeZone, 'long')
  const booked = day.booked > 0 && `${day.booked} booked`
  if (day.closed !== null) {
    const why =
      day.closed === 'holiday' && day.holiday ? `Holiday, ${day.holiday}` : CLOSED[day.closed]
    return [`${name}: ${why}`, day.note, booked].filter(Boolean).join(', ')
  }
  return [
    `${name}: ${day.free} free`,
    day.held > 0 && `${day.held} held`,
    booked,
    day.outside > 0 && `${day.outside} of them outside your hours`,
    ...day.hours.map((one) => {
      const place = nameOf(one.placeId)
      const extra = one.extra ? ' extra' : ''
      return `${formatRange(one, hour12)}${extra}${place === null ? '' : ` at ${place}`}`
    }),
  ]
    .filter(Boolean)
    .join(', ')
}

/** "9–12:30", short enough for a column of the week. */
function briefRange(range: { from: number; to: number }, hour12: boolean): string {
  const brief = (minutes: number) => {
    const hour = Math.floor(minutes / 60)
    const shown = hour12 ? ((hour + 11) % 12) + 1 : hour
    return minutes % 60 === 0 ? String(shown) : `${shown}:${String(minutes % 60).padStart(2, '0')}`
  }
  return `${brief(range.from)}–${brief(range.to)}`
}

function monthShort(date: string): string {
  return dateFormat('en-GB', { month: 'short', timeZone: 'UTC' }).format(
    new Date(`${date}T12:00:00Z`),
  )
}

type DayCellProps = Pick<View, 'hour12' | 'nameOf'> & { day: PreviewDay; isToday: boolean }

/** Visual content of a day. Counts are labelled, except on narrow screens, where a legend explains them. */
function DayCell({ day, hour12, nameOf, isToday }: DayCellProps) {
  const isPast = day.closed === 'past'
  return (
    <div aria-hidden="true" className="flex h-full min-h-14 flex-col gap-0.5 @xl:min-h-20">
      <div className="flex flex-wrap items-baseline justify-between gap-x-1">
        <span
          className={cx(
            'tabular text-sm font-semibold',
            isToday && 'rounded-full bg-brand px-1.5 text-on-brand',
          )}
        >
          {Number(day.date.slice(8))}
        </span>
        {day.date.endsWith('-01') && (
          <span className="text-sm text-muted @max-xl:hidden">{monthShort(day.date)}</span>
        )}
      </div>
      {day.closed === null && (
        <>
          {day.hours.slice(0, 3).map((range) => (
            <span
              key={`${range.placeId} ${range.from}`}
              className="tabular hidden text-sm leading-5 text-muted @xl:block"
            >
              {briefRange(range, hour12)}
              {range.extra && ' +'}
              {nameOf(range.placeId) !== null && (
                <span className="block truncate">{nameOf(range.placeId)}</span>
              )}
            </span>
          ))}
          <span className="tabular text-sm font-semibold text-brand-deep">
            {day.free}
            <span className="@max-xl:hidden"> free</span>
          </span>
        </>
      )}
      {day.closed !== null && !isPast && (
        <span className="text-sm text-muted @max-xl:hidden">{CLOSED[day.closed]}</span>
      )}
      {day.held > 0 && (
        <span className="tabular text-sm text-warn @max-xl:hidden">{day.held} held</span>
      )}
      {day.booked > 0 && (
        <span className="tabular text-sm font-medium text-accent">
          <span className="@xl:hidden">•</span>
          {day.booked}
          <span className="@max-xl:hidden"> booked</span>
        </span>
      )}
    </div>
  )
}

function rowsOf(days: readonly PreviewDay[]): PreviewDay[][] {
  return Array.from({ length: Math.ceil(days.length / 7) }, (_, at) =>
    days.slice(at * 7, at * 7 + 7),
  )
}

type CalendarProps = {
  mine: Pick<Availability, 'today' | 'places' | 'consultationMinutes'>
  days: readonly PreviewDay[]
  timeZone: string
  onChoose?: (date: string) => void
}

function Calendar({ mine, days, timeZone, onChoose }: CalendarProps) {
  const { places } = mine
  const view: View = {
    timeZone,
    hour12: hour12Of(mine),
    nameOf: (placeId) =>
      places.length > 1 ? (places.find(({ id }) => id === placeId)?.name ?? null) : null,
  }
  const weekdays = weekdaysFrom(firstWeekdayOf(mine))
  return (
    <table className="w-full table-fixed border-separate border-spacing-0.5 @xl:border-spacing-1">
      <caption className="sr-only">Free, held and booked times by day</caption>
      <thead>
        <tr>
          {weekdays.map((weekday) => (
            <th
              key={weekday}
              scope="col"
              abbr={weekdayName(weekday)}
              className="pb-1 text-left text-sm font-medium text-muted @xl:pl-2"
            >
              <span className="sr-only">{weekdayName(weekday)}</span>
              <span aria-hidden="true">{weekdayName(weekday, 'short')}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rowsOf(days).map((week) => (
          <tr key={week[0]?.date}>
            {week.map((day) => {
              const words = dayLabel(day, view)
              const cell = (
                <DayCell
                  day={day}
                  hour12={view.hour12}
                  nameOf={view.nameOf}
                  isToday={day.date === mine.today}
                />
              )
              return (
                <td
                  key={day.date}
                  data-date={day.date}
                  data-weekday={weekdayOf(day.date)}
                  data-closed={day.closed ?? undefined}
                  className={cx(
                    'h-px rounded-field border align-top',
                    day.closed === null
                      ? 'border-line bg-surface'
                      : 'border-transparent bg-sunken text-muted',
                  )}
                >
                  {onChoose && day.closed !== 'past' ? (
                    <button
                      type="button"
                      title={words}
                      onClick={() => onChoose(day.date)}
                      className="size-full rounded-field p-1 text-left hover:bg-tint @xl:p-2"
                    >
                      <span className="sr-only">{words}</span>
                      {cell}
                    </button>
                  ) : (
                    <div title={words} className="size-full p-1 @xl:p-2">
                      <span className="sr-only">{words}</span>
                      {cell}
                    </div>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Totals({ days }: { days: readonly PreviewDay[] }) {
  const sum = (key: 'free' | 'held' | 'booked') => days.reduce((all, day) => all + day[key], 0)
  const held = sum('held')
  return (
    <p role="status" className="mt-3 text-muted">
      <span className="font-semibold text-ink">{plural(sum('free'), 'free time')}</span>,{' '}
      {held > 0 && `${held} held, `}
      {sum('booked')} booked in these weeks.
      <span className="@xl:hidden"> On each day: free times, and •&nbsp;booked visits.</span>
    </p>
  )
}

type PreviewCalendarProps = {
  mine: Availability
  /** Hours that are not saved yet. */
  draft?: PreviewInput['draft']
  /** True while the draft has errors: the preview shown is older. */
  isWaiting?: boolean
  /** Makes the days buttons. */
  onChoose?: (date: string) => void
}

/** The coming four weeks with the free, held and booked times of every day; closed time is dimmed. */
export function PreviewCalendar({
  mine,
  draft,
  isWaiting = false,
  onChoose,
}: PreviewCalendarProps) {
  const { data, error, refetch, isPlaceholderData } = usePreview(mine, draft)
  if (data === undefined) {
    if (error === null) return <PendingShapes shapes={['h-96']} />
    return (
      <LoadNotice title="The preview didn’t load" error={error} onRetry={() => void refetch()} />
    )
  }
  const { conflicts } = data
  return (
    <div aria-busy={isPlaceholderData} className="@container min-w-0">
      {conflicts.length > 0 && (
        <Notice
          kind="warn"
          className="mb-4"
          title={`${plural(conflicts.length, 'booked visit')} would lie outside these hours`}
        >
          <VisitList visits={conflicts} places={mine.places} />
        </Notice>
      )}
      {isWaiting && (
        <p className="mb-3 text-muted">Fix the problems in your hours to update the preview.</p>
      )}
      <Calendar
        mine={mine}
        days={data.days}
        timeZone={data.timeZone}
        {...(onChoose && { onChoose })}
      />
      <Totals days={data.days} />
    </div>
  )
}
