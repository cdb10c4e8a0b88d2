import { MapPin } from 'lucide-react'
import { type ReactNode, type Ref } from 'react'
import { formatDay } from '#app/lib/format.ts'
import { type SlotChoice, wallTime } from '#app/lib/slot-choice.ts'
import { SlotPill } from '#app/parts/slot-pill.tsx'
import { groupPlaces, groupTimes, type Slot } from './times-of-day.ts'

type DayTimesProps = {
  date: string
  slots: readonly Slot[]
  timeZone: string
  /** The chosen wall time of this day, if any. */
  chosenTime: string | undefined
  soonest: string | null
  onChoose: (choice: SlotChoice) => void
  headingRef?: Ref<HTMLHeadingElement>
}

/** The times at one place, under its name where the provider has more than one. */
function AtPlace({ place, children }: { place: string | undefined; children: ReactNode }) {
  if (place === undefined) return children
  return (
    <div role="group" aria-label={place} className="flex flex-col gap-3">
      <p aria-hidden="true" className="flex items-start gap-1.5 font-medium">
        <MapPin className="mt-0.5 size-5 shrink-0 text-muted" />
        {place}
      </p>
      {children}
    </div>
  )
}

/** The free times of one day in Morning, Afternoon and Evening. Taken ones are not shown. */
export function DayTimes(props: DayTimesProps) {
  const { date, slots, timeZone, chosenTime, soonest, onChoose, headingRef } = props
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
                {times.map(({ startsAt }) => {
                  const time = wallTime(startsAt, timeZone)
                  return (
                    <li key={startsAt}>
                      <SlotPill
                        startsAt={startsAt}
                        timeZone={timeZone}
                        isSoonest={startsAt === soonest}
                        isSelected={time === chosenTime}
                        onClick={() => onChoose({ date, time })}
                        className="w-full min-w-0! px-1!"
                      />
                    </li>
                  )
                })}
              </ul>
            </div>
          ))}
        </AtPlace>
      ))}
    </div>
  )
}
