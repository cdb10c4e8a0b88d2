import { Zap } from 'lucide-react'
import { type ReactNode } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { dayOf, formatRelativeDay, formatTime, zoneLabel } from '#app/lib/format.ts'
import { choiceOf, type SlotChoice } from '#app/lib/slot-choice.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ChooseDay } from './choose-day.tsx'
import { useFirstTimes } from './use-free-times.ts'

/** The choice in the URL: a day, and perhaps a time on it. */
export type Chosen = { date?: string | undefined; time?: string | undefined }

export type SlotPickerProps = {
  providerId: string
  /** Visit type; the provider's first one when omitted. */
  typeId?: string | undefined
  chosen: Chosen
  /** A day without a time clears the time. */
  onChoose: (chosen: Chosen) => void
  /** The next step, labelled with the choice: "Continue with Thu 19 Feb, 10:30". */
  renderContinue: (choice: SlotChoice, timeZone: string) => ReactNode
  /** Said instead when there is no free time at all. */
  whenNothingIsFree: ReactNode
  /** Title above the nearest times when the chosen one is not free, if the reason is known. */
  goneTitle?: string
}

function PickerSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="sr-only">
        Loading free times
      </p>
      <Skeleton className="h-13 w-full" />
      <Skeleton className="h-15 w-full rounded-card" />
      <Skeleton className="h-5 w-40" />
      <div className="grid grid-cols-3 gap-2">
        {Array.from({ length: 9 }, (_, at) => (
          <Skeleton key={at} className="h-11" />
        ))}
      </div>
    </div>
  )
}

type FirstAvailableProps = {
  startsAt: string
  /** Name of the place, if the provider has more than one. */
  place: string | undefined
  timeZone: string
  onChoose: (to: SlotChoice) => void
}

/** Button for the earliest free time. */
function FirstAvailable({ startsAt, place, timeZone, onChoose }: FirstAvailableProps) {
  const day = formatRelativeDay(dayOf(startsAt, timeZone), timeZone)
  return (
    <button
      type="button"
      onClick={() => onChoose(choiceOf(startsAt, timeZone))}
      className="flex min-h-13 w-full flex-wrap items-center justify-between gap-x-3 rounded-field border border-accent bg-accent-tint px-4 py-2 text-left text-accent transition-colors duration-150 hover:bg-surface"
    >
      <span className="inline-flex items-center gap-2 font-semibold">
        <Zap aria-hidden="true" className="size-5 max-sm:hidden" />
        First available
      </span>
      <span className="tabular font-semibold sm:text-right sm:whitespace-nowrap">
        {day}, {formatTime(startsAt, timeZone)}
        {place !== undefined && (
          <span className="block text-sm font-normal whitespace-normal">{place}</span>
        )}
      </span>
    </button>
  )
}

/** "Times shown in London time (BST)": in-person visits are always in the clinic's own time. */
function ZoneLine({ at, timeZone }: { at: string; timeZone: string }) {
  const label = zoneLabel(at, timeZone).replace(/, (.+)$/, ' ($1)')
  return <p className="text-sm text-muted">Times shown in {label}</p>
}

/** Choosing a free time: the first one, one of the first days, or any other date. */
export function SlotPicker(props: SlotPickerProps) {
  const { providerId, typeId, chosen, onChoose, renderContinue, whenNothingIsFree, goneTitle } =
    props
  const { times, today } = useFirstTimes({ providerId, typeId })
  const { data, error, refetch } = times
  if (error !== null) {
    return (
      <Notice kind="danger" role="alert" title="We couldn’t load the free times">
        <p>{describeFailure(error).sentence}</p>
        <Button variant="secondary" className="mt-3" onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  if (data === undefined || today === undefined) return <PickerSkeleton />
  const { timeZone, nextFree, days } = data
  const soonest = days[0]?.slots[0]
  const first = soonest?.startsAt ?? nextFree
  if (first === null) {
    return (
      <div className="flex flex-col gap-4">
        {goneTitle !== undefined && <Notice kind="warn" role="status" title={goneTitle} />}
        {whenNothingIsFree}
      </div>
    )
  }
  return (
    <div className="@container flex flex-col gap-4">
      <FirstAvailable
        startsAt={first}
        place={soonest?.place}
        timeZone={timeZone}
        onChoose={onChoose}
      />
      <ChooseDay
        whose={{ providerId, typeId }}
        times={data}
        today={today}
        soonest={first}
        chosen={chosen}
        onChoose={onChoose}
        {...(goneTitle !== undefined && { goneTitle })}
        renderContinue={(choice) => renderContinue(choice, timeZone)}
      />
      <ZoneLine at={first} timeZone={timeZone} />
    </div>
  )
}
