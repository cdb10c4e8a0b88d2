import { keepPreviousData } from '@tanstack/react-query'
import { type CSSProperties, useId, useState } from 'react'
import { NO_TIME } from '#app/features/availability/hours/draft.ts'
import { hour12Of, type Time } from '#app/features/availability/hours/hours-format.ts'
import { Panel } from '#app/features/availability/own/own-hours.tsx'
import { TimeField } from '#app/features/availability/own/time-field.tsx'
import { useDebounced } from '#app/lib/browser-hooks.ts'
import { formatDay, formatTime } from '#app/lib/dates/format.ts'
import { minutesOf, readDate, wallTime } from '#app/lib/dates/slot-choice.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Field, Select, TextInput } from '#app/ui/fields.tsx'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { Availability, Explanation, TimeReason } from '#contract/availability.ts'
import { clockText } from '#contract/base/time.ts'

type ExplainRequest = { date: string; time: Time; placeId: string }

type ExplainPartProps = {
  mine: Availability
  date: string
  onDate: (date: string) => void
  onClose: () => void
}

/** "Why is this time not offered?": a day, and a time if one is in question. */
export function ExplainPart({ mine, date, onDate, onClose }: ExplainPartProps) {
  const id = useId()
  const [time, setTime] = useState<Time>('')
  const [placeId, setPlaceId] = useState(mine.places[0]?.id ?? '')
  const isWrong = typeof time === 'string' && time !== ''
  return (
    <Panel
      id="why"
      title="Why is this time not offered?"
      lead="Pick a day, and a time if you like, to see the whole day."
      actions={
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <TextInput
          id={`${id}-date`}
          type="date"
          label="Day"
          className="w-44"
          value={date}
          onChange={({ target }) => onDate(target.value)}
        />
        <Field id={`${id}-time`} label="Time" isOptional error={isWrong ? NO_TIME : undefined}>
          <TimeField
            id={`${id}-time`}
            label="Time"
            value={time}
            hour12={hour12Of(mine)}
            errorId={isWrong ? `${id}-time-error` : undefined}
            onChange={setTime}
          />
        </Field>
        {mine.places.length > 1 && (
          <Select
            id={`${id}-place`}
            label="Place"
            value={placeId}
            onChange={({ target }) => setPlaceId(target.value)}
          >
            {mine.places.map((place) => (
              <option key={place.id} value={place.id}>
                {place.name}
              </option>
            ))}
          </Select>
        )}
      </div>
      {readDate(date) === undefined ? (
        <p className="mt-4 text-muted">Pick a day to begin.</p>
      ) : (
        <Answer asked={{ date, time, placeId }} onTime={setTime} />
      )}
    </Panel>
  )
}

function Answer({ asked, onTime }: { asked: ExplainRequest; onTime: (time: Time) => void }) {
  const settled = useDebounced(JSON.stringify(asked), 200)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- serialized above
  const { date, time, placeId } = JSON.parse(settled) as ExplainRequest
  const { data, error, refetch, isPlaceholderData } = trpc.availability.explain.useQuery(
    {
      date,
      placeId,
      ...(typeof time === 'number' && { time: clockText(time) }),
    },
    { placeholderData: keepPreviousData },
  )
  if (error) {
    return (
      <div className="mt-4">
        <LoadNotice title="This day didn’t load" error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  if (data === undefined) return <PendingShapes shapes={['mt-4 h-48']} />
  return (
    <div aria-busy={isPlaceholderData} className="mt-5 flex flex-col gap-5">
      {data.answer && (
        <Verdict
          answer={data.answer}
          timeZone={data.timeZone}
          onTime={(at) => onTime(minutesOf(wallTime(at, data.timeZone)))}
        />
      )}
      <DayStretches explanation={data} title={formatDay(date, data.timeZone, 'long')} />
    </div>
  )
}

type VerdictProps = {
  answer: NonNullable<Explanation['answer']>
  timeZone: string
  onTime: (at: string) => void
}

/** Whether the time is offered, every reason, and the nearest offered times. */
function Verdict({ answer, timeZone, onTime }: VerdictProps) {
  const { offered, reasons, nearest } = answer
  return (
    <div role="status">
      <Notice
        kind={offered ? 'ok' : 'warn'}
        title={offered ? 'This time is offered' : 'This time is not offered'}
      >
        {reasons.length > 0 && (
          <ul className="mt-1 flex flex-col gap-0.5">
            {reasons.map(({ reason, text }) => (
              <li key={reason}>{text}</li>
            ))}
          </ul>
        )}
        {!offered && nearest.length > 0 && (
          <div className="mt-3 flex flex-wrap items-center gap-2">
            <span className="text-muted">Nearest times offered:</span>
            {nearest.map((at) => (
              <Button key={at} variant="secondary" className="tabular" onClick={() => onTime(at)}>
                {formatTime(at, timeZone)}
              </Button>
            ))}
          </div>
        )}
        {!offered && nearest.length === 0 && (
          <p className="mt-1 text-muted">No other times are offered that day.</p>
        )}
      </Notice>
    </div>
  )
}

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
function DayStretches({ explanation, title }: { explanation: Explanation; title: string }) {
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

type Stretch = Explanation['stretches'][number]

/** A segment of the bar; its length is in minutes. */
export type BarPart = { reason: TimeReason; minutes: number; startsAt: string }

const stretchMinutes = ({ startsAt, endsAt }: Stretch) =>
  (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000

/** Closed time shown at either end of the day, in minutes; more would only narrow the rest. */
const NIGHT = 60

/** Segments of the bar: adjacent stretches of one kind are merged, and closed time at both ends is cut. */
export function barParts(stretches: readonly Stretch[]): {
  parts: BarPart[]
  startsAt: string
  endsAt: string
} {
  const parts: BarPart[] = []
  for (const stretch of stretches) {
    const last = parts.at(-1)
    const minutes = stretchMinutes(stretch)
    if (last?.reason === stretch.reason) last.minutes += minutes
    else parts.push({ reason: stretch.reason, minutes, startsAt: stretch.startsAt })
  }
  let startsAt = stretches[0]?.startsAt ?? ''
  let endsAt = stretches.at(-1)?.endsAt ?? ''
  const isNight = (part: BarPart | undefined): part is BarPart =>
    part?.reason === 'outside_hours' && part.minutes > NIGHT && parts.length > 1
  const [first] = parts
  if (isNight(first)) {
    startsAt = new Date(Date.parse(startsAt) + (first.minutes - NIGHT) * 60_000).toISOString()
    parts[0] = { ...first, startsAt, minutes: NIGHT }
  }
  const last = parts.at(-1)
  if (isNight(last)) {
    endsAt = new Date(Date.parse(endsAt) - (last.minutes - NIGHT) * 60_000).toISOString()
    parts[parts.length - 1] = { ...last, minutes: NIGHT }
  }
  return { parts, startsAt, endsAt }
}

const isAlike = (one: Stretch, other: Stretch | undefined) =>
  other !== undefined &&
  one.reason === other.reason &&
  one.placeId === other.placeId &&
  stretchMinutes(one) === stretchMinutes(other)

/** Number of leading stretches that alternate between equal times and equal buffers. */
function runLength(stretches: readonly Stretch[]): number {
  const [first, buffer] = stretches
  if (first === undefined || buffer?.reason !== 'buffer' || first.reason === 'buffer') return 1
  let length = 1
  while (isAlike(buffer, stretches[length]) && isAlike(first, stretches[length + 1])) length += 2
  return length
}

/** A row of a day's list: one stretch, or several separated only by buffers. */
export type Row = Pick<Stretch, 'startsAt' | 'reason' | 'text'>

/**
 * Rows of a day's list. Times that alternate with a buffer become one row, "09:00 to 12:10: Free, every 30
 * minutes with 10 minutes between".
 */
export function mergedRows({ stretches, timeZone }: Explanation): Row[] {
  const rows: Row[] = []
  for (let at = 0; at < stretches.length; ) {
    const length = runLength(stretches.slice(at))
    const [first, buffer] = stretches.slice(at)
    const last = stretches[at + length - 1]
    if (first === undefined || last === undefined) break
    const { startsAt, reason, label, text } = first
    if (buffer === undefined || length === 1) rows.push({ startsAt, reason, text })
    else {
      const span = `${formatTime(startsAt, timeZone)} to ${formatTime(last.endsAt, timeZone)}`
      const pattern = `${stretchMinutes(first)} minutes each with ${stretchMinutes(buffer)} minutes between`
      rows.push({ startsAt, reason, text: `${span}: ${label}, ${pattern}` })
    }
    at += length
  }
  return rows
}
