import type { Availability } from '#contract/availability.ts'
import { clockText, DAY_MS, dateOfDay, dayNumber } from '#contract/base/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { ScheduleRow } from '#db/tables/availability.ts'
import { dayAt } from '#server/availability/rules.ts'
import type { AsProvider } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { BYTE_ORDER_MARK, csvLine, type ExportFile } from '#server/kernel/export-file.ts'
import { calendarOf, holidaysOf } from './holiday-rules.ts'
import { type Busy, type RulePlace, type Rules, startOfWeek } from './hours-rules.ts'
import {
  findOwner,
  listAbsences,
  listBlocks,
  listBusy,
  listExtraDates,
  listHours,
  listOwners,
  listRulePlaces,
  listSchedules,
} from './schedule-store.ts'

type PlaceRow = Awaited<ReturnType<typeof listRulePlaces>>[number]

/** The viewer as a provider, and their current rules. */
export type OwnSchedule = {
  owner: NonNullable<Awaited<ReturnType<typeof findOwner>>>
  /** 0 until rules are saved for the first time. */
  version: number
  rules: Rules
  /** The main place first; as many as `rules.places`, in the same order. */
  places: PlaceRow[]
  /** Today in the zone of the main place, as days since 1970. */
  today: number
  now: Instant
}

/** The provider behind a session. */
export async function getOwner(ctx: AsProvider, db: Db): Promise<OwnSchedule['owner']> {
  const owner = await findOwner(db, ctx.viewer.id)
  if (owner === undefined) throw new AppError('not_found')
  return owner
}

/** The rules of a provider; the defaults when none are saved yet. */
export async function getOwnSchedule(
  db: Db,
  owner: OwnSchedule['owner'],
  now: Instant,
): Promise<OwnSchedule> {
  const places = await listRulePlaces(db, [owner.no])
  const [stored] = await readRules(db, [owner.no], now)
  const today = dayAt(places[0]?.time_zone ?? 'UTC', now)
  const first: Rules = {
    ...DEFAULT_SETTINGS,
    rotationFrom: startOfWeek(today),
    minutes: owner.step_minutes,
    places: places.map(
      (place): RulePlace => ({
        no: place.no,
        timeZone: place.time_zone,
        holidays: calendarOf(owner.region, place.postcode),
      }),
    ),
    hours: [],
    extras: [],
    absences: [],
    blocks: [],
    busy: stored === undefined ? (await listBusy(db, [owner.no], now)).map(busyOf) : [],
  }
  const rules = stored?.rules ?? first
  return { owner, version: stored?.schedule.version ?? 0, rules, places, today, now }
}

/** The number of a place of the provider; somebody else's is `not_found`. */
export function placeNoOf({ places }: OwnSchedule, placeId: string): number {
  const place = places.find(({ id }) => id === placeId)
  if (place === undefined) throw new AppError('not_found')
  return place.no
}

export function placeIdOf({ places }: OwnSchedule, placeNo: number): string {
  return places.find(({ no }) => no === placeNo)?.id ?? ''
}

const HOLIDAY_PREVIEW_DAYS = 366

function upcomingHolidays({ rules, today }: OwnSchedule): Availability['holidays'] {
  const calendar = rules.places[0]?.holidays
  if (calendar === undefined) return []
  const year = Number(dateOfDay(today).slice(0, 4))
  return [year, year + 1]
    .flatMap((one) => [...holidaysOf(calendar, one)])
    .filter(([day]) => today <= day && day < today + HOLIDAY_PREVIEW_DAYS)
    .toSorted(([a], [b]) => a - b)
    .map(([day, name]) => ({ date: dateOfDay(day), name }))
}

/** Everything a provider has set, for their own screens. */
export async function loadAvailability(db: Db, mine: OwnSchedule): Promise<Availability> {
  const { owner, rules, places } = mine
  const since = dateOfDay(mine.today)
  const extras = await listExtraDates(db, [owner.no], since)
  const absences = await listAbsences(db, [owner.no], since)
  const blocks = await listBlocks(db, [owner.no], since)
  return {
    version: mine.version,
    consultationMinutes: rules.minutes,
    today: since,
    places: places.map((place) => ({
      id: place.id,
      name: place.name,
      locality: place.locality,
      postcode: place.postcode,
      timeZone: place.time_zone,
      holidays: calendarOf(owner.region, place.postcode),
    })),
    settings: {
      noticeMinutes: rules.noticeMinutes,
      horizonDays: rules.horizonDays,
      bufferMinutes: rules.bufferMinutes,
      closedOnHolidays: rules.closedOnHolidays,
      rotation: { weeks: rules.rotationWeeks, from: dateOfDay(rules.rotationFrom) },
    },
    hours: rules.hours.map(({ placeNo, ...range }) => ({
      placeId: placeIdOf(mine, placeNo),
      ...range,
    })),
    extraDates: extras.map((row) => ({
      id: row.id,
      placeId: placeIdOf(mine, row.place_no),
      date: row.date,
      from: row.from_minute,
      to: row.to_minute,
      note: row.note,
    })),
    absences: absences.map((row) => ({
      id: row.id,
      placeId: row.place_no === null ? null : placeIdOf(mine, row.place_no),
      from: row.from_date,
      to: row.to_date,
      note: row.note,
    })),
    blocks: blocks.map((row) => ({
      id: row.id,
      date: row.date,
      weekly: row.is_weekly === 1,
      until: row.until_date,
      from: row.from_minute,
      to: row.to_minute,
      note: row.note,
    })),
    holidays: upcomingHolidays(mine),
  }
}

/** The viewer's own hours, dates and absences. */
export async function readAvailability(ctx: AsProvider): Promise<Availability> {
  const { db } = ctx.database
  return loadAvailability(db, await getOwnSchedule(db, await getOwner(ctx, db), ctx.now()))
}

/** How far ahead or back dates are accepted, in days. */
const MAX_DAYS_AWAY = 731

/** Refuses dates that are too far away. */
export function assertDateInRange({ today }: OwnSchedule, day: number): void {
  if (Math.abs(day - today) > MAX_DAYS_AWAY) throw new AppError('date_too_far')
}

/** A provider's rules and the row they are stored in. */
export type StoredRules = {
  providerNo: number
  schedule: ScheduleRow
  rules: Rules
  /** Visits of the first type take several slots. */
  isFirstLong: boolean
}

/** Rules only matter around the current day; older dates are not read. */
const DAYS_BACK = 8

/** Default settings before any hours are saved. */
export const DEFAULT_SETTINGS = {
  bufferMinutes: 0,
  noticeMinutes: 120,
  horizonDays: 60,
  // Working on public holidays is opt-in, so that nobody is booked on Christmas Day by mistake.
  closedOnHolidays: true,
  rotationWeeks: 1,
} as const

function settingsOf(schedule: ScheduleRow) {
  return {
    bufferMinutes: schedule.buffer_minutes,
    noticeMinutes: schedule.notice_minutes,
    horizonDays: schedule.horizon_days,
    closedOnHolidays: schedule.closed_on_holidays === 1,
    rotationWeeks: schedule.rotation_weeks,
    rotationFrom: dayNumber(schedule.rotation_from),
  }
}

type BusyRow = Awaited<ReturnType<typeof listBusy>>[number]

/** A busy time row in the form the rules use. */
function busyOf({ start_at: start, end_at: end, source, label }: BusyRow): Busy {
  return { start, end, source, label }
}

/** The rules of these providers, read in a few statements; providers without rules are left out. */
export async function readRules(
  db: Db,
  providerNos: readonly number[],
  now: Instant,
): Promise<StoredRules[]> {
  if (providerNos.length === 0) return []
  const schedules = await listSchedules(db, providerNos)
  if (schedules.length === 0) return []
  const since = dateOfDay(Math.floor(now / DAY_MS) - DAYS_BACK)
  const owners = new Map((await listOwners(db, providerNos)).map((row) => [row.no, row]))
  const places = Map.groupBy(await listRulePlaces(db, providerNos), (row) => row.provider_no)
  const hours = Map.groupBy(await listHours(db, providerNos), (row) => row.provider_no)
  const extras = Map.groupBy(await listExtraDates(db, providerNos, since), (row) => row.provider_no)
  const absences = Map.groupBy(await listAbsences(db, providerNos, since), (row) => row.provider_no)
  const blocks = Map.groupBy(await listBlocks(db, providerNos, since), (row) => row.provider_no)
  const busy = Map.groupBy(await listBusy(db, providerNos, now), (row) => row.provider_no)
  return schedules.flatMap((schedule) => {
    const no = schedule.provider_no
    const owner = owners.get(no)
    if (owner === undefined) return []
    const ownPlaces = places.get(no) ?? []
    const isThere = ({ place_no: placeNo }: { place_no: number | null }) =>
      placeNo === null || ownPlaces.some((place) => place.no === placeNo)
    const rules: Rules = {
      ...settingsOf(schedule),
      minutes: owner.step_minutes,
      places: ownPlaces.map((place) => ({
        no: place.no,
        timeZone: place.time_zone,
        holidays: calendarOf(owner.region, place.postcode),
      })),
      hours: (hours.get(no) ?? []).filter(isThere).map((row) => ({
        placeNo: row.place_no,
        week: row.week,
        weekday: row.weekday,
        from: row.from_minute,
        to: row.to_minute,
      })),
      extras: (extras.get(no) ?? []).filter(isThere).map((row) => ({
        id: row.id,
        placeNo: row.place_no,
        day: dayNumber(row.date),
        from: row.from_minute,
        to: row.to_minute,
      })),
      absences: (absences.get(no) ?? []).filter(isThere).map((row) => ({
        id: row.id,
        placeNo: row.place_no,
        from: dayNumber(row.from_date),
        to: dayNumber(row.to_date),
        note: row.note,
      })),
      blocks: (blocks.get(no) ?? []).map((row) => ({
        id: row.id,
        day: dayNumber(row.date),
        isWeekly: row.is_weekly === 1,
        until: row.until_date === null ? null : dayNumber(row.until_date),
        from: row.from_minute,
        to: row.to_minute,
        note: row.note,
      })),
      busy: (busy.get(no) ?? []).map(busyOf),
    }
    const isFirstLong = owner.consultation_minutes > owner.step_minutes
    return [{ providerNo: no, schedule, rules, isFirstLong }]
  })
}

/** The rules of one provider, or undefined. */
export async function findRules(
  db: Db,
  providerNo: number,
  now: Instant,
): Promise<StoredRules | undefined> {
  const [stored] = await readRules(db, [providerNo], now)
  return stored
}

const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

const HEADER = csvLine(['Kind', 'Week', 'Day', 'From', 'To', 'Until', 'Place', 'Note', 'Time zone'])

/** Hours, extra dates, time off and blocks, one line each: in local time at the place, blocks at the main place. */
function* linesOf({
  hours,
  extraDates,
  absences,
  blocks,
  places,
}: Availability): Generator<string, void> {
  const nameOf = (id: string | null) => places.find((one) => one.id === id)?.name ?? ''
  const zoneAt = (id: string | null) => places.find((one) => one.id === id)?.timeZone ?? ''
  const mainZone = places[0]?.timeZone ?? ''
  yield BYTE_ORDER_MARK + HEADER
  for (const { week, weekday, from, to, placeId } of hours) {
    const day = WEEKDAYS[weekday - 1] ?? ''
    const times = [clockText(from), clockText(to)]
    const at = [nameOf(placeId), '', zoneAt(placeId)]
    yield csvLine(['Weekly hours', String(week), day, ...times, '', ...at])
  }
  for (const { date, from, to, placeId, note } of extraDates) {
    const times = [clockText(from), clockText(to)]
    const at = [nameOf(placeId), note, zoneAt(placeId)]
    yield csvLine(['Extra date', '', date, ...times, '', ...at])
  }
  for (const { from, to, placeId, note } of absences) {
    yield csvLine(['Time off', '', from, '', '', to, nameOf(placeId), note, zoneAt(placeId)])
  }
  for (const { date, weekly, until, from, to, note } of blocks) {
    const kind = weekly ? 'Weekly block' : 'Block'
    const times = [clockText(from), clockText(to), until ?? '']
    yield csvLine([kind, '', date, ...times, '', note, mainZone])
  }
}

// A file is read as it is sent, this one at once.
async function* textOf(shown: Availability): AsyncGenerator<string, void> {
  yield [...linesOf(shown)].join('')
}

/** The viewer's hours, extra dates, time off and blocks as CSV. The export is audited. */
export async function exportHours(ctx: AsProvider): Promise<ExportFile> {
  const { db } = ctx.database
  const owner = await getOwner(ctx, db)
  const mine = await getOwnSchedule(db, owner, ctx.now())
  await ctx.record({ action: 'availability.exported', entity: owner.id })
  return {
    fileName: `hours-${dateOfDay(mine.today)}.csv`,
    text: textOf(await loadAvailability(db, mine)),
  }
}
