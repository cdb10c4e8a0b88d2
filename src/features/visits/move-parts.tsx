import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { dayOf, formatDay, formatTime } from '#app/lib/format.ts'
import { formatWallTime, type SlotChoice } from '#app/lib/slot-choice.ts'
import { Button } from '#app/ui/button.tsx'

type Moment = { startsAt: string; timeZone: string }

/** "Tuesday 1 December, 14:30", on the clinic's own clock. */
export function longMoment({ startsAt, timeZone }: Moment): string {
  const day = formatDay(dayOf(startsAt, timeZone), timeZone, 'long')
  return `${day}, ${formatTime(startsAt, timeZone)}`
}

/** "Continue with Thu 19 Feb, 10:30": the step after choosing says what was chosen. */
export function ContinueButton(props: {
  choice: SlotChoice
  timeZone: string
  onPress: () => void
}) {
  const { choice, timeZone, onPress } = props
  return (
    <Button size="large" className="w-full px-3! max-sm:text-base!" onClick={onPress}>
      Continue with {formatDay(choice.date, timeZone)}, {formatWallTime(choice.time, timeZone)}
    </Button>
  )
}

type StepTitleProps = { children: ReactNode; id?: string }

/** What a step is about. It takes the focus when the step comes in place of another, so that it is read. */
export function StepTitle({ children, takesFocus, id }: StepTitleProps & { takesFocus: boolean }) {
  const heading: Ref<HTMLHeadingElement> = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <h3 ref={heading} id={id} tabIndex={-1} className="text-lg font-semibold">
      {children}
    </h3>
  )
}

type Place = Moment & { place: string }

/** The time a visit has and the one it would have; the place where it is another. */
export function OldAndNew({ from, to }: { from: Place; to: Place }) {
  const isElsewhere = from.place !== to.place
  return (
    <dl className="grid gap-3 rounded-card border border-line p-4">
      <div>
        <dt className="text-sm text-muted">Now</dt>
        <dd className="tabular text-muted line-through decoration-1">{longMoment(from)}</dd>
        {isElsewhere && <dd className="text-sm text-muted">{from.place}</dd>}
      </div>
      <div>
        <dt className="text-sm text-muted">New time</dt>
        <dd className="tabular text-lg font-semibold">{longMoment(to)}</dd>
        {isElsewhere && (
          <dd>
            At <strong>{to.place}</strong>
          </dd>
        )}
      </div>
    </dl>
  )
}
