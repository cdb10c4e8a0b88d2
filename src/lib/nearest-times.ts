import { choiceOf, type SlotChoice } from './slot-choice.ts'

type Day = { date: string; slots: readonly { startsAt: string }[] }

/** Both sides are wall times of the same clinic, so the zone drops out of the difference. */
function wallMinutes({ date, time }: SlotChoice): number {
  return Date.parse(`${date}T${time}:00Z`) / 60_000
}

/** The free times closest to one that is gone, earliest first. */
export function nearestTimes(days: readonly Day[], wanted: SlotChoice, timeZone: string): string[] {
  const target = wallMinutes(wanted)
  return days
    .flatMap((day) => day.slots)
    .map(({ startsAt }) => ({
      startsAt,
      gap: Math.abs(wallMinutes(choiceOf(startsAt, timeZone)) - target),
    }))
    .toSorted((a, b) => a.gap - b.gap)
    .slice(0, 3)
    .map(({ startsAt }) => startsAt)
    .toSorted()
}
