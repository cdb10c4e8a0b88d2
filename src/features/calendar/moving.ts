import { dayOf, formatDay } from '#app/lib/format.ts'
import { choiceOf, type SlotChoice } from '#app/lib/slot-choice.ts'
import type { FreeTimes } from '#contract/availability.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { clockText } from '#contract/time.ts'
import { type CalendarDay, minutesOf, type Span, type Stretch, spanOf } from './layout.ts'

/** A visit is put down at quarters of an hour where no free time is near. */
const STEP = 15

/** A place in the calendar: a day, and the minute of its clock. */
export type Spot = { date: string; from: number }

/** Where a visit that is carried would come down, and why it cannot. */
export type Landing = Spot & {
  /** The time it takes, by the clock of its place; null where it cannot be put down. */
  choice: SlotChoice | null
  /** Why it cannot; of a time it takes, why patients are not offered that. Empty where it is free. */
  why: string
  /** It is where it was. */
  isOwn: boolean
  /** How long it is. */
  minutes: number
}

/** Booked visits can be moved until they begin, those of the desk until their day is over, as by their forms. */
export function isMovable({ desk, marking, startsAt, timeZone }: WeekVisit, now: string): boolean {
  if (marking.outcome !== null) return false
  if (desk === null) return Date.parse(startsAt) > Date.parse(now)
  return dayOf(startsAt, timeZone) >= dayOf(now, timeZone)
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

const meets = (span: Span, from: number, minutes: number) =>
  span.from < from + minutes && span.to > from

/** What of the day's plan a visit of so many minutes would meet there. */
function metAt({ days, timeZone }: Around, { date, from }: Spot, minutes: number): Stretch[] {
  const stretches = days.find((day) => day.date === date)?.stretches ?? []
  return stretches.filter((one) => meets(spanOf(one, timeZone), from, minutes))
}

const wordsOf = (stretch: Stretch | undefined) => stretch?.text.replace(/^.*?: /, '')

/** What stands in the way of a visit of so many minutes, in the words of the day's plan. */
function obstacleAt(around: Around, spot: Spot, minutes: number): string {
  const obstacle = metAt(around, spot, minutes).find(({ reason }) => reason !== 'free')
  return wordsOf(obstacle) ?? 'No visit begins at this time'
}

/** A spot of so many minutes, not beyond what the clock shows. */
function within(hours: Span, { date, from, minutes }: Spot & { minutes: number }): Spot {
  return { date, from: Math.max(hours.from, Math.min(hours.to - minutes, from)) }
}

const distance = (a: Spot, b: Spot) => Math.abs(a.from - b.from)

/** Why a visit of the desk cannot be there: only other people's times keep it away, as in its form. */
function takenAt(around: Around, spot: Spot, minutes: number): string | null {
  const { visit, days } = around
  const day = days.find(({ date }) => date === spot.date)
  if (day === undefined || day.isOver) return 'This day is over'
  const other = day.visits.find(
    (one) => one.visit.id !== visit.id && meets(one, spot.from, minutes),
  )
  if (other !== undefined) return `Booked: ${other.visit.patientName ?? 'a visit'}`
  return wordsOf(metAt(around, spot, minutes).find(({ reason }) => reason === 'held')) ?? null
}

/**
 * Where a visit of the desk comes down: at any quarter of an hour where nobody is booked, offered or not,
 * and at a time that begins nearby rather than beside it, so that no others are lost.
 */
function landDesk(spot: Spot, around: Around): Landing {
  const own = spanOf(around.visit, around.visit.timeZone)
  const minutes = own.to - own.from
  const rounded = within(around.hours, {
    date: spot.date,
    from: Math.round(spot.from / STEP) * STEP,
    minutes,
  })
  const near = freeSpots(around, spot.date)
    .filter((one) => one.elsewhere === null && distance(one, spot) < STEP)
    .filter((one) => takenAt(around, one, minutes) === null)
    .toSorted((a, b) => distance(a, spot) - distance(b, spot))
  const { date, from } = near[0] ?? rounded
  const at = { date, from, minutes, isOwn: false }
  const ownSpot = { date: choiceOf(around.visit.startsAt, around.visit.timeZone).date, ...own }
  if (spot.date === ownSpot.date && distance(ownSpot, spot) < STEP / 2) {
    return { ...at, from: own.from, choice: null, why: 'This is its time now', isOwn: true }
  }
  const taken = takenAt(around, at, minutes)
  if (taken !== null) return { ...at, choice: null, why: taken }
  const unoffered = metAt(around, at, minutes).find(
    ({ reason }) => reason !== 'free' && reason !== 'booked',
  )
  return { ...at, choice: { date, time: clockText(from) }, why: wordsOf(unoffered) ?? '' }
}

/**
 * Where a visit comes down that is held over a spot: at the free time of its place that is less than half
 * its length away, otherwise at the quarter of an hour, where it cannot stay.
 */
export function landOn(spot: Spot, around: Around): Landing {
  const { visit } = around
  if (visit.desk !== null) return landDesk(spot, around)
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

/**
 * Where an arrow key carries a visit: by its own length within a day, or to the day beside. One of the desk
 * may be shorter than the steps it is put down at.
 */
export function carryBy(key: string, { date, from }: Spot, around: Around): Spot | null {
  const { startsAt, endsAt, desk } = around.visit
  const minutes = (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000
  const step = desk === null ? minutes : Math.max(minutes, STEP)
  const at = (minute: number) => within(around.hours, { date, from: minute, minutes })
  if (key === 'ArrowDown') return at(from + step)
  if (key === 'ArrowUp') return at(from - step)
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
  const { choice, why } = landing
  if (choice === null) return `${where}: ${why}`
  return why === '' ? `${where}: Free` : `${where}: Not offered (${why}), but nobody is booked`
}
