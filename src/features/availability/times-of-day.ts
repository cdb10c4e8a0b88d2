import { wallTime } from '#app/lib/slot-choice.ts'

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
  return [...Map.groupBy(slots, ({ place }) => place)]
}
