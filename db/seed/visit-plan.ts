import { DAY_MS } from '#contract/time.ts'
import { clocks, dayIn } from './calendar.ts'
import { hash32, type Random, randomFor } from './random.ts'
import { type Schedule, slotsOn } from './schedule.ts'

/** A provider whose visits are made up, with the free times of the days to come. */
export type Visited = {
  no: number
  id: string
  timeZone: string
  schedule: Schedule
  free: readonly number[]
}

/** How many visits a provider is given, who comes, in turn, and for what. */
export type Wanted = {
  past: number
  coming: number
  guests: readonly string[]
  purposes: readonly string[]
}

export type PlannedVisit = {
  guest: string
  startAt: number
  bookedAt: number
  /** They have been here before, and say so. */
  isFollowUp: boolean
  purpose: string
  method: 'stripe' | 'paypal'
}

const DAYS_BACK = 75
const HOUR_MS = 3_600_000

const wholeMinute = (at: number) => at - (at % 60_000)

/** What people see a family doctor for. */
export const PURPOSES = [
  'A cough that has lasted three weeks, worse at night',
  'Headaches on most mornings since the start of the month',
  'My knee swells after running and hurts on the stairs',
  'A rash on both arms that comes and goes',
  'To talk about my blood pressure readings at home',
  'Tired all the time, although I sleep eight hours',
  'A second opinion on a treatment I was offered',
  'Stomach pain after meals, mostly in the evening',
  'My back is stiff every morning for an hour',
  'A check-up before a long journey',
]

/** One time on each of some past days, as the provider's hours were then; latest first. */
function pastStarts(visited: Visited, random: Random, span: { now: number; count: number }) {
  const clockFor = clocks()
  const today = dayIn(visited.timeZone, span.now)
  const starts: number[] = []
  for (let back = 1; back <= DAYS_BACK && starts.length < span.count; back += 1) {
    const day = today - back
    const slots = slotsOn(visited.schedule, day, clockFor(visited.timeZone, day))
    if (slots.length > 0 && random.chance(0.6)) starts.push(random.pick(slots).startAt)
  }
  return starts
}

/** One free time on each of some coming days, tomorrow at the earliest. */
function comingStarts(visited: Visited, random: Random, span: { now: number; count: number }) {
  const byDay = Map.groupBy(visited.free, (start) => dayIn(visited.timeZone, start))
  const today = dayIn(visited.timeZone, span.now)
  return [...byDay]
    .filter(([day]) => day > today)
    .toSorted(([a], [b]) => a - b)
    .slice(0, span.count)
    .map(([, starts]) => random.pick(starts))
}

/**
 * Visits of a provider's past ten weeks and next days, none of which overlap. They follow from the
 * provider and the day alone.
 */
export function planVisits(visited: Visited, wanted: Wanted, now: number): PlannedVisit[] {
  const random = randomFor(hash32(`visits ${visited.id}`))
  const past = pastStarts(visited, random, { now, count: wanted.past }).toReversed()
  const coming = comingStarts(visited, random, { now, count: wanted.coming })
  const seen = new Set<string>()
  return [...past, ...coming].map((startAt, n) => {
    const guest = wanted.guests[n % wanted.guests.length] ?? ''
    const isFollowUp = seen.has(guest) && startAt > now - 30 * DAY_MS
    if (startAt < now) seen.add(guest)
    const lead = random.between(2, 9) * DAY_MS + random.between(1, 9) * HOUR_MS
    return {
      guest,
      startAt,
      bookedAt: wholeMinute(Math.min(startAt, now) - lead),
      isFollowUp,
      purpose: random.pick(wanted.purposes),
      method: random.chance(0.7) ? 'stripe' : 'paypal',
    }
  })
}
