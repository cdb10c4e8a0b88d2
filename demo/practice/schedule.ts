import type { Instant } from '#db/columns.ts'
import { hash32, pickWeighted, type Random, randomFor } from '#demo/random.ts'

const MINUTE_MS = 60_000

/** Days this demo keeps ahead: today and the two weeks that follow, in the clinic's zone. */
export const DAYS_AHEAD = 15

/** Days since 1970 of a calendar date; a compact name for the date. */
export type DayNo = number

const EPOCH = Temporal.PlainDate.from('1970-01-01')

function dateOf(day: DayNo): Temporal.PlainDate {
  return EPOCH.add({ days: day })
}

/** The calendar date in a zone at an instant. */
export function dayIn(timeZone: string, at: Instant): DayNo {
  const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
  return EPOCH.until(date, { largestUnit: 'days' }).days
}

/** Turns minutes after midnight on a wall clock into an instant; null when that time is skipped. */
type DayClock = (minutes: number) => Instant | null

function makeClock(timeZone: string, day: DayNo): DayClock {
  const date = dateOf(day)
  const midnight = date.toZonedDateTime(timeZone)
  const start = midnight.epochMilliseconds
  // Nearly all days have 24 hours: then plain arithmetic is exact and much faster.
  if (midnight.hoursInDay === 24 && midnight.hour === 0)
    return (minutes) => start + minutes * MINUTE_MS
  return (minutes) => {
    const wall = date.toPlainDateTime().add({ minutes })
    const there = wall.toZonedDateTime(timeZone)
    return there.toPlainDateTime().equals(wall) ? there.epochMilliseconds : null
  }
}

/** Clocks by zone and day, cached. */
export function clocks(): (timeZone: string, day: DayNo) => DayClock {
  const cache = new Map<string, DayClock>()
  return (timeZone, day) => {
    const key = `${timeZone} ${day}`
    const clock = cache.get(key) ?? makeClock(timeZone, day)
    cache.set(key, clock)
    return clock
  }
}

/** Sessions of a weekday as minutes after midnight; Monday first. */
type Session = readonly [from: number, to: number]
type Week = readonly (readonly Session[])[]

/** How booked up a provider's coming weeks look to a patient. */
type Demand = 'open' | 'normal' | 'busy' | 'later' | 'full' | 'closed'

export type Schedule = { key: number; week: Week; demand: Demand; minutes: number }

/** Days that are fully booked for providers whose next free time is far away. */
const LATER_DAYS = 10

/** Share of slots already taken today and two weeks from now. */
const TAKEN: Record<Demand, readonly [now: number, then: number]> = {
  open: [0.45, 0.1],
  normal: [0.72, 0.28],
  busy: [0.95, 0.6],
  later: [1, 0.35],
  full: [1, 1],
  closed: [1, 1],
}

const at = (hours: number, minutes = 0) => hours * 60 + minutes

function sessionsOf(
  random: Random,
  habits: { early: number; long: boolean; late: boolean },
): Session[] {
  const morning: Session = [habits.early, at(12, habits.long ? 30 : 0)]
  const afternoon: Session = [
    random.pick([at(13, 30), at(14)]),
    random.pick([at(16, 30), at(17), at(17, 30)]),
  ]
  const evening: Session = [at(17, 30), at(19, 30)]
  const day = pickWeighted(random, [
    [[morning], 34],
    [[afternoon], 24],
    [[morning, afternoon], habits.long ? 52 : 26],
  ] as const)
  return habits.late && random.chance(0.4) ? [...day, evening] : [...day]
}

function weekOf(random: Random, isAccount: boolean): Week {
  const habits = {
    early: random.pick([at(8), at(8, 30), at(9), at(9), at(9, 30)]),
    long: isAccount || random.chance(0.35),
    late: random.chance(0.18),
  }
  const attendance = isAccount ? 1 : random.pick([0.4, 0.6, 0.8, 0.8, 1])
  const saturday = random.chance(0.16)
  return Array.from({ length: 7 }, (_, weekday) => {
    if (weekday === 6) return []
    if (weekday === 5) return saturday ? [[at(9), at(12, 30)] as const] : []
    return random.chance(attendance) ? sessionsOf(random, habits) : []
  })
}

/** The accounts people try the demo with always have a free slot. */
const ACCOUNTS = /^provider(?:-us)?@demo\.example$/

/** The hours of a demo provider, derived from the id alone. */
export function scheduleOf(provider: { id: string; email: string; minutes: number }): Schedule {
  const key = hash32(provider.id)
  const random = randomFor(key, hash32('schedule'))
  const isAccount = ACCOUNTS.test(provider.email)
  const week = weekOf(random, isAccount)
  const demand = pickWeighted(random, [
    ['normal', 56],
    ['busy', 26],
    ['later', 7],
    ['full', 5],
    ['closed', 3],
    ['open', 3],
  ] as const)
  return { key, week, demand: isAccount ? 'open' : demand, minutes: provider.minutes }
}

function takenShare(demand: Demand, daysAhead: number): number {
  const ahead = Math.max(0, daysAhead)
  if (demand === 'later' && ahead < LATER_DAYS) return 1
  const [now, then] = TAKEN[demand]
  return now + ((then - now) * Math.min(ahead, DAYS_AHEAD - 1)) / (DAYS_AHEAD - 1)
}

/** A slot with its booking order: the lower `luck` is, the earlier it is booked. */
type PlannedSlot = { startAt: Instant; luck: number }

/**
 * The slots of one day in the clinic's wall clock, derived from provider and date alone. `isFree` tells
 * whether one is still free `daysAhead` days before.
 */
export function slotsOn(schedule: Schedule, day: DayNo, clock: DayClock): PlannedSlot[] {
  if (schedule.demand === 'closed') return []
  // 1970-01-01 was a Thursday.
  const sessions = schedule.week[(((day + 3) % 7) + 7) % 7] ?? []
  if (sessions.length === 0) return []
  const random = randomFor(schedule.key, day)
  const isAway = schedule.demand !== 'open' && random.chance(0.05)
  if (isAway) return []
  const slots: PlannedSlot[] = []
  for (const [from, to] of sessions) {
    for (let start = from; start + schedule.minutes <= to; start += schedule.minutes) {
      const startAt = clock(start)
      const luck = random.next()
      if (startAt !== null) slots.push({ startAt, luck })
    }
  }
  return slots
}

/** Whether the slot is still free this many days before. Once taken, it never becomes free again. */
export function isFree(schedule: Schedule, slot: PlannedSlot, daysAhead: number): boolean {
  return slot.luck >= takenShare(schedule.demand, daysAhead)
}
