import { instantsOf } from '#app/lib/dates/slot-choice.ts'
import { dayOf, formatDay } from '#app/lib/format/dates.ts'
import type { FreeTimes } from '#contract/availability.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { clockText } from '#contract/base/time.ts'
import { factsOfZone } from '#contract/base/time-zones.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { type CalendarDay, clockMinutes, type Span, type Stretch, spanOf } from './layout.ts'

/** Visits snap to multiples of this many minutes if no free time is near. */
const STEP = 15

/** A spot in the calendar: a day and minutes after midnight, in its zone. */
export type Spot = { date: string; from: number }

/** Where a dragged visit would land, and why it cannot. */
export type Landing = Spot & {
  /** The new time as ISO text; null if the visit cannot land there. */
  startsAt: string | null
  /** Why it cannot land, or, if it can, why patients are not offered the time. Empty if the time is free. */
  why: string
  /** True at its current time. */
  isOwn: boolean
  /** How long it is. */
  minutes: number
}

/** As in their forms: booked visits can be moved until they begin, desk bookings until their day is over. */
export function isMovable({ desk, marking, startsAt, timeZone }: WeekVisit, now: string): boolean {
  if (marking.outcome !== null) return false
  if (desk === null) return Date.parse(startsAt) > Date.parse(now)
  return dayOf(startsAt, timeZone) >= dayOf(now, timeZone)
}

type DragContext = {
  visit: WeekVisit
  days: readonly CalendarDay[]
  /** First and last hour of the grid. */
  hours: Span
  /** Zone of the days, which is that of the main place. */
  timeZone: string
  /** Undefined until loaded. */
  free: FreeTimes | undefined
}

type FreeSpot = Spot & { startsAt: string; elsewhere: string | null }

/** Free times of a day; those at another place carry its name. */
function freeSpots({ visit, free, timeZone }: DragContext, date: string): FreeSpot[] {
  const slots = free?.days.find((day) => day.date === date)?.slots ?? []
  return slots.map(({ startsAt, place }) => ({
    date,
    startsAt,
    from: clockMinutes(startsAt, timeZone),
    elsewhere: place === undefined || place === visit.placeName ? null : place,
  }))
}

const overlaps = (span: Span, from: number, minutes: number) =>
  span.from < from + minutes && span.to > from

/** Stretches of the day's plan that a visit of `minutes` at this spot would overlap. */
function overlappedStretches(
  { days, timeZone }: DragContext,
  { date, from }: Spot,
  minutes: number,
): Stretch[] {
  const stretches = days.find((day) => day.date === date)?.stretches ?? []
  return stretches.filter((one) => overlaps(spanOf(one, timeZone), from, minutes))
}

/** What blocks a visit of `minutes` at this spot, as worded in the day's plan. */
function obstacleReason(context: DragContext, spot: Spot, minutes: number): string {
  const obstacle = overlappedStretches(context, spot, minutes).find(
    ({ reason }) => reason !== 'free',
  )
  return obstacle?.label ?? 'No visit begins at this time'
}

/** Clamps a spot so that `minutes` fit into the grid. */
function clampSpot(hours: Span, { date, from, minutes }: Spot & { minutes: number }): Spot {
  return { date, from: Math.max(hours.from, Math.min(hours.to - minutes, from)) }
}

const distance = (a: Spot, b: Spot) => Math.abs(a.from - b.from)

/** Where the visit is now, and how long it is. */
function ownSpotOf({ visit, timeZone }: DragContext): Spot & { minutes: number } {
  const { from, to } = spanOf(visit, timeZone)
  return { date: dayOf(visit.startsAt, timeZone), from, minutes: to - from }
}

/** Why a desk booking cannot be there: as in its form, only visits and holds of others block it. */
function takenReason(context: DragContext, spot: Spot, minutes: number): string | null {
  const { visit, days } = context
  const day = days.find(({ date }) => date === spot.date)
  if (day === undefined || day.isOver) return 'This day is over'
  const other = day.visits.find(
    (one) => one.visit.id !== visit.id && overlaps(one, spot.from, minutes),
  )
  if (other !== undefined) return `Booked: ${other.visit.patientName ?? 'a visit'}`
  return (
    overlappedStretches(context, spot, minutes).find(({ reason }) => reason === 'held')?.label ??
    null
  )
}

/**
 * Where a desk booking lands: on a nearby free time, so that it does not take up two, otherwise on any
 * quarter of an hour without a booking, offered or not.
 */
function landDeskVisit(spot: Spot, context: DragContext): Landing {
  const { minutes, ...own } = ownSpotOf(context)
  const rounded = clampSpot(context.hours, {
    date: spot.date,
    from: Math.round(spot.from / STEP) * STEP,
    minutes,
  })
  const near = freeSpots(context, spot.date)
    .filter((one) => one.elsewhere === null && distance(one, spot) < STEP)
    .filter((one) => takenReason(context, one, minutes) === null)
    .toSorted((a, b) => distance(a, spot) - distance(b, spot))
  const [found] = near
  const { date, from } = found ?? rounded
  const at = { date, from, minutes, isOwn: false }
  if (spot.date === own.date && distance(own, spot) < STEP / 2) {
    return { ...at, from: own.from, startsAt: null, why: 'This is its time now', isOwn: true }
  }
  const taken = takenReason(context, at, minutes)
  if (taken !== null) return { ...at, startsAt: null, why: taken }
  const wall = { date, time: clockText(from) }
  const [instant] = found === undefined ? instantsOf(wall, context.timeZone) : [found.startsAt]
  if (instant === undefined) {
    return { ...at, startsAt: null, why: errorMessage('slot_impossible') }
  }
  const unoffered = overlappedStretches(context, at, minutes).find(
    ({ reason }) => reason !== 'free' && reason !== 'booked',
  )
  return { ...at, startsAt: instant, why: unoffered?.label ?? '' }
}

/**
 * Where a visit dragged over a spot lands: on a free time at its place within half its length, otherwise on
 * the quarter of an hour, where it cannot stay.
 */
export function landOn(spot: Spot, context: DragContext): Landing {
  const { visit } = context
  if (visit.desk !== null) return landDeskVisit(spot, context)
  const { minutes, ...own } = ownSpotOf(context)
  const refuse = (at: Spot, why: string): Landing => ({
    date: at.date,
    from: at.from,
    startsAt: null,
    why,
    isOwn: false,
    minutes,
  })
  const isNear = (one: Spot) => distance(one, spot) <= minutes / 2
  const near = freeSpots(context, spot.date)
    .filter(isNear)
    .toSorted((a, b) => distance(a, spot) - distance(b, spot))
  const best = near.find(({ elsewhere: other }) => other === null)
  const isOwnNearest =
    spot.date === own.date &&
    isNear(own) &&
    (best === undefined || distance(own, spot) <= distance(best, spot))
  if (isOwnNearest) return { ...refuse(own, 'This is its time now'), isOwn: true }
  if (best !== undefined) {
    const { date, from, startsAt } = best
    return { date, from, startsAt, why: '', isOwn: false, minutes }
  }
  const [other] = near
  if (other !== undefined) return refuse(other, `Free at another place, ${other.elsewhere}`)
  const rounded = clampSpot(context.hours, {
    date: spot.date,
    from: Math.round(spot.from / STEP) * STEP,
    minutes,
  })
  if (context.free === undefined) return refuse(rounded, 'Looking for free times…')
  return refuse(rounded, obstacleReason(context, rounded, minutes))
}

/** The adjacent displayed day. */
function adjacentDay(days: readonly CalendarDay[], date: string, step: 1 | -1): string {
  const at = days.findIndex((day) => day.date === date)
  return days[at + step]?.date ?? date
}

/**
 * Where an arrow key moves a visit: by its own length within a day, or to the adjacent day. A desk booking
 * moves by at least `STEP`, as it may be shorter.
 */
export function moveByKey(key: string, { date, from }: Spot, context: DragContext): Spot | null {
  const { startsAt, endsAt, desk } = context.visit
  const minutes = (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000
  const step = desk === null ? minutes : Math.max(minutes, STEP)
  const at = (minute: number) => clampSpot(context.hours, { date, from: minute, minutes })
  if (key === 'ArrowDown') return at(from + step)
  if (key === 'ArrowUp') return at(from - step)
  if (key === 'ArrowRight') return { date: adjacentDay(context.days, date, 1), from }
  if (key === 'ArrowLeft') return { date: adjacentDay(context.days, date, -1), from }
  return null
}

/** "Wednesday 4 March, 14:30". */
export function formatSpot({ date, from }: Spot, timeZone: string): string {
  const clock = clockText(from, factsOfZone(timeZone).hour12)
  return `${formatDay(date, timeZone, 'long')}, ${clock}`
}

/** Screen reader text of a landing. */
export function formatLanding(landing: Landing, timeZone: string): string {
  const where = formatSpot(landing, timeZone)
  const { startsAt, why } = landing
  if (startsAt === null) return `${where}: ${why}`
  return why === '' ? `${where}: Free` : `${where}: Not offered (${why}), but nobody is booked`
}
