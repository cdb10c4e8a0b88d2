import type { WeekInput } from '#contract/availability.ts'
import type { PurposeAnswer, VisitRef } from '#contract/booking.ts'
import type { DayVisit, ProviderDay, ProviderWeek } from '#contract/booking-provider.ts'
import { DAY_MS, dayNumber, toIso } from '#contract/time.ts'
import { NEVER, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { nextDays, withPlaces } from '#server/availability/slots/free-times.ts'
import { markingOf } from '#server/booking/outcome-rules.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { countPlaces, type DayRow, findMainZone, findPurpose, listDay } from './day-store.ts'

/** No day is longer, and a page of visits should not be either. */
const MOST_A_DAY = 200

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
    typeOfVisit: row.visit_type,
    typeName: row.type_name,
    followUpBasis: row.follow_up_basis,
    hasPurpose: row.has_purpose === 1,
    marking: markingOf(row, now),
  }
}

/** The zone a provider's days and months are counted in: that of the main place. */
export async function mainZone(db: Db, providerNo: number): Promise<string> {
  return (await findMainZone(db, providerNo)) ?? 'UTC'
}

/**
 * Whether a provider's times have to name their place: there is more than one, counting those of visits
 * to come at a place that was given up.
 */
export async function hasSeveralPlaces(
  db: Db,
  providerNo: number,
  shown: readonly { place_name: string | null }[] = [],
): Promise<boolean> {
  const names = new Set(shown.map(({ place_name: name }) => name))
  return names.size > 1 || (await countPlaces(db, providerNo)) > 1
}

/** The viewer's visits of today, by the clock on the wall of the clinic, and the first one after. */
export async function readDay(ctx: Context): Promise<ProviderDay> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const timeZone = await mainZone(db, providerNo)
  const now = ctx.now()
  const date = toIso(wallClock(now, timeZone)).slice(0, 10)
  const from = dayNumber(date) * DAY_MS
  const to = from + DAY_MS
  const today = await listDay(db, { providerNo, from, to, limit: MOST_A_DAY })
  const clinic = { providerNo, timeZone, nextFree: NEVER }
  const [next] = await listDay(db, { providerNo, from: to, to: NEVER, limit: 1 })
  const free = (await nextDays(db, now, [clinic])).get(providerNo)?.days ?? []
  const shown = next === undefined ? today : [...today, next]
  const hasManyPlaces = await hasSeveralPlaces(db, providerNo, shown)
  return {
    now: toIso(now),
    date,
    timeZone,
    visits: today.map((row) => visitOf(row, now)),
    next: next === undefined ? null : visitOf(next, now),
    hasManyPlaces,
    free: hasManyPlaces ? await withPlaces(db, providerNo, free) : free,
  }
}

/** No week has more, and a page of visits should not either. */
const MOST_A_WEEK = 7 * MOST_A_DAY

/**
 * The viewer's visits of some days, by the clock on the wall of their places, with the phone numbers of
 * those who come. `date_invalid` for a day that no calendar has.
 */
export async function readWeekVisits(ctx: Context, input: WeekInput): Promise<ProviderWeek> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const now = ctx.now()
  const from = dayNumber(input.from) * DAY_MS
  const span = { from, to: from + input.days * DAY_MS }
  const rows = await listDay(db, { providerNo, ...span, limit: MOST_A_WEEK })
  return {
    now: toIso(now),
    hasManyPlaces: await hasSeveralPlaces(db, providerNo, rows),
    visits: rows.map((row) => ({
      ...visitOf(row, now),
      placeId: row.place_id,
      phone: row.erased_at !== null || row.phone_number === '' ? null : row.phone_number,
    })),
  }
}

/** Why a patient comes to the viewer. Written down: it is somebody's health that is read. */
export async function readPurpose(ctx: Context, { id }: VisitRef): Promise<PurposeAnswer> {
  const { no: providerNo } = await ownProvider(ctx, ctx.database.db)
  const purposeForVisit = await findPurpose(ctx.database.db, { id, providerNo })
  if (purposeForVisit === undefined) throw new AppError('not_found')
  await ctx.record({ action: 'visit.purpose_read', entity: id })
  return { purposeForVisit }
}
