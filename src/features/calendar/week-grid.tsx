import { type CSSProperties, type MouseEvent, memo, type ReactNode, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatDay, formatTime } from '#app/lib/dates/format.ts'
import type { Moment } from '#app/lib/dates/slot-choice.ts'
import { localTimeText, visitKindText } from '#app/lib/visit-text.ts'
import type { TimeReason } from '#contract/availability.ts'
import { clockText } from '#contract/base/time.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import type { SelectedSpan } from './calendar.tsx'
import { isMovable } from './drag-rules.ts'
import { type Band, type CalendarDay, type CalendarWeek, clipBands, type Span } from './layout.ts'
import { DropPreview, MOVE_KEY, MoveHandle, MoveHelp, useVisitDrag } from './visit-drag.tsx'

/** Pixels per minute: default, and maximum used so that the shortest visit shows two lines. */
const [DEFAULT_PX, MAX_PX] = [1.6, 2.2]
/** Minimum height in pixels for two lines. */
const TWO_LINES_PX = 42
/** Presses are rounded down to multiples of this many minutes. */
const STEP = 15

/** Later, and earlier, than any visit. */
const [LATEST_DATE, EARLIEST_DATE] = ['9999-12-31', '1970-01-01']

export type WeekViewProps = CalendarWeek & {
  timeZone: string
  /** Current local time, in minutes after midnight. */
  now: number
  /** The server's clock. */
  asOf: string
  hasManyPlaces: boolean
  /** Their order determines their colours. */
  places: readonly string[]
  onOpen: (visit: WeekVisit) => void
  onDay: (date: string) => void
  onFree: (start: SelectedSpan) => void
  onMove: (visit: WeekVisit, to: Moment) => void
}

/** Colours of visits by place, in the order of the places. */
const placeColours = ['border-l-brand', 'border-l-accent', 'border-l-info', 'border-l-ok']
export const placeColour = (places: readonly string[], name: string) =>
  placeColours[places.indexOf(name) % placeColours.length] ?? 'border-l-brand'

/** Pixels per minute that let the shortest visit show two lines, within limits. */
function pixelsPerMinute(days: readonly CalendarDay[]): number {
  const lengths = days.flatMap(({ visits }) => visits.map(({ from, to }) => to - from))
  const preferred = lengths.length === 0 ? DEFAULT_PX : TWO_LINES_PX / Math.min(...lengths)
  return Math.min(MAX_PX, Math.max(DEFAULT_PX, preferred))
}

type RenderedGrid = WeekViewProps & { minutePx: number }

const spanBox = (
  { from, to }: Span,
  { hours, minutePx }: Pick<RenderedGrid, 'hours' | 'minutePx'>,
) => ({
  top: (from - hours.from) * minutePx,
  height: (to - from) * minutePx,
})

/** Full hours of a span, in minutes after midnight. */
const ticksOf = ({ from, to }: Span) =>
  Array.from({ length: (to - from) / 60 }, (_, n) => from + n * 60)

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

/** Stripe colours of time that cannot be booked. */
const stripeColours: Partial<Record<TimeReason, string>> = {
  held: 'accent',
  blocked: 'muted',
  outside_calendar: 'brand',
  absence: 'warn',
  holiday: 'info',
}

const striped = (reason: TimeReason): CSSProperties => ({
  backgroundImage: `repeating-linear-gradient(135deg, var(--${stripeColours[reason] ?? 'muted'}) 0 1px, transparent 1px 7px)`,
})

type DayColumnProps = Pick<
  RenderedGrid,
  'hours' | 'minutePx' | 'timeZone' | 'asOf' | 'hasManyPlaces' | 'places' | 'onOpen' | 'onFree'
> & {
  day: CalendarDay
  /** Current local time in minutes after midnight; null on other days. */
  now: number | null
  /** The dragged visit over this day. */
  children: ReactNode
}

/** Memoized because a day may hold forty visits. */
const DayColumn = memo(function DayColumn({ day, now, children, ...props }: DayColumnProps) {
  const { hours, minutePx, timeZone } = props
  const label = formatDay(day.date, timeZone, 'long')
  return (
    <section
      aria-label={label}
      data-day={day.date}
      className={cx('relative border-t border-l border-line', day.isToday && 'bg-paper')}
    >
      {ticksOf(hours).map((minute) => (
        <div
          key={minute}
          aria-hidden="true"
          style={{ top: (minute - hours.from) * minutePx }}
          className="absolute inset-x-0 border-t border-line/60 first:hidden"
        />
      ))}
      {day.isOver || <AnyTimeButton day={day.date} label={label} {...props} />}
      {clipBands(day.bands, hours).map((band) =>
        band.reason === 'free' ? (
          <FreeBand key={band.startsAt} band={band} day={day.date} label={label} {...props} />
        ) : (
          <p
            key={band.startsAt}
            style={{ ...spanBox(band, { hours, minutePx }), ...striped(band.reason) }}
            className="pointer-events-none absolute inset-x-0 overflow-hidden px-1.5 text-sm text-muted"
          >
            <span className="bg-surface/90 px-0.5">{band.label}</span>
          </p>
        ),
      )}
      {now !== null && now >= hours.from && now <= hours.to && (
        <div
          aria-hidden="true"
          style={{ top: (now - hours.from) * minutePx }}
          className="pointer-events-none absolute inset-x-0 z-10 border-t-2 border-accent"
        />
      )}
      {day.visits.length > 0 && (
        <ol>
          {day.visits.map((one) => (
            <VisitCard key={one.visit.id} {...one} {...props} />
          ))}
        </ol>
      )}
      {children}
    </section>
  )
})

type FreeBandProps = Pick<RenderedGrid, 'hours' | 'minutePx' | 'timeZone' | 'onFree'> & {
  band: Band
  day: string
  label: string
}

/** The hour at the pressed position within a span; for a key press, which has no position, the whole span. */
function pressedSpan(
  event: MouseEvent<HTMLButtonElement>,
  { from, to }: Span,
  minutePx: number,
): Span {
  if (event.detail === 0) return { from, to }
  const { top } = event.currentTarget.getBoundingClientRect()
  const at = Math.floor((from + (event.clientY - top) / minutePx) / STEP) * STEP
  return { from: Math.max(from, at), to: Math.min(to, Math.max(from, at) + 60) }
}

/** Time patients can book now: a press puts a visit or a block there. */
function FreeBand({ band, day, label, hours, minutePx, timeZone, onFree }: FreeBandProps) {
  const { hour12 } = factsOfZone(timeZone)
  const { placeId } = band
  return (
    <button
      type="button"
      aria-label={`Free on ${label}, ${clockText(band.from, hour12)} to ${clockText(band.to, hour12)}: add a visit or block time`}
      onClick={(event) => onFree({ date: day, placeId, ...pressedSpan(event, band, minutePx) })}
      style={spanBox(band, { hours, minutePx })}
      className="absolute inset-x-0 border-y border-line/60 bg-tint/70 hover:bg-tint"
    />
  )
}

type AnyTimeButtonProps = Pick<RenderedGrid, 'hours' | 'minutePx' | 'onFree'> & {
  day: string
  label: string
}

/** Button behind everything on the day, so that time that is not offered can be pressed too. */
function AnyTimeButton({ day, label, hours, minutePx, onFree }: AnyTimeButtonProps) {
  return (
    <button
      type="button"
      aria-label={`Add a visit or block time on ${label}`}
      onClick={(event) => {
        const { from, to } = pressedSpan(event, hours, minutePx)
        onFree({ date: day, from, to: Math.min(to, from + 60) })
      }}
      className="no-print absolute inset-0 hover:bg-tint/30"
    />
  )
}

type VisitCardProps = Omit<DayColumnProps, 'day' | 'now' | 'children' | 'onFree'> &
  Span & { visit: WeekVisit }

function VisitCard({
  visit,
  from,
  to,
  hours,
  minutePx,
  places,
  hasManyPlaces,
  timeZone,
  asOf,
  onOpen,
}: VisitCardProps) {
  const { patientName, phone, marking, mode, placeName, startsAt } = visit
  const size = spanBox({ from, to }, { hours, minutePx })
  const isShort = size.height < TWO_LINES_PX
  const isGone = marking.outcome === 'no_show' || marking.outcome === 'not_held'
  const where = mode === 'video' ? 'Video' : hasManyPlaces && placeName
  const facts = [localTimeText(visit, timeZone), visitKindText(visit), where, phone].filter(Boolean)
  const canMove = isMovable(visit, asOf)
  return (
    <li style={size} data-visit={visit.id} className="absolute inset-x-0 p-px">
      <button
        type="button"
        aria-keyshortcuts={canMove ? MOVE_KEY : undefined}
        onClick={() => onOpen(visit)}
        className={cx(
          'flex size-full flex-col overflow-hidden rounded-field border border-l-4 border-line bg-surface px-1.5 text-left text-sm leading-tight',
          'hover:border-brand hover:shadow-float focus-visible:z-20',
          canMove && 'select-none pointer-coarse:pr-7',
          isShort ? 'justify-center' : 'pt-0.5',
          placeColour(places, placeName),
          isGone && 'text-muted line-through',
        )}
      >
        <span className="w-full truncate font-semibold">
          <span className="tabular">{formatTime(startsAt, timeZone)}</span>{' '}
          {patientName ?? 'Name no longer kept'}
          {marking.arrivedAt !== null && marking.outcome === null && (
            <span className="font-normal text-ok"> · arrived</span>
          )}
        </span>
        <span className={cx('w-full truncate text-muted', isShort && 'sr-only')}>
          {facts.join(' · ')}
        </span>
      </button>
      {canMove && <MoveHandle />}
    </li>
  )
}
