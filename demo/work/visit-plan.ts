import { DAY_MS } from '#contract/time.ts'
import { clocks, dayIn } from '#demo/calendar.ts'
import { type Schedule, slotsOn } from '#demo/practice/schedule.ts'
import { hash32, type Random, randomFor } from '#demo/random.ts'

/** A provider whose visits are made up, with their upcoming free times. */
export type Visited = {
  no: number
  id: string
  timeZone: string
  schedule: Schedule
  free: readonly number[]
}

/** How many visits a provider gets, which patients come, in turn, and for what. */
export type VisitMix = {
  /** Over the past ten weeks. */
  past: number
  /** Over the years before, about two a week: a history to browse. */
  older: boolean
  /** Some today, past and upcoming. */
  today: number
  upcoming: number
  guests: readonly string[]
  purposes: readonly string[]
}

export type PlannedVisit = {
  guest: string
  startAt: number
  bookedAt: number
  /** Booked at the lower fee, because of an earlier visit or on the patient's own word. */
  followUp: 'history' | 'self_declared' | null
  purpose: string
  method: 'stripe' | 'paypal'
  /** Cancelled in time, and refunded. */
  isCancelled: boolean
  /** Who cancelled; the patient when left out. */
  cancelledBy?: 'patient' | 'provider'
}

const DAYS_BACK = 75
const OLDEST_DAYS_BACK = 900
/** One in this many older visits was cancelled. */
const CANCELLED_EVERY = 19
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

/** One time on each of some past days, within the hours the provider had then; latest first. */
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

/** One time on about two days a week, long ago; latest first. */
function olderStarts(visited: Visited, random: Random, now: number) {
  const clockFor = clocks()
  const today = dayIn(visited.timeZone, now)
  const starts: number[] = []
  for (let back = DAYS_BACK + 1; back <= OLDEST_DAYS_BACK; back += 1) {
    const day = today - back
    const slots = slotsOn(visited.schedule, day, clockFor(visited.timeZone, day))
    if (slots.length > 0 && random.chance(0.4)) starts.push(random.pick(slots).startAt)
  }
  return starts
}

/** Times today, evenly spread over the hours; upcoming ones only where free. */
function todayStarts(visited: Visited, span: { now: number; count: number }) {
  const { timeZone, schedule, free } = visited
  const today = dayIn(timeZone, span.now)
  const open = new Set(free)
  const starts = slotsOn(schedule, today, clocks()(timeZone, today))
    .map(({ startAt }) => startAt)
    .filter((startAt) => startAt <= span.now || open.has(startAt))
  const step = Math.max(1, Math.floor(starts.length / Math.max(1, span.count)))
  return starts.filter((_, n) => n % step === 0).slice(0, span.count)
}

/** One free time on each of some coming days, tomorrow at the earliest. */
function upcomingStarts(visited: Visited, random: Random, span: { now: number; count: number }) {
  const byDay = Map.groupBy(visited.free, (start) => dayIn(visited.timeZone, start))
  const today = dayIn(visited.timeZone, span.now)
  return [...byDay]
    .filter(([day]) => day > today)
    .toSorted(([a], [b]) => a - b)
    .slice(0, span.count)
    .map(([, starts]) => random.pick(starts))
}

/**
 * Visits in a provider's past ten weeks and next days, without overlaps. They are derived from the provider
 * and the day alone.
 */
export function planVisits(visited: Visited, mix: VisitMix, now: number): PlannedVisit[] {
  const random = randomFor(hash32(`visits ${visited.id}`))
  const past = pastStarts(visited, random, { now, count: mix.past }).toReversed()
  const upcoming = upcomingStarts(visited, random, { now, count: mix.upcoming })
  const longAgo = randomFor(hash32(`older visits ${visited.id}`))
  const older = mix.older ? olderStarts(visited, longAgo, now).toReversed() : []
  const today = todayStarts(visited, { now, count: mix.today })
  const seen = new Set<string>()
  return [...older, ...past, ...today, ...upcoming].map((startAt, n) => {
    const guest = mix.guests[n % mix.guests.length] ?? ''
    const isLately = startAt > now - 30 * DAY_MS
    // A patient with a new problem pays for a first visit again.
    const isFollowUp = seen.has(guest) && isLately && n % 3 !== 0
    if (startAt < now) seen.add(guest)
    const lead = random.between(2, 9) * DAY_MS + random.between(1, 9) * HOUR_MS
    return {
      guest,
      startAt,
      bookedAt: wholeMinute(Math.min(startAt, now) - lead),
      followUp: !isFollowUp ? null : n % 4 === 1 ? 'self_declared' : 'history',
      purpose: random.pick(mix.purposes),
      method: random.chance(0.7) ? 'stripe' : 'paypal',
      isCancelled: n < older.length && n % CANCELLED_EVERY === CANCELLED_EVERY - 1,
    }
  })
}
