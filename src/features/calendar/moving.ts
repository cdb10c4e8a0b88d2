import { formatDay } from '#app/lib/format.ts'
import { choiceOf, type SlotChoice } from '#app/lib/slot-choice.ts'
import type { FreeTimes } from '#contract/availability.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { clockText } from '#contract/time.ts'
import { type CalendarDay, minutesOf, type Span, spanOf } from './layout.ts'

/** A visit is put down at quarters of an hour where no free time is near. */
const STEP = 15

/** A place in the calendar: a day, and the minute of its clock. */
export type Spot = { date: string; from: number }

/** Where a visit that is carried would come down, and why it cannot. */
export type Landing = Spot & {
  /** The free time it takes; null where it cannot be put down. */
  choice: SlotChoice | null
  /** Empty where it can. */
  why: string
  /** It is where it was. */
  isOwn: boolean
  /** How long it is. */
  minutes: number
}

/** Only booked visits that have not begun can be moved so; those of the desk have a form for it. */
export function isMovable(visit: WeekVisit, now: string): boolean {
  const isAhead = Date.parse(visit.startsAt) > Date.parse(now)
  return visit.desk === null && visit.marking.outcome === null && isAhead
}

type Around = {
  visit: WeekVisit
  days: readonly CalendarDay[]
  /** What the clock shows at the top and at the bottom. */
  hours: Span
  /** Zone of the days. */
  timeZone: string
  /** Undefined until they have been asked for. */
  free: FreeTimes | undefined
}

type FreeSpot = Spot & { startsAt: string; elsewhere: string | null }

/** Free times of a day; of those at another place it is known where. */
function freeSpots({ visit, free }: Around, date: string): FreeSpot[] {
  const slots = free?.days.find((day) => day.date === date)?.slots ?? []
  return slots.map(({ startsAt, place }) => ({
    date,
    startsAt,
    from: minutesOf(choiceOf(startsAt, free?.timeZone ?? visit.timeZone).time),
    elsewhere: place === undefined || place === visit.placeName ? null : place,
  }))
}

/** What stands in the way of a visit of so many minutes, in the words of the day's plan. */
function obstacleAt({ days, timeZone }: Around, { date, from }: Spot, minutes: number): string {
  const stretches = days.find((day) => day.date === date)?.stretches ?? []
  const met = stretches.filter((one) => {
    const span = spanOf(one, timeZone)
    return span.from < from + minutes && span.to > from
  })
  const obstacle = met.find(({ reason }) => reason !== 'free')
  return obstacle?.text.replace(/^.*?: /, '') ?? 'No visit begins at this time'
}

/** A spot of so many minutes, not beyond what the clock shows. */
function within(hours: Span, { date, from, minutes }: Spot & { minutes: number }): Spot {
  return { date, from: Math.max(hours.from, Math.min(hours.to - minutes, from)) }
}

const distance = (a: Spot, b: Spot) => Math.abs(a.from - b.from)

/**
 * Where a visit comes down that is held over a spot: at the free time of its place that is less than half
 * its length away, otherwise at the quarter of an hour, where it cannot stay.
 */
export function landOn(spot: Spot, around: Around): Landing {
  const { visit } = around
  const own = spanOf(visit, visit.timeZone)
  const minutes = own.to - own.from
  const ownDate = choiceOf(visit.startsAt, visit.timeZone).date
  const refuse = (at: Spot, why: string): Landing => ({
    date: at.date,
    from: at.from,
    choice: null,
    why,
    isOwn: false,
    minutes,
  })
  const isNear = (one: Spot) => distance(one, spot) <= minutes / 2
  const near = freeSpots(around, spot.date)
    .filter(isNear)
    .toSorted((a, b) => distance(a, spot) - distance(b, spot))
  const best = near.find(({ elsewhere: other }) => other === null)
  const ownSpot = { date: ownDate, from: own.from }
  const isOwnNearest =
    spot.date === ownDate &&
    isNear(ownSpot) &&
    (best === undefined || distance(ownSpot, spot) <= distance(best, spot))
  if (isOwnNearest) return { ...refuse(ownSpot, 'This is its time now'), isOwn: true }
  if (best !== undefined) {
    const choice = choiceOf(best.startsAt, around.free?.timeZone ?? visit.timeZone)
    return { date: best.date, from: best.from, choice, why: '', isOwn: false, minutes }
  }
  const [other] = near
  if (other !== undefined) return refuse(other, `Free at another place, ${other.elsewhere}`)
  const rounded = within(around.hours, {
    date: spot.date,
    from: Math.round(spot.from / STEP) * STEP,
    minutes,
  })
  if (around.free === undefined) return refuse(rounded, 'Looking for free times…')
  return refuse(rounded, obstacleAt(around, rounded, minutes))
}

/** The day beside, of those that are shown. */
function dayBeside(days: readonly CalendarDay[], date: string, step: 1 | -1): string {
  const at = days.findIndex((day) => day.date === date)
  return days[at + step]?.date ?? date
}

/** Where an arrow key carries a visit: by its own length within a day, or to the day beside. */
export function carryBy(key: string, { date, from }: Spot, around: Around): Spot | null {
  const { startsAt, endsAt } = around.visit
  const minutes = (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000
  const at = (minute: number) => within(around.hours, { date, from: minute, minutes })
  if (key === 'ArrowDown') return at(from + minutes)
  if (key === 'ArrowUp') return at(from - minutes)
  if (key === 'ArrowRight') return { date: dayBeside(around.days, date, 1), from }
  if (key === 'ArrowLeft') return { date: dayBeside(around.days, date, -1), from }
  return null
}

/** "Wednesday 4 March, 14:30". */
export function saySpot({ date, from }: Spot, timeZone: string): string {
  const clock = clockText(from, timeZone !== 'Europe/London')
  return `${formatDay(date, timeZone, 'long')}, ${clock}`
}

/** What a screen reader hears of a landing. */
export function sayLanding(landing: Landing, timeZone: string): string {
  const where = saySpot(landing, timeZone)
  return landing.choice === null ? `${where}: ${landing.why}` : `${where}: Free`
}
