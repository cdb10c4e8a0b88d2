import { addDays } from '#app/lib/calendar-days.ts'
import { cx } from '#app/lib/cx.ts'
import { dayOf, formatRelativeDay, zoneLabel } from '#app/lib/format.ts'
import { serverNow } from '#app/lib/server-clock.ts'
import { choiceOf, nearestTimes, type SlotChoice } from '#app/lib/slot-choice.ts'
import { trpc } from '#app/trpc.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SlotPill } from './slot-pill.tsx'

/** Days searched before the wanted one, so that the evening before counts as near. */
const DAYS_BEFORE = 3

type NearestFreeProps = {
  providerId: string
  /** The visit type; the first one if omitted. */
  typeId?: string | undefined
  wanted: SlotChoice
  timeZone: string
  onChoose: (choice: SlotChoice) => void
  /** Heading level; 2 if omitted. */
  level?: 2 | 3
}

/** The three free times closest to one that is not available. */
export function NearestFree({
  providerId,
  typeId,
  wanted,
  timeZone,
  onChoose,
  level = 2,
}: NearestFreeProps) {
  const Heading = `h${level}` as const
  const today = dayOf(serverNow(), timeZone)
  const start = addDays(wanted.date, -DAYS_BEFORE)
  const from = start < today ? today : start
  const { data, isPending } = trpc.availability.freeTimes.useQuery({
    providerId,
    from,
    ...(typeId !== undefined && { typeId }),
  })
  if (isPending) return <Skeleton className="h-32 w-full" />
  const near = nearestTimes(data?.days ?? [], wanted, timeZone)
  const placeOf = new Map(
    data?.days.flatMap((day) => day.slots.map((slot) => [slot.startsAt, slot.place] as const)),
  )
  const [first] = near
  if (first === undefined) return null
  return (
    <section aria-labelledby="nearest">
      <Heading id="nearest" className={cx('font-semibold', level === 2 && 'text-xl')}>
        The nearest free times
      </Heading>
      <ul className="mt-3 flex flex-col gap-2">
        {near.map((startsAt) => {
          const choice = choiceOf(startsAt, timeZone)
          const where = placeOf.get(startsAt)
          return (
            <li key={startsAt} className="flex items-center gap-3">
              <SlotPill
                startsAt={startsAt}
                timeZone={timeZone}
                isSelected={false}
                onClick={() => onChoose(choice)}
              />
              <span>
                <span aria-hidden="true">{formatRelativeDay(choice.date, timeZone)}</span>
                {where !== undefined && <span className="block text-sm text-muted">{where}</span>}
              </span>
            </li>
          )
        })}
      </ul>
      <p className="mt-2 text-sm text-muted">{zoneLabel(first, timeZone)}</p>
    </section>
  )
}
