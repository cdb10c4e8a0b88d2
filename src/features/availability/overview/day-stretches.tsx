import type { CSSProperties } from 'react'
import { formatTime } from '#app/lib/format/dates.ts'
import type { Explanation, TimeReason } from '#contract/availability.ts'
import { barParts, mergedRows } from './stretch-rows.ts'

/** Short words for the legend; the list says more. */
const REASON_LABELS: Record<TimeReason, string> = {
  free: 'Free',
  booked: 'Booked',
  held: 'Being booked',
  past: 'Over',
  notice: 'Minimum notice',
  buffer: 'Between visits',
  between_visits: 'Too short for a visit',
  outside_hours: 'Outside your hours',
  absence: 'Away',
  blocked: 'Blocked',
  outside_calendar: 'Busy in another calendar',
  holiday: 'Public holiday',
  horizon: 'Too far ahead',
  clock_change: 'Clocks change',
  not_listed: 'Not public yet',
}

const solid = (color: string) => ({ backgroundColor: `var(--${color})` })
const striped = (color: string) => ({
  backgroundImage: `repeating-linear-gradient(135deg, var(--${color}) 0 3px, transparent 3px 7px)`,
})

/** Colours and patterns: reasons that share one differ in the other. */
const REASON_STYLES: Record<TimeReason, CSSProperties> = {
  free: solid('brand'),
  booked: solid('accent'),
  held: striped('accent'),
  past: solid('line'),
  notice: striped('warn'),
  buffer: striped('info'),
  between_visits: striped('muted'),
  outside_hours: solid('sunken'),
  absence: solid('warn'),
  blocked: solid('muted'),
  outside_calendar: striped('brand'),
  holiday: solid('info'),
  horizon: striped('field'),
  clock_change: solid('danger'),
  not_listed: striped('danger'),
}

/** A day as a bar with a legend, and as a list with the same content in words. */
export function DayStretches({ explanation, title }: { explanation: Explanation; title: string }) {
  const { stretches, timeZone } = explanation
  const { parts, startsAt, endsAt } = barParts(stretches)
  const reasons = [...new Set(parts.map(({ reason }) => reason))]
  return (
    <div>
      <h3 className="font-semibold">{title}</h3>
      <div aria-hidden="true" className="mt-2">
        <div className="flex h-10 gap-px overflow-hidden rounded-field border border-line bg-surface">
          {parts.map(({ reason, minutes, startsAt: key }) => (
            <span
              key={key}
              data-reason={reason}
              style={{ flexGrow: minutes, ...REASON_STYLES[reason] }}
              className="min-w-0.5 basis-0"
            />
          ))}
        </div>
        <div className="tabular mt-1 flex justify-between text-sm text-muted">
          <span>{formatTime(startsAt, timeZone)}</span>
          <span>{formatTime(endsAt, timeZone)}</span>
        </div>
        <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1.5">
          {reasons.map((reason) => (
            <li key={reason} className="flex items-center gap-2 text-sm">
              <span
                style={REASON_STYLES[reason]}
                className="size-4 rounded-[4px] border border-field"
              />
              {REASON_LABELS[reason]}
            </li>
          ))}
        </ul>
      </div>
      <ol
        aria-label={`What ${title} is made of`}
        className="tabular mt-4 flex flex-col divide-y divide-line border-t border-line"
      >
        {mergedRows(explanation).map(({ startsAt: key, reason, text }) => (
          <li key={key} className="flex items-center gap-3 py-2">
            <span
              aria-hidden="true"
              style={REASON_STYLES[reason]}
              className="size-3 shrink-0 rounded-[3px] border border-field"
            />
            {text}
          </li>
        ))}
      </ol>
    </div>
  )
}
