import { memo } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatDay } from '#app/lib/format.ts'
import { visitHours, visitKindText } from '#app/lib/visit-text.ts'
import { textLinkClass } from '#app/ui/button.tsx'
import type { TimeReason } from '#contract/availability.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { type CalendarDay, mergedFreeTimes } from './layout.ts'
import { placeColour, type WeekViewProps } from './week-grid.tsx'

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
  const isGone = marking.outcome === 'no_show' || marking.outcome === 'not_held'
  return (
    <li className="py-2.5">
      <div className={cx('border-l-4 pl-3', placeColour(props.places, placeName))}>
        <p className="flex flex-wrap gap-x-3">
          <span className="tabular text-muted">{visitHours(visit)}</span>
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
              href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}
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
