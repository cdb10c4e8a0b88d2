import type { SaveHoursInput } from '#contract/availability.ts'
import type { ErrorCode, ErrorDetails } from '#contract/errors.ts'
import { DAY_MS, dayNumber } from '#contract/time.ts'
import { isCalendarDate } from '#server/availability/rules.ts'
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
import { assertNear, type Mine, placeNoOf } from './read-mine.ts'
import { sayDay, sayRange, sayWeekday } from './say-rules.ts'
import { dayAt, zoneOf } from './zone-rules.ts'

type Range = { from: number; to: number }

/** An error whose message is also shown at the field it is about. */
function refusal(code: ErrorCode, path: string, details: ErrorDetails = {}): AppError {
  const { message } = new AppError(code, details)
  return new AppError(code, details, { issues: [{ path, message }] })
}

function meets(one: Range, other: Range): boolean {
  return one.from < other.to && other.from < one.to
}

function assertRange(rules: Rules, range: Range, path: string): void {
  if (range.to <= range.from) throw refusal('hours_inverted', path)
  if (range.to - range.from < rules.minutes) {
    throw refusal('hours_too_short', path, { minutes: rules.minutes })
  }
}

/** Whether weekly hours overlap; local times in different zones are not compared. */
function overlaps(rules: Rules, one: WeeklyRange, other: WeeklyRange): boolean {
  const zones = [one, other].map(({ placeNo }) => placeOf(rules, placeNo)?.timeZone)
  return (
    one.week === other.week &&
    one.weekday === other.weekday &&
    zones[0] === zones[1] &&
    meets(one, other)
  )
}

/** Refuses weekly hours that are inverted, overlap, are too short, or are in no week of the rotation. */
function assertHours(mine: Mine, after: Rules): void {
  const { region } = mine.owner
  for (const [at, range] of after.hours.entries()) {
    const path = `hours.${at}`
    assertRange(after, range, path)
    if (range.week > after.rotationWeeks) {
      const issues = [{ path: `${path}.week`, message: 'Choose a week of the rotation.' }]
      throw new AppError('invalid_input', {}, { issues })
    }
    const other = after.hours.slice(0, at).find((one) => overlaps(after, one, range))
    if (other !== undefined) {
      throw refusal('hours_overlap', path, {
        first: sayRange(region, other),
        second: sayRange(region, range),
        when: sayWeekday(range, after.rotationWeeks),
      })
    }
  }
}

function assertClocksShow(rules: Rules, { placeNo, day, from, to }: ExtraRange): void {
  const zone = zoneOf(placeOf(rules, placeNo)?.timeZone ?? 'UTC')
  for (const [path, minutes] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (zone.instants(day * DAY_MS + minutes * 60_000).length === 0) {
      throw refusal('slot_impossible', path)
    }
  }
}

/** Refuses extra hours on a day that already has them, is in the past, or has an absence. */
function assertExtra(mine: Mine, before: Rules, extra: ExtraRange): void {
  const { region } = mine.owner
  const place = placeOf(before, extra.placeNo)
  if (place === undefined) throw new AppError('not_found')
  assertNear(mine, extra.day)
  if (extra.day < dayAt(place.timeZone, mine.now)) throw refusal('date_passed', 'dates')
  assertClocksShow(before, extra)
  const date = sayDay(region, extra.day)
  const closed = closedOn(before, place, { day: extra.day, isExtra: true })
  if (closed !== null) throw refusal('date_in_absence', 'dates', { date })
  const there = openingsOn(before, extra.day).filter(
    ({ placeNo }) => placeOf(before, placeNo)?.timeZone === place.timeZone,
  )
  const other = there.find((one) => meets(one, extra))
  if (other === undefined) return
  if (other.from === extra.from && other.to === extra.to) {
    throw refusal('date_duplicate', 'dates', { date })
  }
  throw refusal('hours_overlap', 'dates', {
    first: sayRange(region, other),
    second: sayRange(region, extra),
    when: `on ${date}`,
  })
}

/** Checks extra dates one by one, each also against those before it. */
export function assertExtras(mine: Mine, before: Rules, added: readonly ExtraRange[]): void {
  const [first] = added
  if (first === undefined) return
  assertRange(before, first, 'to')
  let rules = before
  for (const extra of added) {
    assertExtra(mine, rules, extra)
    rules = { ...rules, extras: [...rules.extras, extra] }
  }
}

type Away = { placeNo: number | null; from: number; to: number }

/** Refuses absences that are inverted, in the past, or overlap another. */
export function assertAway(mine: Mine, others: readonly Away[], away: Away): void {
  if (away.to < away.from) throw refusal('dates_inverted', 'to')
  assertNear(mine, away.from)
  assertNear(mine, away.to)
  if (away.to < mine.today) throw refusal('date_passed', 'to')
  const other = others.find(
    ({ placeNo, from, to }) =>
      (placeNo === null || placeNo === away.placeNo) && from <= away.to && away.from <= to,
  )
  if (other === undefined) return
  const { region } = mine.owner
  throw refusal('absence_overlaps', 'from', {
    from: sayDay(region, other.from),
    to: sayDay(region, other.to),
  })
}

/** Refuses a block that is inverted or in the past, or whose last day is before its first. */
export function assertBlock(mine: Mine, block: Block): void {
  if (block.to <= block.from) throw refusal('hours_inverted', 'to')
  assertNear(mine, block.day)
  if (!block.isWeekly) {
    if (block.until !== null) throw refusal('date_invalid', 'until')
    if (block.day < mine.today) throw refusal('date_passed', 'date')
  }
  if (block.until === null) return
  assertNear(mine, block.until)
  if (block.until < block.day) throw refusal('dates_inverted', 'until')
  if (block.until < mine.today) throw refusal('date_passed', 'until')
}

/** Maximum number of extra dates, absences and blocks in all. */
const MOST_DATES = 400

/** Throws `too_many_dates` unless there is room for more. */
export function assertRoomFor({ extras, absences, blocks }: Rules, more: number): void {
  if (extras.length + absences.length + blocks.length + more > MOST_DATES) {
    throw new AppError('too_many_dates')
  }
}

type Draft = Pick<SaveHoursInput, 'settings' | 'hours'>

/**
 * The rules with these settings and weekly hours; extra dates and absences stay. Throws for invalid input.
 */
export function withDraft(mine: Mine, { settings, hours }: Draft): Rules {
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
