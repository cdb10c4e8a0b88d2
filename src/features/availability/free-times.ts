import { daysBetween, lastDayOf } from '#app/lib/dates/calendar-days.ts'
import { wallTime } from '#app/lib/dates/slot-choice.ts'
import { groupBy } from '#app/lib/group-by.ts'
import { trpc } from '#app/trpc.ts'

/** Provider and visit type; the provider's first type when omitted. */
export type SlotSource = { providerId: string; typeId?: string | undefined }

const slotsInput = ({ providerId, typeId }: SlotSource) => ({
  providerId,
  ...(typeId !== undefined && { typeId }),
})

/**
 * The first days with free times: within the coming fortnight, or, if there are none, within the fortnight
 * from the first free day.
 */
export function useFirstTimes(source: SlotSource) {
  const { freeTimes } = trpc.availability
  const input = slotsInput(source)
  const soon = freeTimes.useQuery(input)
  const jump = soon.data?.days.length === 0 ? soon.data.nextDay : null
  const later = freeTimes.useQuery(
    { ...input, ...(jump !== null && { from: jump }) },
    { enabled: jump !== null },
  )
  // Today in the clinic's time zone, from the response that starts there.
  const today = soon.data?.from
  return { times: jump === null ? soon : later, today }
}

/** Free times of one month, from `today` on; earlier days are never requested. */
export function useMonthTimes(source: SlotSource, month: string, today: string) {
  const first = `${month}-01`
  const from = first < today ? today : first
  const days = Math.max(1, daysBetween(from, lastDayOf(month)) + 1)
  return trpc.availability.freeTimes.useQuery({ ...slotsInput(source), from, days })
}

export type Slot = { startsAt: string; place?: string | undefined }
export type PartOfDay = 'Morning' | 'Afternoon' | 'Evening'

/** Morning ends at noon, the afternoon at five, by the clinic's own clock. */
function partOf(hour: number): PartOfDay {
  if (hour < 12) return 'Morning'
  return hour < 17 ? 'Afternoon' : 'Evening'
}

/** Groups the times of one day by part of the day, in order; empty parts are left out. */
export function groupTimes(slots: readonly Slot[], timeZone: string): [PartOfDay, Slot[]][] {
  const groups = new Map<PartOfDay, Slot[]>()
  for (const slot of slots) {
    const part = partOf(Number(wallTime(slot.startsAt, timeZone).slice(0, 2)))
    groups.set(part, [...(groups.get(part) ?? []), slot])
  }
  return [...groups]
}

/** Groups the times of one day by place, ordered by first time; one group if no place is named. */
export function groupPlaces(slots: readonly Slot[]): [string | undefined, Slot[]][] {
  return [...groupBy(slots, ({ place }) => place)]
}
