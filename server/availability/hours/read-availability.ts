import type { Availability } from '#contract/availability.ts'
import { dateOfDay } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { calendarOf, holidaysOf } from './holiday-rules.ts'
import { type RulePlace, type Rules, startOfWeek } from './hours-rules.ts'
import { busyOf, DEFAULT_SETTINGS, readRules } from './read-rules.ts'
import {
  findOwner,
  listAbsences,
  listBlocks,
  listBusy,
  listExtraDates,
  listRulePlaces,
} from './schedule-store.ts'
import { dayAt } from './zone-rules.ts'

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
export async function getOwner(ctx: Context, db: Db): Promise<OwnSchedule['owner']> {
  if (ctx.viewer.kind !== 'provider') throw new AppError('forbidden')
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
export async function readAvailability(ctx: Context): Promise<Availability> {
  const { db } = ctx.database
  return loadAvailability(db, await getOwnSchedule(db, await getOwner(ctx, db), ctx.now()))
}

/** How far ahead or back dates are accepted, in days. */
const MAX_DAYS_AWAY = 731

/** Refuses dates that are too far away. */
export function assertDateInRange({ today }: OwnSchedule, day: number): void {
  if (Math.abs(day - today) > MAX_DAYS_AWAY) throw new AppError('date_too_far')
}
