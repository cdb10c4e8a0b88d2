import { DAY_MS, dateOfDay, dayNumber } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { ScheduleRow } from '#db/tables/availability.ts'
import { calendarOf } from './holiday-rules.ts'
import type { Busy, Rules } from './hours-rules.ts'
import {
  listAbsences,
  listBlocks,
  listBusy,
  listExtraDates,
  listHours,
  listOwners,
  listRulePlaces,
  listSchedules,
} from './schedule-store.ts'

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
export function busyOf({ start_at: start, end_at: end, source, label }: BusyRow): Busy {
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
