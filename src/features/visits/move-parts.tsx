import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { type Moment, type SlotChoice, slotChoiceOf } from '#app/lib/dates/slot-choice.ts'
import { dayOf, formatDay, formatTime, formatTimeWithZone } from '#app/lib/format/dates.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { Button } from '#app/ui/button.tsx'

type PickerProps = {
  providerId: string
  /** The visit type; the provider's first one if omitted. */
  typeId?: string | undefined
  chosen: Partial<Record<'date' | 'time', string | undefined>> & Pick<SlotChoice, 'which'>
  onChoose: (chosen: PickerProps['chosen']) => void
  renderContinue: (choice: SlotChoice, at: Moment) => ReactNode
  whenNothingIsFree: ReactNode
  /** Title above the nearest times if the chosen one is not free. */
  goneTitle?: string
}

/** Renders the picker of free times, by another feature. */
export type RenderPicker = (props: PickerProps) => ReactNode

/**
 * "Tuesday 1 December, 14:30", in the clinic's local time; beside a moment of another zone it names its own: "Tuesday
 * December 1, 2:30 pm CST".
 */
export function longMoment({ startsAt, timeZone }: Moment, beside?: Moment): string {
  const day = formatDay(dayOf(startsAt, timeZone), timeZone, 'long')
  const isZoned = beside !== undefined && beside.timeZone !== timeZone
  return `${day}, ${(isZoned ? formatTimeWithZone : formatTime)(startsAt, timeZone)}`
}

/** "Continue with Thu 19 Feb, 10:30": names the chosen time. */
export function ContinueButton({ at, onPress }: { at: Moment; onPress: () => void }) {
  return (
    <Button size="large" className="w-full px-3! max-sm:text-base!" onClick={onPress}>
      Continue with {visitMoment(at.startsAt, at.timeZone)}
    </Button>
  )
}

type StepTitleProps = { children: ReactNode; id?: string }

/** The heading of a step. It takes focus if the step replaces another, so that it is read out. */
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

type TimesProps = {
  from: ReactNode
  to: ReactNode
  /** Location of each time, if they differ. */
  places?: { from: string; to: string } | null
}

/** The visit's current time and the new one, with their locations if they differ. */
function Times({ from, to, places = null }: TimesProps) {
  return (
    <dl className="grid gap-3 rounded-card border border-line p-4">
      <div>
        <dt className="text-sm text-muted">Now</dt>
        <dd className="tabular text-muted line-through decoration-1">{from}</dd>
        {places !== null && <dd className="text-sm text-muted">{places.from}</dd>}
      </div>
      <div>
        <dt className="text-sm text-muted">New time</dt>
        <dd className="tabular text-lg font-semibold">{to}</dd>
        {places !== null && (
          <dd>
            At <strong>{places.to}</strong>
          </dd>
        )}
      </div>
    </dl>
  )
}

type Place = Moment & { place: string }

/** Current and new time, with their locations if they differ. */
export function TimeComparison({ from, to }: { from: Place; to: Place }) {
  const places = from.place === to.place ? null : { from: from.place, to: to.place }
  return <Times from={longMoment(from, to)} to={longMoment(to, from)} places={places} />
}

/**
 * The chosen time, the one being confirmed, and the moves between the two steps. With `first`, in the zone of the
 * provider's main place, a time is already chosen and only needs confirming.
 */
export function useSlotChoice(first?: Moment) {
  const [chosen, setChosen] = useState<Partial<SlotChoice>>(
    first === undefined ? {} : slotChoiceOf(first.startsAt, first.timeZone),
  )
  const [confirmed, setConfirmed] = useState<Moment | null>(first ?? null)
  const [isReturn, setReturn] = useState(false)
  return {
    chosen,
    confirmed,
    isReturn,
    choose: setChosen,
    confirm: setConfirmed,
    back: () => {
      setConfirmed(null)
      setReturn(true)
    },
  }
}

type ChooseAnotherProps = {
  terms: Moment & { providerId: string; typeId: string | null }
  choosing: ReturnType<typeof useSlotChoice>
  renderPicker: RenderPicker
}

/** The first step of moving a visit on someone's behalf: its time, and the free ones. */
export function ChooseAnother({ terms, choosing, renderPicker }: ChooseAnotherProps) {
  return (
    <div className="flex flex-col gap-5">
      <StepTitle takesFocus={choosing.isReturn}>
        <span className="tabular">{longMoment(terms)}</span>&nbsp;– choose a new time
      </StepTitle>
      {renderPicker({
        providerId: terms.providerId,
        typeId: terms.typeId ?? undefined,
        chosen: choosing.chosen,
        onChoose: ({ date, time, which }) =>
          choosing.choose({
            ...(date !== undefined && { date }),
            ...(time !== undefined && { time }),
            which,
          }),
        renderContinue: (_, at) => <ContinueButton at={at} onPress={() => choosing.confirm(at)} />,
        whenNothingIsFree: <p>There are no other free times.</p>,
      })}
    </div>
  )
}

/** Both times, before the move is confirmed. */
export function ChosenTime({ from, to }: { from: Moment; to: Moment }) {
  return (
    <>
      <StepTitle takesFocus>Move this visit?</StepTitle>
      <Times from={longMoment(from, to)} to={longMoment(to, from)} />
    </>
  )
}
