import { MapPin } from 'lucide-react'
import { type ReactNode, type Ref, type RefObject, useEffect, useRef } from 'react'
import { monthOf } from '#app/lib/dates/calendar-days.ts'
import {
  instantOfChoice,
  type Moment,
  nearestTimes,
  type SlotChoice,
  slotChoiceOf,
} from '#app/lib/dates/slot-choice.ts'
import { formatDay } from '#app/lib/format/dates.ts'
import { SlotPill } from '#app/parts/visits/slot-pill.tsx'
import { Button } from '#app/ui/button.tsx'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import type { FreeTimes } from '#contract/availability.ts'
import { groupPlaces, groupTimes, type Slot, type SlotSource, useMonthTimes } from './free-times.ts'

type ChosenDayProps = {
  whose: SlotSource
  times: FreeTimes
  today: string
  date: string
  chosenTime: string | undefined
  /** Which one is chosen of two equal times of the day, if known. */
  which: SlotChoice['which']
  soonest: string
  headingRef: Ref<HTMLHeadingElement>
  onChoose: (choice: SlotChoice) => void
  /** Called with one of the nearest times when the chosen one is gone. */
  onChooseInstead: (choice: SlotChoice) => void
  /** Returns to the calendar; only for a day that was chosen there. */
  onOtherDate?: () => void
  renderContinue: (choice: SlotChoice, at: Moment) => ReactNode
  goneTitle?: string
}

type UnavailableTimeProps = {
  title: string
  wanted: SlotChoice
  days: FreeTimes['days']
  timeZone: string
  onChoose: (choice: SlotChoice) => void
}

/** Place of a time, for providers with more than one place. */
function placeOf(days: FreeTimes['days'], startsAt: string): string | undefined {
  return days.flatMap(({ slots }) => slots).find((slot) => slot.startsAt === startsAt)?.place
}

/** Offers the nearest times when the time in the URL is no longer free. */
function UnavailableTime({ title, wanted, days, timeZone, onChoose }: UnavailableTimeProps) {
  const near = nearestTimes(days, wanted, timeZone)
  return (
    <Notice kind="warn" role="status" title={title}>
      {near.length > 0 && (
        <>
          <p>These are the nearest:</p>
          <ul className="mt-2 flex flex-col gap-2">
            {near.map((startsAt) => {
              const choice = slotChoiceOf(startsAt, timeZone)
              const place = placeOf(days, startsAt)
              return (
                <li key={startsAt} className="flex items-center gap-3">
                  <SlotPill
                    startsAt={startsAt}
                    timeZone={timeZone}
                    isSelected={false}
                    onClick={() => onChoose(choice)}
                  />
                  <span className="min-w-0 wrap-anywhere">
                    <span aria-hidden="true">{formatDay(choice.date, timeZone)}</span>
                    {place !== undefined && <span className="block text-sm">{place}</span>}
                  </span>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </Notice>
  )
}

/** Scrolls the next step into view after a choice; a sticky one would cover times. */
function useScrollAfterChoice(chosen: string | undefined): RefObject<HTMLDivElement | null> {
  const step = useRef<HTMLDivElement>(null)
  const last = useRef(chosen)
  useEffect(() => {
    if (last.current === chosen) return
    last.current = chosen
    if (chosen !== undefined) step.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return step
}

/** One day's times, the choice among them, and the next step. */
export function ChosenDay(props: ChosenDayProps) {
  const { whose, times, today, date, chosenTime, which, soonest, headingRef } = props
  const { onChoose, onChooseInstead, onOtherDate, renderContinue, goneTitle } = props
  const { timeZone } = times
  const known = times.days.find((day) => day.date === date)
  const isInPast = date < today
  const month = useMonthTimes(whose, monthOf(isInPast ? today : date), today)
  const days = known ? times.days : (month.data?.days ?? [])
  const day = known ?? days.find((one) => one.date === date)
  const isLoading = known === undefined && month.isPending
  const choice = chosenTime === undefined ? null : { date, time: chosenTime, which }
  // Without `which` the first of two equal times is meant, as on the server, also when only the second is free.
  const wanted = choice === null ? undefined : instantOfChoice(choice, timeZone)
  const slot = day?.slots.find(({ startsAt }) => startsAt === wanted)
  const isChosenFree = slot !== undefined
  const next = useScrollAfterChoice(isChosenFree ? `${date} ${slot.startsAt}` : undefined)

  const otherDate = onOtherDate && (
    <Button variant="quiet" className="self-start px-0!" onClick={onOtherDate}>
      Choose a different date
    </Button>
  )

  if (isLoading) return <Skeleton className="h-40 w-full" />
  // Without the month nothing is known about this day, nor whether the chosen time is still free.
  if (known === undefined && month.data === undefined) {
    return (
      <div className="flex flex-col gap-4">
        {choice && goneTitle !== undefined && (
          <Notice kind="warn" role="status" title={goneTitle} />
        )}
        <LoadNotice
          title={`The times on ${formatDay(date, timeZone, 'long')} didn’t load`}
          error={month.error}
          onRetry={() => void month.refetch()}
        />
        {otherDate}
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      {choice && !isChosenFree && (
        <UnavailableTime
          title={goneTitle ?? 'That time is no longer free'}
          wanted={choice}
          days={days}
          timeZone={timeZone}
          onChoose={onChooseInstead}
        />
      )}
      {day === undefined ? (
        <h3 ref={headingRef} tabIndex={-1} className="font-semibold">
          No free times on {formatDay(date, timeZone, 'long')}
        </h3>
      ) : (
        <DayTimes
          date={date}
          slots={day.slots}
          timeZone={timeZone}
          chosenAt={slot?.startsAt}
          soonest={soonest}
          onChoose={onChoose}
          headingRef={headingRef}
        />
      )}
      {otherDate}
      {slot?.place !== undefined && (
        <p role="status">
          This time is at <strong>{slot.place}</strong>.
        </p>
      )}
      <div ref={next} aria-live="polite" className="scroll-mb-3">
        {choice && isChosenFree ? (
          renderContinue(slotChoiceOf(slot.startsAt, timeZone), {
            startsAt: slot.startsAt,
            timeZone,
          })
        ) : (
          <p className="text-muted">Choose a time to carry on.</p>
        )}
      </div>
    </div>
  )
}

type DayTimesProps = {
  date: string
  slots: readonly Slot[]
  timeZone: string
  /** Start of the chosen time, if it is free. */
  chosenAt: string | undefined
  soonest: string | null
  onChoose: (choice: SlotChoice) => void
  headingRef?: Ref<HTMLHeadingElement>
}

/** The times at one place, under its name where the provider has more than one. */
function AtPlace({ place, children }: { place: string | undefined; children: ReactNode }) {
  if (place === undefined) return <>{children}</>
  return (
    <div role="group" aria-label={place} className="flex flex-col gap-3">
      <p aria-hidden="true" className="flex items-start gap-1.5 font-medium wrap-anywhere">
        <MapPin className="mt-0.5 size-5 shrink-0 text-muted" />
        {place}
      </p>
      {children}
    </div>
  )
}

/** The free times of one day in Morning, Afternoon and Evening. Taken ones are not shown. */
function DayTimes(props: DayTimesProps) {
  const { date, slots, timeZone, chosenAt, soonest, onChoose, headingRef } = props
  const day = formatDay(date, timeZone, 'long')
  return (
    <div className="flex flex-col gap-4">
      {/* A label, because visually hidden text would be read with a space before the comma. */}
      <h3
        ref={headingRef}
        tabIndex={-1}
        aria-label={`${day}, free times`}
        className="font-semibold"
      >
        {day}
      </h3>
      {groupPlaces(slots).map(([place, there]) => (
        <AtPlace key={place ?? ''} place={place}>
          {groupTimes(there, timeZone).map(([part, times]) => (
            <div key={part} role="group" aria-label={part} className="flex flex-col gap-1.5">
              <h4 aria-hidden="true" className="text-sm text-muted">
                {part}
              </h4>
              <ul className="grid grid-cols-3 gap-2 @max-[13rem]:grid-cols-2 sm:grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] lg:grid-cols-3">
                {times.map(({ startsAt }) => (
                  <li key={startsAt}>
                    <SlotPill
                      startsAt={startsAt}
                      timeZone={timeZone}
                      isSoonest={startsAt === soonest}
                      isSelected={startsAt === chosenAt}
                      onClick={() => onChoose(slotChoiceOf(startsAt, timeZone))}
                      className="w-full min-w-0! px-1!"
                    />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </AtPlace>
      ))}
    </div>
  )
}
