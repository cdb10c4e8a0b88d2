import type { WeekInput } from '#contract/availability.ts'
import type { PurposeResponse, VisitRef } from '#contract/booking.ts'
import type { DayVisit, ProviderDay, ProviderWeek, WeekVisit } from '#contract/booking-provider.ts'
import { DeskVisitId } from '#contract/ids.ts'
import { DAY_MS, dayNumber, toIso } from '#contract/time.ts'
import { NEVER, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { nextDays, withPlaces } from '#server/availability/slots/free-times.ts'
import { deskMarking } from '#server/booking/desk/desk-rules.ts'
import { type DeskRow, listDeskDays } from '#server/booking/desk/desk-store.ts'
import { openDetail } from '#server/booking/desk/sealed-details.ts'
import { markingOf } from '#server/booking/outcome-rules.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import {
  countPlaces,
  type DayRow,
  findMainZone,
  findPurpose,
  listDay,
} from './provider-visits-store.ts'

/** Maximum visits of a day; also bounds the size of a page. */
const MAX_VISITS_PER_DAY = 200

/** A visit as shown in a provider's calendar. */
function weekVisitOf(row: DayRow, now: number): WeekVisit {
  return {
    ...visitOf(row, now),
    placeId: row.place_id,
    typeId: row.type_id,
    phone: row.erased_at !== null || row.phone_number === '' ? null : row.phone_number,
  }
}

function deskVisitOf(ctx: Context, row: DeskRow, now: number): WeekVisit {
  const [name, phone] = [openDetail(ctx, row.name), openDetail(ctx, row.phone)]
  return {
    id: DeskVisitId.parse(row.id),
    reference: row.reference,
    patientName: name === '' ? null : name,
    startsAt: toIso(row.start_at),
    endsAt: toIso(row.end_at),
    timeZone: row.time_zone,
    placeName: row.place_name,
    mode: 'in_person',
    desk: row.kind,
    typeOfVisit: null,
    typeName: null,
    followUpBasis: null,
    hasPurpose: row.note !== '',
    marking: deskMarking(row, now),
    placeId: row.place_id,
    typeId: null,
    phone: phone === '' ? null : phone,
  }
}

type Days = Parameters<typeof listDay>[1]

/** Booked and desk visits of some days, in chronological order. */
async function listVisitsOf(ctx: Context, days: Days): Promise<WeekVisit[]> {
  const { db } = ctx.database
  const now = ctx.now()
  const booked = (await listDay(db, days)).map((row) => ({
    at: row.wall_at,
    visit: weekVisitOf(row, now),
  }))
  const desk = (await listDeskDays(db, days)).map((row) => ({
    at: row.wall_at,
    visit: deskVisitOf(ctx, row, now),
  }))
  return [...booked, ...desk]
    .toSorted((one, other) => one.at - other.at)
    .slice(0, days.limit)
    .map(({ visit }) => visit)
}

function visitOf(row: DayRow, now: number): DayVisit {
  const name = [row.first_name, row.last_name].filter(Boolean).join(' ')
  return {
    id: row.id,
    reference: row.reference,
    patientName: row.erased_at !== null || name === '' ? null : name,
    startsAt: toIso(row.start_at),
    endsAt: toIso(row.end_at),
    timeZone: row.time_zone,
    placeName: row.place_name,
    mode: row.mode,
    desk: null,
    typeOfVisit: row.visit_type,
    typeName: row.type_name,
    followUpBasis: row.follow_up_basis,
    hasPurpose: row.has_purpose === 1,
    marking: markingOf(row, now),
  }
}

/** The time zone of a provider's days and months: that of the main place. */
export async function mainZone(db: Db, providerNo: number): Promise<string> {
  return (await findMainZone(db, providerNo)) ?? 'UTC'
}

/**
 * Whether a provider's times must name their place: the provider has several, or upcoming visits are at a
 * removed one.
 */
export async function hasSeveralPlaces(
  db: Db,
  providerNo: number,
  shown: readonly { place_name: string | null }[] = [],
): Promise<boolean> {
  const names = new Set(shown.map(({ place_name: name }) => name))
  return names.size > 1 || (await countPlaces(db, providerNo)) > 1
}

/** The viewer's visits of today, in local time at the clinic, and the next one after. */
export async function readDay(ctx: Context): Promise<ProviderDay> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const timeZone = await mainZone(db, providerNo)
  const now = ctx.now()
  const date = toIso(wallClock(now, timeZone)).slice(0, 10)
  const from = dayNumber(date) * DAY_MS
  const to = from + DAY_MS
  const today = await listVisitsOf(ctx, { providerNo, from, to, limit: MAX_VISITS_PER_DAY })
  const clinic = { providerNo, timeZone, nextFree: NEVER }
  const [next] = await listVisitsOf(ctx, { providerNo, from: to, to: NEVER, limit: 1 })
  const free = (await nextDays(db, now, [clinic])).get(providerNo)?.days ?? []
  const shown = next === undefined ? today : [...today, next]
  const places = shown.map(({ placeName }) => ({ place_name: placeName }))
  const hasManyPlaces = await hasSeveralPlaces(db, providerNo, places)
  return {
    now: toIso(now),
    date,
    timeZone,
    visits: today,
    next: next ?? null,
    hasManyPlaces,
    free: hasManyPlaces ? await withPlaces(db, providerNo, free) : free,
  }
}

/** Maximum visits of a week; also bounds the size of a page. */
const MAX_VISITS_PER_WEEK = 7 * MAX_VISITS_PER_DAY

/**
 * The viewer's visits of some days, in local time at their places, with the patients' phone numbers. Throws
 * `date_invalid` for a day that does not exist.
 */
export async function readWeekVisits(ctx: Context, input: WeekInput): Promise<ProviderWeek> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const now = ctx.now()
  const from = dayNumber(input.from) * DAY_MS
  const span = { from, to: from + input.days * DAY_MS }
  const visits = await listVisitsOf(ctx, { providerNo, ...span, limit: MAX_VISITS_PER_WEEK })
  const places = visits.map(({ placeName }) => ({ place_name: placeName }))
  return {
    now: toIso(now),
    hasManyPlaces: await hasSeveralPlaces(db, providerNo, places),
    visits,
  }
}

/** The purpose of one of the viewer's visits. The access is audited: it is health data. */
export async function readPurpose(ctx: Context, { id }: VisitRef): Promise<PurposeResponse> {
  const { no: providerNo } = await ownProvider(ctx, ctx.database.db)
  const purposeForVisit = await findPurpose(ctx.database.db, { id, providerNo })
  if (purposeForVisit === undefined) throw new AppError('not_found')
  await ctx.record({ action: 'visit.purpose_read', entity: id })
  return { purposeForVisit }
}
