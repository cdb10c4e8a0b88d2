import { type CSSProperties, type MouseEvent, memo, type ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatDay } from '#app/lib/format/dates.ts'
import type { TimeReason } from '#contract/availability.ts'
import { clockText } from '#contract/base/time.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'
import { type RenderedGrid, spanBox, ticksOf } from './grid-scale.ts'
import { type Band, type CalendarDay, clipBands, type Span } from './layout.ts'
import { VisitCard } from './visit-card.tsx'

/** Presses are rounded down to multiples of this many minutes. */
const STEP = 15

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
export const DayColumn = memo(function DayColumn({ day, now, children, ...props }: DayColumnProps) {
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
