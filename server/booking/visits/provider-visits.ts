import type { WeekInput } from '#contract/availability.ts'
import { DeskVisitId } from '#contract/base/ids.ts'
import { fullName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import { stateName } from '#contract/base/us-states.ts'
import type { PurposeResponse, VisitRef } from '#contract/booking.ts'
import {
  type DayVisit,
  MAX_OTHER_VISITS,
  type ProviderDay,
  type ProviderVisit,
  type ProviderWeek,
  type WeekVisit,
} from '#contract/booking-provider.ts'
import { NEVER, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { addDays, startOfDate } from '#server/availability/rules.ts'
import { nextDays, withPlaces } from '#server/availability/slots/free-times.ts'
import { deskMarking } from '#server/booking/desk/desk-rules.ts'
import { type DeskRow, listDeskDays } from '#server/booking/desk/desk-store.ts'
import { openDetail } from '#server/booking/desk/sealed-details.ts'
import { markingOf } from '#server/booking/outcome-rules.ts'
import { ageOn, priceOf } from '#server/booking/rules.ts'
import { findMainZone } from '#server/booking/store.ts'
import type { AsProvider, Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { declinedAt, movesOf, proposalsLeft, proposalsOf } from './move-booking.ts'
import {
  countOthers,
  countPlaces,
  type DayRow,
  findProviderVisit,
  findPurpose,
  listDay,
  listOthers,
  type ProviderVisitRow,
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

/** Booked and desk visits of a span, in chronological order. */
async function listVisitsOf(ctx: Context, days: Days): Promise<WeekVisit[]> {
  const { db } = ctx.database
  const now = ctx.now()
  const booked = (await listDay(db, days)).map((row) => ({
    at: row.start_at,
    visit: weekVisitOf(row, now),
  }))
  const desk = (await listDeskDays(db, days)).map((row) => ({
    at: row.start_at,
    visit: deskVisitOf(ctx, row, now),
  }))
  return [...booked, ...desk]
    .toSorted((one, other) => one.at - other.at)
    .slice(0, days.limit)
    .map(({ visit }) => visit)
}

function visitOf(row: DayRow, now: number): DayVisit {
  const name = fullName(row.first_name, row.last_name)
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

/** The viewer's visits of today, a day of the main place, and the next one after. */
export async function readDay(ctx: AsProvider): Promise<ProviderDay> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const timeZone = await mainZone(db, providerNo)
  const now = ctx.now()
  const date = toIso(wallClock(now, timeZone)).slice(0, 10)
  const [from, to] = [startOfDate(timeZone, date), startOfDate(timeZone, addDays(date, 1))]
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
 * The viewer's visits of some days, which are those of the main place, with the patients' phone numbers. Throws
 * `date_invalid` for a day that does not exist.
 */
export async function readWeekVisits(ctx: AsProvider, input: WeekInput): Promise<ProviderWeek> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const now = ctx.now()
  const timeZone = await mainZone(db, providerNo)
  const span = {
    from: startOfDate(timeZone, input.from),
    to: startOfDate(timeZone, addDays(input.from, input.days)),
  }
  const visits = await listVisitsOf(ctx, { providerNo, ...span, limit: MAX_VISITS_PER_WEEK })
  const places = visits.map(({ placeName }) => ({ place_name: placeName }))
  return {
    now: toIso(now),
    hasManyPlaces: await hasSeveralPlaces(db, providerNo, places),
    visits,
  }
}

/** The purpose of one of the viewer's visits. The access is audited: it is health data. */
export async function readPurpose(ctx: AsProvider, { id }: VisitRef): Promise<PurposeResponse> {
  const { no: providerNo } = await ownProvider(ctx, ctx.database.db)
  const purposeForVisit = await findPurpose(ctx.database.db, { id, providerNo })
  if (purposeForVisit === undefined) throw new AppError('not_found')
  await ctx.record({ action: 'visit.purpose_read', entity: id })
  return { purposeForVisit }
}

function patientOf(row: ProviderVisitRow, today: string): ProviderVisit['patient'] {
  if (row.patient_erased_at !== null) return null
  return {
    name: fullName(row.patient_first_name, row.patient_last_name),
    email: row.patient_email,
    phone: row.patient_phone === '' ? null : row.patient_phone,
    age: row.date_of_birth === null ? null : ageOn(row.date_of_birth, today),
  }
}

function paymentOf(row: ProviderVisitRow): Pick<ProviderVisit, 'paid' | 'refunded' | 'refundable'> {
  const { currency, minor } = priceOf(row, row.visit_type)
  // Postgres returns integer sums as text.
  const refunded = Number(row.refunded_minor ?? 0)
  // More than the price where staff accepted it; the excess is among the refunds.
  const paid = row.taken_minor ?? row.paid_minor ?? minor
  const left = Math.max(0, paid - refunded)
  return {
    refundable: { minor: left, currency },
    paid: { minor: paid, currency },
    refunded: refunded === 0 ? null : { minor: refunded, currency },
  }
}

/**
 * One of the viewer's visits, past or upcoming: the patient with contact details, their other visits here,
 * and the payment. The access is audited. `not_found` for visits of others and for bookings that never became
 * a visit.
 */
export async function readProviderVisit(ctx: AsProvider, { id }: VisitRef): Promise<ProviderVisit> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const row = await findProviderVisit(db, { id, providerNo })
  if (row === undefined) throw new AppError('not_found')
  const now = ctx.now()
  const patient = patientOf(row, toIso(wallClock(now, row.time_zone)).slice(0, 10))
  const same = { providerNo, patientNo: row.patient_no, exceptNo: row.no }
  // The visits of an erased patient are not linked to each other.
  const others = patient === null ? [] : await listOthers(db, same, MAX_OTHER_VISITS)
  const otherCount = patient === null ? 0 : await countOthers(db, same)
  await ctx.record({ action: 'visit.opened', entity: id })
  return {
    id: row.id,
    reference: row.reference,
    now: toIso(now),
    state: row.state === 'cancelled' ? 'cancelled' : 'confirmed',
    startsAt: toIso(row.start_at),
    endsAt: toIso(row.end_at),
    timeZone: row.time_zone,
    place: {
      name: row.place_name,
      address: [row.address, row.locality].filter(Boolean).join(', '),
      postcode: row.postcode,
    },
    mode: row.mode,
    patientState: stateName(row.patient_state),
    typeOfVisit: row.visit_type,
    typeName: row.type_name,
    followUpBasis: row.follow_up_basis,
    hasPurpose: row.purpose !== '',
    patient,
    others: others.map((one) => ({
      id: one.id,
      startsAt: toIso(one.start_at),
      timeZone: one.time_zone,
      state: one.state === 'cancelled' ? 'cancelled' : 'confirmed',
      typeOfVisit: one.visit_type,
      typeName: one.type_name,
    })),
    otherCount,
    ...paymentOf(row),
    marking: markingOf(row, now),
    paymentMethod: row.payment_method,
    bookedAt: toIso(row.confirmed_at ?? row.created_at),
    moves: (await movesOf(db, [row.no])).get(row.no) ?? [],
    proposed: (await proposalsOf(db, [row.no], now)).get(row.no) ?? null,
    proposalsLeft: await proposalsLeft(db, row.no),
    kept: await declinedAt(db, row.no),
  }
}
