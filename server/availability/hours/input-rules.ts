import type { SaveHoursInput } from '#contract/availability.ts'
import type { ErrorCode } from '#contract/base/errors.ts'
import { type Region, regionFacts } from '#contract/base/region.ts'
import { clockText, DAY_MS, dateOfDay, dayNumber } from '#contract/base/time.ts'
import type { ErrorDetails } from '#contract/errors/error-table.ts'
import { dayAt, isCalendarDate, zoneOf } from '#server/availability/rules.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  type Block,
  closedOn,
  type ExtraRange,
  openingsOn,
  placeOf,
  type Rules,
  type WeeklyRange,
} from './hours-rules.ts'
import { assertDateInRange, type OwnSchedule, placeNoOf } from './read-availability.ts'

type Range = { from: number; to: number }

/** An error whose message is also shown at the field it is about. */
function fieldError(code: ErrorCode, path: string, details: ErrorDetails = {}): AppError {
  const { message } = new AppError(code, details)
  return new AppError(code, details, { issues: [{ path, message }] })
}

function rangesOverlap(one: Range, other: Range): boolean {
  return one.from < other.to && other.from < one.to
}

function assertRange(rules: Rules, range: Range, path: string): void {
  if (range.to <= range.from) throw fieldError('hours_inverted', path)
  if (range.to - range.from < rules.minutes) {
    throw fieldError('hours_too_short', path, { minutes: rules.minutes })
  }
}

/** Whether weekly hours overlap; local times in different zones are not compared. */
function weeklyOverlap(rules: Rules, one: WeeklyRange, other: WeeklyRange): boolean {
  const zones = [one, other].map(({ placeNo }) => placeOf(rules, placeNo)?.timeZone)
  return (
    one.week === other.week &&
    one.weekday === other.weekday &&
    zones[0] === zones[1] &&
    rangesOverlap(one, other)
  )
}

/** Refuses weekly hours that are inverted, overlap, are too short, or are in no week of the rotation. */
function assertHours(mine: OwnSchedule, after: Rules): void {
  const { region } = mine.owner
  for (const [at, range] of after.hours.entries()) {
    const path = `hours.${at}`
    assertRange(after, range, path)
    if (range.week > after.rotationWeeks) {
      const issues = [{ path: `${path}.week`, message: 'Choose a week of the rotation.' }]
      throw new AppError('invalid_input', {}, { issues })
    }
    const other = after.hours.slice(0, at).find((one) => weeklyOverlap(after, one, range))
    if (other !== undefined) {
      throw fieldError('hours_overlap', path, {
        first: formatRange(region, other),
        second: formatRange(region, range),
        when: formatWeekday(range, after.rotationWeeks),
      })
    }
  }
}

function assertTimeExists(rules: Rules, { placeNo, day, from, to }: ExtraRange): void {
  const zone = zoneOf(placeOf(rules, placeNo)?.timeZone ?? 'UTC')
  for (const [path, minutes] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (zone.instants(day * DAY_MS + minutes * 60_000).length === 0) {
      throw fieldError('slot_impossible', path)
    }
  }
}

/** Refuses extra hours on a day that already has them, is in the past, or has an absence. */
function assertExtra(mine: OwnSchedule, before: Rules, extra: ExtraRange): void {
  const { region } = mine.owner
  const place = placeOf(before, extra.placeNo)
  if (place === undefined) throw new AppError('not_found')
  assertDateInRange(mine, extra.day)
  if (extra.day < dayAt(place.timeZone, mine.now)) throw fieldError('date_passed', 'dates')
  assertTimeExists(before, extra)
  const date = formatDay(region, extra.day)
  const closed = closedOn(before, place, { day: extra.day, isExtra: true })
  if (closed !== null) throw fieldError('date_in_absence', 'dates', { date })
  const there = openingsOn(before, extra.day).filter(
    ({ placeNo }) => placeOf(before, placeNo)?.timeZone === place.timeZone,
  )
  const other = there.find((one) => rangesOverlap(one, extra))
  if (other === undefined) return
  if (other.from === extra.from && other.to === extra.to) {
    throw fieldError('date_duplicate', 'dates', { date })
  }
  throw fieldError('hours_overlap', 'dates', {
    first: formatRange(region, other),
    second: formatRange(region, extra),
    when: `on ${date}`,
  })
}

/** Checks extra dates one by one, each also against those before it. */
export function assertExtras(mine: OwnSchedule, before: Rules, added: readonly ExtraRange[]): void {
  const [first] = added
  if (first === undefined) return
  assertRange(before, first, 'to')
  let rules = before
  for (const extra of added) {
    assertExtra(mine, rules, extra)
    rules = { ...rules, extras: [...rules.extras, extra] }
  }
}

type AbsenceDays = { placeNo: number | null; from: number; to: number }

/** Refuses absences that are inverted, in the past, or overlap another. */
export function assertAbsence(
  mine: OwnSchedule,
  others: readonly AbsenceDays[],
  absence: AbsenceDays,
): void {
  if (absence.to < absence.from) throw fieldError('dates_inverted', 'to')
  assertDateInRange(mine, absence.from)
  assertDateInRange(mine, absence.to)
  if (absence.to < mine.today) throw fieldError('date_passed', 'to')
  const other = others.find(
    ({ placeNo, from, to }) =>
      (placeNo === null || placeNo === absence.placeNo) && from <= absence.to && absence.from <= to,
  )
  if (other === undefined) return
  const { region } = mine.owner
  throw fieldError('absence_overlaps', 'from', {
    from: formatDay(region, other.from),
    to: formatDay(region, other.to),
  })
}

/** Refuses a block that is inverted or in the past, or whose last day is before its first. */
export function assertBlock(mine: OwnSchedule, block: Block): void {
  if (block.to <= block.from) throw fieldError('hours_inverted', 'to')
  assertDateInRange(mine, block.day)
  if (!block.isWeekly) {
    if (block.until !== null) throw fieldError('date_invalid', 'until')
    if (block.day < mine.today) throw fieldError('date_passed', 'date')
  }
  if (block.until === null) return
  assertDateInRange(mine, block.until)
  if (block.until < block.day) throw fieldError('dates_inverted', 'until')
  if (block.until < mine.today) throw fieldError('date_passed', 'until')
}

/** Maximum number of extra dates, absences and blocks in all. */
const MAX_DATES = 400

/** Throws `too_many_dates` unless there is room for more. */
export function assertDateLimit({ extras, absences, blocks }: Rules, more: number): void {
  if (extras.length + absences.length + blocks.length + more > MAX_DATES) {
    throw new AppError('too_many_dates')
  }
}

type Draft = Pick<SaveHoursInput, 'settings' | 'hours'>

/**
 * The rules with these settings and weekly hours; extra dates and absences stay. Throws for invalid input.
 */
export function applyDraft(mine: OwnSchedule, { settings, hours }: Draft): Rules {
  const { rotation, ...rest } = settings
  if (!isCalendarDate(rotation.from)) throw new AppError('date_invalid')
  const after: Rules = {
    ...mine.rules,
    ...rest,
    rotationWeeks: rotation.weeks,
    rotationFrom: dayNumber(rotation.from),
    hours: hours.map(({ placeId, ...range }) => ({ ...range, placeNo: placeNoOf(mine, placeId) })),
  }
  assertHours(mine, after)
  return after
}

const WEEKDAYS = [
  'Mondays',
  'Tuesdays',
  'Wednesdays',
  'Thursdays',
  'Fridays',
  'Saturdays',
  'Sundays',
] as const

/** "09:00", or "9:00 am" in the USA. */
export function formatTime(region: Region, minutes: number): string {
  return clockText(minutes, regionFacts[region].hour12)
}

/** "09:00 to 12:30". */
function formatRange(region: Region, { from, to }: { from: number; to: number }): string {
  return `${formatTime(region, from)} to ${formatTime(region, to)}`
}

/** "5 March 2026", or "March 5, 2026" in the USA. */
function formatDay(region: Region, day: number): string {
  return Temporal.PlainDate.from(dateOfDay(day)).toLocaleString(regionFacts[region].locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
}

/** "on Mondays", with the week where there are several. */
function formatWeekday(hours: { weekday: number; week: number }, weeks: number): string {
  const name = WEEKDAYS[hours.weekday - 1] ?? ''
  return weeks === 1 ? `on ${name}` : `on ${name} of week ${hours.week}`
}

const plural = (n: number, word: string) => (n === 1 ? `1 ${word}` : `${n} ${word}s`)

/** "2 hours", "1 day", "90 minutes". */
export function formatMinutes(minutes: number): string {
  if (minutes > 0 && minutes % 1_440 === 0) return plural(minutes / 1_440, 'day')
  if (minutes > 0 && minutes % 60 === 0) return plural(minutes / 60, 'hour')
  return plural(minutes, 'minute')
}

/** "60 days". */
export function formatDays(days: number): string {
  return plural(days, 'day')
}
