import type { HolidayCalendar, TimeReason } from '#contract/availability.ts'
import { DAY_MS, weekdayOf } from '#contract/base/time.ts'
import type { Instant } from '#db/columns.ts'
import { dayAt, zoneOf } from '#server/availability/rules.ts'
import type { Secrets } from '#server/kernel/security/secrets.ts'
import { holidayOn } from './holiday-rules.ts'

/** Days since 1970. */
export type Day = number

/** A place as far as hours depend on it. */
export type RulePlace = { no: number; timeZone: string; holidays: HolidayCalendar }

/** Minutes after midnight on the wall clock of the place; `to` is not included. */
type Minutes = { from: number; to: number }

export type WeeklyRange = Minutes & { placeNo: number; week: number; weekday: number }
export type ExtraRange = Minutes & { id: string; placeNo: number; day: Day }
/** Days away, both inclusive; `placeNo` null means every place. */
export type Absence = { id: string; placeNo: number | null; from: Day; to: Day; note: string }

/** Part of a day without bookings, in local time at the main place; `until` is the last day, null no end. */
export type Block = Minutes & {
  id: string
  day: Day
  isWeekly: boolean
  until: Day | null
  note: string
}

/** Time in which a provider is busy elsewhere; an imported label is encrypted. */
export type Busy = {
  start: Instant
  end: Instant
  source: 'calendar' | 'import'
  label: string | null
}

/** Everything a provider's slots are computed from. */
export type Rules = {
  /** The main place first. */
  places: readonly RulePlace[]
  /** Length of a slot: that of the shortest type of visit. */
  minutes: number
  bufferMinutes: number
  noticeMinutes: number
  horizonDays: number
  closedOnHolidays: boolean
  rotationWeeks: number
  rotationFrom: Day
  hours: readonly WeeklyRange[]
  extras: readonly ExtraRange[]
  absences: readonly Absence[]
  blocks: readonly Block[]
  /** Sorted by start; they may overlap. */
  busy: readonly Busy[]
}

/** Part of a day in which a provider sees patients. */
export type Opening = Minutes & { placeNo: number; isExtra: boolean }

/** Why a place is closed on a day that has hours, or null. */
export type Closure = { why: 'absence' | 'holiday'; note: string }

/** The Monday of a day's week. */
export function startOfWeek(day: Day): Day {
  return day - weekdayOf(day) + 1
}

/** Which week of the rotation a day is in, from 1. */
function rotationWeek({ rotationFrom, rotationWeeks }: Rules, day: Day): number {
  const weeks = (startOfWeek(day) - startOfWeek(rotationFrom)) / 7
  return (((weeks % rotationWeeks) + rotationWeeks) % rotationWeeks) + 1
}

export function placeOf(rules: Rules, placeNo: number): RulePlace | undefined {
  return rules.places.find(({ no }) => no === placeNo)
}

/** The absence from a place on a day. */
function awayOn({ absences }: Rules, at: number, day: Day): Absence | undefined {
  return absences.find(
    ({ placeNo, from, to }) => from <= day && day <= to && (placeNo === null || placeNo === at),
  )
}

/** Why a place is closed on a day, or null. Extra dates are open even on public holidays. */
export function closedOn(
  rules: Rules,
  place: RulePlace,
  { day, isExtra }: { day: Day; isExtra: boolean },
): Closure | null {
  const absence = awayOn(rules, place.no, day)
  if (absence !== undefined) return { why: 'absence', note: absence.note }
  if (isExtra || !rules.closedOnHolidays) return null
  const name = holidayOn(place.holidays, day)
  return name === null ? null : { why: 'holiday', note: name }
}

/** A range minus another. */
function subtractRange(range: Opening, { from, to }: Minutes): Opening[] {
  if (to <= range.from || range.to <= from) return [range]
  return [
    { ...range, to: from },
    { ...range, from: to },
  ].filter((piece) => piece.from < piece.to)
}

/** Extra hours in the local time of another place, as minutes of a day there. */
function localMinutes(rules: Rules, { placeNo, day }: { placeNo: number; day: Day }) {
  const here = placeOf(rules, placeNo)?.timeZone ?? 'UTC'
  return (extra: ExtraRange): Minutes => {
    const there = placeOf(rules, extra.placeNo)?.timeZone ?? 'UTC'
    if (here === there) {
      const before = (extra.day - day) * 1_440
      return { from: before + extra.from, to: before + extra.to }
    }
    const zone = zoneOf(there)
    const minutesAt = (instant: Instant) => (zoneOf(here).wallAt(instant) - day * DAY_MS) / 60_000
    const wall = (minutes: number) => extra.day * DAY_MS + minutes * 60_000
    const start = zone.instants(wall(extra.from))[0] ?? zone.skippedAt(wall(extra.from))
    return { from: minutesAt(start), to: minutesAt(zone.lastInstant(wall(extra.to))) }
  }
}

/**
 * The hours of a day in chronological order, whether the place is closed or not. An extra date overrides
 * weekly hours it overlaps. In another zone it may be the extra date of the day before or after.
 */
export function hoursOn(rules: Rules, day: Day): Opening[] {
  const extras = rules.extras.filter((extra) => extra.day === day)
  const around = rules.extras.filter((extra) => Math.abs(extra.day - day) <= 1)
  const week = rotationWeek(rules, day)
  const weekday = weekdayOf(day)
  const weekly = rules.hours
    .filter((range) => range.weekday === weekday && range.week === week)
    .map(({ placeNo, from, to }): Opening => ({ placeNo, from, to, isExtra: false }))
  const left = weekly.flatMap((range) =>
    around
      .map(localMinutes(rules, { placeNo: range.placeNo, day }))
      .reduce((rest, extra) => rest.flatMap((one) => subtractRange(one, extra)), [range]),
  )
  const added = extras.map(
    ({ placeNo, from, to }): Opening => ({ placeNo, from, to, isExtra: true }),
  )
  return [...left, ...added].toSorted((a, b) => a.from - b.from)
}

/** The hours of a day on which the place is open. */
export function openingsOn(rules: Rules, day: Day): Opening[] {
  return hoursOn(rules, day).filter(({ placeNo, isExtra }) => {
    const place = placeOf(rules, placeNo)
    return place !== undefined && closedOn(rules, place, { day, isExtra }) === null
  })
}

export type Blocked = { start: Instant; end: Instant; note: string }

function isOn(block: Block, day: Day): boolean {
  if (!block.isWeekly) return block.day === day
  const isOver = block.until !== null && block.until < day
  return block.day <= day && !isOver && (day - block.day) % 7 === 0
}

/**
 * Blocked time as instants, on a day and the days beside it: at a place in another zone some of it may fall
 * on this day. An end that clocks skip moves to the end of the gap.
 */
export function blockedAround({ blocks, places }: Rules, day: Day): Blocked[] {
  if (blocks.length === 0) return []
  const zone = zoneOf(places[0]?.timeZone ?? 'UTC')
  return [day - 1, day, day + 1].flatMap((one) => {
    const wall = (minutes: number) => one * DAY_MS + minutes * 60_000
    return blocks
      .filter((block) => isOn(block, one))
      .map(({ from, to, note }) => ({
        start: zone.instants(wall(from))[0] ?? zone.skippedAt(wall(from)),
        end: zone.instants(wall(to)).at(-1) ?? zone.skippedAt(wall(to)),
        note,
      }))
  })
}

/** The first blocked time that overlaps a time range. */
export function blockedBy(
  blocked: readonly Blocked[],
  { start, end }: { start: Instant; end: Instant },
): Blocked | undefined {
  return blocked.find((one) => one.start < end && start < one.end)
}

type Visit = { placeNo: number; start: Instant; end: Instant }

/** Whether a visit lies within the hours, adjacent ranges counting as one, and overlaps no blocked time. */
export function isWithinHours(rules: Rules, visit: Visit): boolean {
  const place = placeOf(rules, visit.placeNo)
  if (place === undefined) return false
  const zone = zoneOf(place.timeZone)
  const day = dayAt(place.timeZone, visit.start)
  if (blockedBy(blockedAround(rules, day), visit) !== undefined) return false
  let openUntil = visit.start
  for (const { placeNo, from, to } of openingsOn(rules, day)) {
    if (placeNo !== place.no) continue
    const wall = day * DAY_MS
    const starts = zone.instants(wall + from * 60_000)[0] ?? zone.skippedAt(wall + from * 60_000)
    if (starts <= openUntil) {
      openUntil = Math.max(openUntil, zone.lastInstant(wall + to * 60_000))
    }
  }
  return visit.end <= openUntil
}

/**
 * Whether an absence or a block covers a visit, even one outside the weekly hours or at a removed place.
 * `timeZone` is that of the visit.
 */
export function isInTimeOff(rules: Rules, visit: Visit & { timeZone: string }): boolean {
  const day = dayAt(visit.timeZone, visit.start)
  return (
    awayOn(rules, visit.placeNo, day) !== undefined ||
    blockedBy(blockedAround(rules, day), visit) !== undefined
  )
}

/**
 * Slots are withdrawn this long before the minimum notice applies: the job runs once a minute, so a slot that
 * is still shown leaves at least a minute to hold and pay for it.
 */
const WITHDRAW_MARGIN_MS = 2 * 60_000

/** Minimum notice for booking and paying, whatever the provider's own notice is. */
export const MIN_NOTICE_MINUTES = 5

/** How long before its start a visit has to be paid for, in milliseconds. */
export function paymentLeadMs(noticeMinutes: number | null): number {
  return Math.max(noticeMinutes ?? 0, MIN_NOTICE_MINUTES) * 60_000
}

/** How long before its start a slot is withdrawn, in milliseconds. */
export function offerLeadMs({ noticeMinutes }: Pick<Rules, 'noticeMinutes'>): number {
  return paymentLeadMs(noticeMinutes) + WITHDRAW_MARGIN_MS
}

/** The earliest start that is offered. */
export function offeredFrom(rules: Pick<Rules, 'noticeMinutes'>, now: Instant): Instant {
  return now + offerLeadMs(rules)
}

/** The earliest bookable start with any provider. */
export function bookableFrom(now: Instant): Instant {
  return offeredFrom({ noticeMinutes: 0 }, now)
}

/** The days of the horizon: today at the main place up to, not including, `until`. */
export function daysInView(rules: Rules, now: Instant): { from: Day; until: Day } {
  const today = dayAt(rules.places[0]?.timeZone ?? 'UTC', now)
  return { from: today, until: today + rules.horizonDays + 1 }
}

/** Busy time as its provider sees it: an imported one counts as blocked and shows its label. */
export type BusyTime = {
  start: Instant
  end: Instant
  reason: Extract<TimeReason, 'blocked' | 'outside_calendar'>
  note: string
}

/** Shown for an imported appointment without a label. */
const IMPORTED = 'Imported appointment'

/** Encrypts the label of an imported appointment for its provider. */
export function sealLabel(
  { secrets }: { secrets: Secrets },
  providerNo: number,
  label: string,
): string {
  return secrets.seal('busy', `${providerNo} ${label}`)
}

/** Decrypts a label; throws for another provider's. */
function openLabel({ secrets }: { secrets: Secrets }, providerNo: number, sealed: string): string {
  const text = secrets.open('busy', sealed)
  const owner = `${providerNo} `
  if (!text.startsWith(owner)) throw new Error('This label is of another provider.')
  return text.slice(owner.length)
}

type BusyQuery = { secrets: Secrets; providerNo: number; from: Instant; until: Instant }

/** The busy time within a time range, with labels decrypted: only for the provider. */
export function busyWithin(busy: readonly Busy[], query: BusyQuery): BusyTime[] {
  const { providerNo, from, until } = query
  return busy
    .filter(({ start, end }) => start < until && from < end)
    .map(({ start, end, source, label }) => {
      if (source === 'calendar') return { start, end, reason: 'outside_calendar', note: '' }
      const note = label === null ? IMPORTED : openLabel(query, providerNo, label)
      return { start, end, reason: 'blocked', note }
    })
}
