import { memo, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatDay } from '#app/lib/format/dates.ts'
import { clockText } from '#contract/base/time.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'
import { DayColumn } from './day-column.tsx'
import { pixelsPerMinute, placeColour, spanBox, ticksOf, type WeekViewProps } from './grid-scale.ts'
import { DropPreview, MoveHelp, useVisitDrag } from './visit-drag.tsx'

/** Later, and earlier, than any visit. */
const [LATEST_DATE, EARLIEST_DATE] = ['9999-12-31', '1970-01-01']

/** The days side by side, with each visit at its time. */
export const WeekGrid = memo(function WeekGrid(props: WeekViewProps) {
  const { days, hours, timeZone, places, hasManyPlaces, onDay } = props
  const minutePx = pixelsPerMinute(days)
  const isDay = days.length === 1
  const { hour12 } = factsOfZone(timeZone)
  const scroller = useRef<HTMLDivElement>(null)
  const { landing, said, handlers } = useVisitDrag({ ...props, box: scroller })
  return (
    <>
      {hasManyPlaces && places.length > 1 && (
        <ul aria-label="Places" className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
          {places.map((name) => (
            <li key={name} className={cx('border-l-4 pl-2', placeColour(places, name))}>
              {name}
            </li>
          ))}
        </ul>
      )}
      <div
        ref={scroller}
        role="group"
        aria-label="Days"
        aria-describedby="move-help"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
        tabIndex={0}
        {...handlers}
        className="-m-1.25 overflow-x-auto p-1.25"
      >
        <div
          style={{
            gridTemplateColumns: `3.5rem repeat(${days.length}, minmax(${isDay ? 14 : 7}rem, 1fr))`,
          }}
          className="grid min-w-fit"
        >
          <div />
          {days.map(({ date, isToday, closed }) => (
            <div key={date} className="border-l border-line px-1.5 pb-2 text-sm">
              <h3>
                <button
                  type="button"
                  aria-current={isToday ? 'date' : undefined}
                  onClick={() => onDay(date)}
                  className={cx(
                    'tabular min-h-8 rounded-field px-1.5 font-semibold hover:bg-tint',
                    isToday && 'bg-brand text-on-brand hover:bg-brand-deep',
                  )}
                >
                  {formatDay(date, timeZone)}
                </button>
              </h3>
              {closed !== null && <p className="truncate px-1.5 text-warn">{closed}</p>}
            </div>
          ))}
          <div
            aria-hidden="true"
            style={{ height: (hours.to - hours.from) * minutePx }}
            className="relative border-t border-line text-sm text-muted"
          >
            {ticksOf(hours).map((minute) => (
              <span
                key={minute}
                style={{ top: (minute - hours.from) * minutePx }}
                className="tabular absolute right-2 -translate-y-1/2 first:translate-y-0"
              >
                {hour12 ? clockText(minute, true).replace(':00', '') : clockText(minute)}
              </span>
            ))}
          </div>
          {days.map((day) => (
            <DayColumn
              key={day.date}
              day={day}
              now={day.isToday ? props.now : null}
              hours={hours}
              minutePx={minutePx}
              timeZone={timeZone}
              hasManyPlaces={hasManyPlaces}
              places={places}
              onOpen={props.onOpen}
              onFree={props.onFree}
              // On other days all visits have begun or none has, so the prop stays constant and avoids
              // rerendering.
              asOf={day.isToday ? props.asOf : day.isOver ? LATEST_DATE : EARLIEST_DATE}
            >
              {landing?.date === day.date && (
                <DropPreview
                  key={landing.from}
                  landing={landing}
                  timeZone={timeZone}
                  size={spanBox(
                    { from: landing.from, to: landing.from + landing.minutes },
                    { hours, minutePx },
                  )}
                />
              )}
            </DayColumn>
          ))}
        </div>
      </div>
      <MoveHelp id="move-help" said={said} />
    </>
  )
})
