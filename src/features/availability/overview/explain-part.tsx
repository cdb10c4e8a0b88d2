import { keepPreviousData } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { NO_TIME } from '#app/features/availability/hours/draft.ts'
import { hour12Of, type Time } from '#app/features/availability/hours/hours-format.ts'
import { Panel } from '#app/features/availability/own/own-hours.tsx'
import { TimeField } from '#app/features/availability/own/time-field.tsx'
import { useDebounced } from '#app/lib/browser-hooks.ts'
import { minutesOf, readDate, wallTime } from '#app/lib/dates/slot-choice.ts'
import { formatDay, formatTime } from '#app/lib/format/dates.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Field, Select, TextInput } from '#app/ui/fields.tsx'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { Availability, Explanation } from '#contract/availability.ts'
import { clockText } from '#contract/base/time.ts'
import { DayStretches } from './day-stretches.tsx'

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
