import { type KeyboardEvent, memo, useEffect, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { addDays } from '#app/lib/dates/calendar-days.ts'
import { formatDay } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { localTimeText, visitHours, visitKindText } from '#app/lib/visit-text.ts'
import { textLinkClass } from '#app/ui/button.tsx'
import type { TimeReason } from '#contract/availability.ts'
import { phoneLink } from '#contract/base/phones.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { placeColour, type WeekViewProps } from './grid-scale.ts'
import { type CalendarDay, mergedFreeTimes } from './layout.ts'

type AgendaProps = WeekViewProps & {
  /** The displayed day. */
  on: string
  today: string
  /** Number of visits for each day of the week. */
  counts: ReadonlyMap<string, number>
  onChoose: (date: string) => void
}

/** Seven days with the number of their visits, and the list of one of them: for phones. */
export const Agenda = memo(function Agenda(props: AgendaProps) {
  return (
    <>
      <DayStrip {...props} />
      <div role="tabpanel" id="calendar-day" aria-labelledby={tabId(props.on)}>
        <WeekList {...props} />
      </div>
    </>
  )
})

const tabId = (date: string) => `calendar-tab-${date}`

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

type DayStripProps = Pick<AgendaProps, 'on' | 'today' | 'counts' | 'timeZone' | 'onChoose'>

/** The days as tabs; arrow keys choose the adjacent day, also in another week. */
function DayStrip({ on, today, counts, timeZone, onChoose }: DayStripProps) {
  const dates = [...counts.keys()]
  const list = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  // Another week may have to be loaded first; its tab takes the focus once it is there.
  useEffect(() => {
    if (wanted.current !== on) return
    list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
    wanted.current = undefined
  }, [on])
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    const ends: Record<string, string | undefined> = { Home: dates[0], End: dates.at(-1) }
    const to = step === undefined ? ends[event.key] : addDays(on, step)
    if (to === undefined) return
    event.preventDefault()
    wanted.current = to
    onChoose(to)
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label="Day"
      tabIndex={-1}
      onKeyDown={move}
      className="no-print mb-5 grid grid-cols-7 gap-0.5 rounded-card bg-sunken p-1"
    >
      {[...counts].map(([date, visits]) => (
        <DayTab
          key={date}
          date={date}
          isChosen={date === on}
          isToday={date === today}
          visits={visits}
          timeZone={timeZone}
          onPress={() => onChoose(date)}
        />
      ))}
    </div>
  )
}

type DayTabProps = {
  date: string
  isChosen: boolean
  isToday: boolean
  visits: number
  timeZone: string
  onPress: () => void
}

function DayTab({ date, isChosen, isToday, visits, timeZone, onPress }: DayTabProps) {
  return (
    <button
      type="button"
      role="tab"
      id={tabId(date)}
      aria-selected={isChosen}
      aria-controls="calendar-day"
      aria-current={isToday ? 'date' : undefined}
      tabIndex={isChosen ? 0 : -1}
      onClick={onPress}
      className={cx(
        'tabular min-w-0 rounded-field py-1.5 leading-tight transition-colors duration-150',
        isChosen
          ? 'bg-surface text-brand-deep shadow-[0_0_0_1px_var(--line)]'
          : 'text-muted hover:text-ink',
      )}
    >
      <span className="sr-only">
        {formatDay(date, timeZone, 'long')}, {visits === 0 ? 'no visits' : plural(visits, 'visit')}
      </span>
      <span aria-hidden="true" className="flex flex-col items-center gap-0.5">
        <span className="text-sm">{formatDay(date, timeZone).slice(0, 3)}</span>
        <span
          className={cx(
            'grid size-7 place-items-center rounded-full font-semibold',
            isToday && 'bg-brand text-on-brand',
          )}
        >
          {Number(date.slice(8))}
        </span>
        <span className={cx('text-sm', visits > 0 && 'font-semibold text-accent')}>
          {visits === 0 ? '–' : visits}
        </span>
      </span>
    </button>
  )
}

/** The days as a list: for phones, print and screen readers. */
export const WeekList = memo(function WeekList(props: WeekViewProps) {
  return (
    <div className="flex flex-col gap-6">
      {props.days.map((day) => (
        <Day key={day.date} day={day} {...props} />
      ))}
    </div>
  )
})

/** Reasons listed besides visits and free times. */
const LISTED_REASONS: ReadonlySet<TimeReason> = new Set<TimeReason>([
  'blocked',
  'outside_calendar',
  'held',
])

function Day({ day, ...props }: WeekViewProps & { day: CalendarDay }) {
  const { date, isToday, closed, bands, stretches, visits } = day
  const free = mergedFreeTimes(stretches)
  const taken = bands.filter(({ reason }) => LISTED_REASONS.has(reason))
  return (
    <section aria-labelledby={`day-${date}`} className="break-inside-avoid">
      <h3 id={`day-${date}`} className="tabular border-b border-line pb-1.5 font-semibold">
        {formatDay(date, props.timeZone, 'long')}
        {isToday && <span className="text-accent"> · Today</span>}
      </h3>
      {closed !== null && <p className="mt-2 text-warn">{closed}</p>}
      {visits.length === 0 && closed === null && <p className="mt-2 text-muted">No visits</p>}
      {visits.length > 0 && (
        <ol className="divide-y divide-line">
          {visits.map(({ visit }) => (
            <VisitLine key={visit.id} visit={visit} {...props} />
          ))}
        </ol>
      )}
      {taken.map(({ text, startsAt }) => (
        <p key={startsAt} className="tabular mt-2 text-sm text-muted">
          {text}
        </p>
      ))}
      {free.length > 0 && (
        <p className="tabular mt-2 text-sm text-muted">Free: {free.join(', ')}</p>
      )}
    </section>
  )
}

function VisitLine({ visit, ...props }: WeekViewProps & { visit: WeekVisit }) {
  const { patientName, phone, placeName, mode, marking } = visit
  const local = localTimeText(visit, props.timeZone)
  const isGone = marking.outcome === 'no_show' || marking.outcome === 'not_held'
  return (
    <li className="py-2.5">
      <div className={cx('border-l-4 pl-3', placeColour(props.places, placeName))}>
        <p className="flex flex-wrap gap-x-3">
          <span className="tabular text-muted">
            {visitHours({ ...visit, timeZone: props.timeZone })}
            {local !== null && ` (${local})`}
          </span>
          <button
            type="button"
            onClick={() => props.onOpen(visit)}
            className={cx(textLinkClass, 'min-h-6 font-semibold', isGone && 'line-through')}
          >
            {patientName ?? 'Name no longer kept'}
          </button>
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            {visitKindText(visit)}
            {mode === 'video' && ' · Video'}
            {mode !== 'video' && props.hasManyPlaces && ` · ${placeName}`}
            {marking.arrivedAt !== null && marking.outcome === null && ' · Arrived'}
          </span>
          {phone !== null && (
            <a
              href={phoneLink(phone)}
              className={cx(textLinkClass, 'tabular inline-flex min-h-6 items-center')}
            >
              {phone}
            </a>
          )}
        </p>
      </div>
    </li>
  )
}
