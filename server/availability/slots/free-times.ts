import type { FreeTimes, FreeTimesInput } from '#contract/availability.ts'
import { toIso } from '#contract/base/time.ts'
import type { FreeDay } from '#contract/search.ts'
import { type Instant, NEVER } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { offeredFrom } from '#server/availability/hours/hours-rules.ts'
import {
  addDays,
  byClinicDay,
  clinicDayOf,
  type DayGroup,
  isCalendarDate,
  slotText,
  startOfDate,
  type VisitNeeds,
} from '#server/availability/rules.ts'
import * as store from '#server/availability/store.ts'
import {
  type FreeTimesQuery,
  findBuffer,
  findClinic,
  findNextFree,
  listFirstTimes,
  listFreeAround,
  listFreePlaces,
  listFreeTimes,
  listNextTimes,
} from '#server/availability/store.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'

/** The type asked about, or the first. Includes archived types, whose visits can still be moved. */
async function typeOf(
  db: Db,
  providerNo: number,
  typeId: string | undefined,
): Promise<TypeRow | undefined> {
  if (typeId === undefined) return (await listTypes(db, providerNo))[0]
  const all = await listTypes(db, providerNo, true)
  return all.find(({ id }) => id === typeId)
}

/** The visits to find times for: those of an archived type whose only place was removed can be moved to any other. */
function lookedFor(type: TypeRow, bufferMinutes: number | null): VisitNeeds {
  const needs = needsOf(type, bufferMinutes)
  const isAnywhere = type.archived_at !== null && type.place_removed_at !== null
  return isAnywhere ? { ...needs, placeNo: null } : needs
}

/**
 * Free times of a provider on some days in the clinic's zone, for visits of the given or the first type, and
 * where to look next.
 */
export async function freeTimes(ctx: Context, input: FreeTimesInput): Promise<FreeTimes> {
  const { db } = ctx.database
  const clinic = await findClinic(db, input.providerId)
  if (clinic === undefined) throw new AppError('provider_not_found')
  const type = await typeOf(db, clinic.no, input.typeId)
  if (type === undefined) throw new AppError('visit_type_not_offered')
  const query = { providerNo: clinic.no, needs: lookedFor(type, clinic.buffer_minutes) }
  const now = ctx.now()
  const zone = clinic.time_zone
  const first = input.from ?? clinicDayOf(zone, now).date
  if (!isCalendarDate(first)) throw new AppError('date_invalid')
  // A job withdraws times as the notice reaches them; this covers a late run.
  const offered = offeredFrom({ noticeMinutes: clinic.notice_minutes ?? 0 }, now)
  const from = Math.max(offered, startOfDate(zone, first))
  const until = Math.max(offered, startOfDate(zone, addDays(first, input.days)))
  const found = await listFreeTimes(db, query, { from, until })
  const places =
    Number(clinic.places) > 1 ? await listFreePlaces(db, clinic.no, { from, until }) : null
  const placeAt = (instant: number) => {
    const place = places?.get(instant)
    return place === undefined ? {} : { place }
  }
  const [earliest, later] = await Promise.all([
    findNextFree(db, query, offered),
    findNextFree(db, query, until),
  ])
  return {
    timeZone: zone,
    consultationMinutes: type.minutes,
    from: first,
    to: addDays(first, input.days - 1),
    days: byClinicDay(zone, found).map(({ day, instants }) => ({
      date: day.date,
      slots: instants.map((instant) => ({ startsAt: slotText(instant), ...placeAt(instant) })),
    })),
    nextFree: earliest === null ? null : toIso(earliest),
    nextDay: later === null ? null : clinicDayOf(zone, later).date,
  }
}

/** The first time at which a visit of a provider's first type can begin; null when there is none. */
export async function firstFree(
  db: Db,
  providerNo: number,
  from: Instant,
): Promise<Instant | null> {
  const [type] = await listTypes(db, providerNo)
  if (type === undefined) return null
  const buffer = await findBuffer(db, providerNo)
  return findNextFree(db, { providerNo, needs: needsOf(type, buffer) }, from)
}

type Next = { typeNo: number | null; after: Instant; limit: number }

/**
 * The first free times of a provider after an instant for visits of a type, or of the first type where that one
 * is not offered any more; null for a provider without types.
 */
export async function firstTimes(
  db: Db,
  providerNo: number,
  { typeNo, ...next }: Next,
): Promise<{ typeId: string; times: Instant[] } | null> {
  const types = await listTypes(db, providerNo)
  const type = types.find(({ no }) => no === typeNo) ?? types[0]
  if (type === undefined) return null
  const needs = needsOf(type, await findBuffer(db, providerNo))
  return { typeId: type.id, times: await listFirstTimes(db, { providerNo, needs }, next) }
}

/** Up to three times on either side of an instant at which such a visit can begin. */
export function freeAround(
  ctx: Context,
  query: FreeTimesQuery,
  wanted: Instant,
): Promise<Instant[]> {
  return listFreeAround(ctx.database.db, query, { wanted, now: ctx.now() })
}

/** A provider, the display time zone, and the first free time last seen. */
export type Clinic = {
  providerNo: number
  /** Only times at this place; undefined for any place. */
  placeNo?: number
  timeZone: string
  nextFree: Instant
  /** Length and buffer of a visit that takes several slots; undefined where each slot is long enough. */
  visit?: { minutes: number; bufferMinutes: number }
}

export type NextDays = { nextFree: Instant | null; days: FreeDay[] }

const DAYS_SHOWN = 2
const TIMES_SHOWN = 4

function toNextDays(groups: readonly DayGroup[]): NextDays {
  const first = groups[0]?.instants[0]
  return {
    nextFree: first ?? null,
    days: groups.slice(0, DAYS_SHOWN).map(({ day, instants }) => ({
      date: day.date,
      slots: instants.slice(0, TIMES_SHOWN).map((start) => ({ startsAt: slotText(start) })),
      more: Math.max(0, instants.length - TIMES_SHOWN),
    })),
  }
}

const instantOf = (text: string) => Temporal.Instant.from(text).epochMilliseconds

/** The same days, with the name of each time's place. */
export async function withPlaces(
  db: Db,
  providerNo: number,
  days: readonly FreeDay[],
): Promise<FreeDay[]> {
  const times = days.flatMap(({ slots }) => slots.map(({ startsAt }) => instantOf(startsAt)))
  if (times.length === 0) return [...days]
  const span = { from: Math.min(...times), until: Math.max(...times) + 1 }
  const places = await listFreePlaces(db, providerNo, span)
  return days.map((day) => ({
    ...day,
    slots: day.slots.map((slot) => {
      const place = places.get(instantOf(slot.startsAt))
      return place === undefined ? slot : { ...slot, place }
    }),
  }))
}

const ANY_LENGTH = { minutes: 0, bufferMinutes: 0 }

type DayQuery = Clinic & { dayEnd: Instant }

/** Times of each clinic, grouped by day; `dayEnd` is the expected end of the first day with times. */
async function findTimesByDay(db: Db, now: Instant, queries: readonly DayQuery[]) {
  const found = await listNextTimes(
    db,
    queries.map(({ providerNo, placeNo = null, dayEnd, visit = ANY_LENGTH }) => {
      return { providerNo, placeNo, from: now, dayEnd, ...visit }
    }),
  )
  return queries.map((look) => ({
    look,
    groups: byClinicDay(look.timeZone, found.get(look.providerNo) ?? []),
  }))
}

/**
 * The first two days with free times of each provider, in one statement for each of three kinds: any place,
 * one place, and visits that take several slots. Where the first day is not the expected one, only that day
 * is complete, and the provider is queried again.
 */
export async function nextDays(
  db: Db,
  now: Instant,
  clinics: readonly Clinic[],
): Promise<Map<number, NextDays>> {
  const answer = new Map<number, NextDays>()
  const again: DayQuery[] = []
  const queries = clinics.map((clinic) => {
    const expected = clinic.nextFree === NEVER ? now : Math.max(now, clinic.nextFree)
    return { ...clinic, dayEnd: clinicDayOf(clinic.timeZone, expected).end }
  })
  for (const { look, groups } of await findTimesByDay(db, now, queries)) {
    const [first] = groups
    if (first === undefined || first.day.end <= look.dayEnd) {
      answer.set(look.providerNo, toNextDays(groups))
    } else {
      again.push({ ...look, dayEnd: first.day.end })
    }
  }
  for (const { look, groups } of await findTimesByDay(db, now, again)) {
    answer.set(look.providerNo, toNextDays(groups))
  }
  return answer
}

export type TypeRow = store.TypeRow

/** Types of a provider's visits in their order; with `hasArchived` also archived ones. */
export function listTypes(db: Db, providerNo: number, hasArchived = false): Promise<TypeRow[]> {
  return store.listTypes(db, providerNo, hasArchived)
}

/** What a visit of a type requires of the calendar; a null buffer means none. */
export function needsOf(
  type: Pick<TypeRow, 'minutes' | 'place_no'>,
  bufferMinutes: number | null,
): VisitNeeds {
  return { minutes: type.minutes, bufferMinutes: bufferMinutes ?? 0, placeNo: type.place_no }
}
