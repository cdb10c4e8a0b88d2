import type { ErrorCode } from '#contract/base/errors.ts'
import { dateFormat, lowerDayPeriod } from '#contract/base/intl.ts'
import { shownName } from '#contract/base/person-names.ts'
import { regionFacts } from '#contract/base/region.ts'
import { toIso } from '#contract/base/time.ts'
import type { ExpectedVisit, SlotInput, SlotResponse, SlotTime } from '#contract/booking.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { paymentLeadMs } from '#server/availability/hours/hours-rules.ts'
import { slotRun, type VisitNeeds } from '#server/availability/rules.ts'
import {
  freeAround,
  listTypes,
  needsOf,
  type TypeRow,
} from '#server/availability/slots/free-times.ts'
import { linkZone } from '#server/booking/link-zone.ts'
import { hasTimeToPay, instantsAt, nearestOf, slotAt } from '#server/booking/rules.ts'
import { findOwnVisit, type VisitRow } from '#server/booking/visits/visit-store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  findBookable,
  findSlotRun,
  listClaimsIn,
  listOffered,
  listOwnIn,
  type Span,
} from './slot-store.ts'

type Provider = NonNullable<Awaited<ReturnType<typeof findBookable>>>
type Slot = Awaited<ReturnType<typeof listOffered>>[number]

export type Offer = {
  provider: Provider
  /** The slots the visit takes: `free` is 1 when all of them are; `count` and `reachMs` as for a claim. */
  slot: Slot & ReturnType<typeof slotRun>
  needs: VisitNeeds
  /** The visit itself. */
  visit: Span
  /** All the time its slots occupy: begins with the visit and may end later. */
  span: Span
  /** Payment deadline: before the provider's notice is reached. */
  payBy: Instant
}

/** An offer with its type of visit, which sets the price. */
export type TypedOffer = Offer & {
  type: TypeRow
  /** The type is one of several, so its name is shown. */
  isNamed: boolean
}

async function bookableProvider(
  db: Db,
  { providerId, region }: Pick<SlotInput, 'providerId' | 'region'>,
): Promise<Provider> {
  const provider = await findBookable(db, providerId)
  if (provider?.verification_status !== 'Verified') throw new AppError('provider_not_bookable')
  if ((region ?? provider.region) !== provider.region) throw new AppError('provider_not_found')
  return provider
}

/** The first of these instants that is followed by as many slots as the visit takes. */
async function findSlots(
  db: Db,
  { providerNo, needs }: { providerNo: number; needs: VisitNeeds },
  instants: readonly number[],
): Promise<Pick<Offer, 'slot' | 'visit' | 'span'> | null> {
  for (const slot of await listOffered(db, providerNo, instants)) {
    if ((needs.placeNo ?? slot.place_no) !== slot.place_no) continue
    const row = slotRun(needs, slot.minutes)
    const start = slot.start_at
    // One or two instants; the first usually matches.
    const found = await findSlotRun(db, { ...slot, ...row, providerNo, start })
    if (found === undefined) continue
    const end = start + needs.minutes * 60_000
    return {
      slot: { ...slot, ...row, free: found.free },
      visit: { providerNo, start, end },
      span: { providerNo, start, end: Math.max(end, found.end_at) },
    }
  }
  return null
}

async function offerOf(
  ctx: Context,
  provider: Provider,
  { when, needs }: { when: SlotTime; needs: VisitNeeds },
): Promise<Offer> {
  const instants = slotAt(when, provider.time_zone)
  const [first = 0] = instants
  const upcoming = instants.filter((instant) => instant > ctx.now())
  const refused = { providerNo: provider.no, wanted: first, needs }
  if (upcoming.length === 0) throw await refuseSlot(ctx, { ...refused, code: 'slot_passed' })
  const query = { providerNo: provider.no, needs }
  const found = await findSlots(ctx.database.db, query, upcoming)
  if (found === null) throw await refuseSlot(ctx, { ...refused, code: 'slot_not_offered' })
  const payBy = found.slot.start_at - paymentLeadMs(provider.notice_minutes)
  return { provider, needs, ...found, payBy }
}

/**
 * The time an input names, as its provider offers it for the type of visit named, else for the first type.
 * Throws for times that are past or were never offered, types that cannot be booked
 * (`visit_type_not_offered`), and providers who are unknown or take no bookings. Does not check that the time
 * is free.
 */
export async function findOffer(ctx: Context, wanted: SlotInput): Promise<TypedOffer> {
  const { db } = ctx.database
  const provider = await bookableProvider(db, wanted)
  const types = await listTypes(db, provider.no)
  const { typeId } = wanted
  const type = typeId === undefined ? types[0] : types.find(({ id }) => id === typeId)
  if (type === undefined) throw new AppError('visit_type_not_offered')
  const needs = needsOf(type, provider.buffer_minutes)
  const offer = await offerOf(ctx, provider, { when: wanted, needs })
  return { ...offer, type, isNamed: types.length > 1 }
}

type BookedVisit = {
  provider_id: string
  start_at: Instant
  end_at: Instant
  /** The only place where its type is offered; null is any. */
  type_place_no: number | null
}

/** An offer for a visit that is already booked: it keeps its length and type, whatever is offered now. */
export async function findOfferFor(
  ctx: Context,
  visit: BookedVisit,
  when: SlotTime,
): Promise<Offer> {
  const provider = await bookableProvider(ctx.database.db, { providerId: visit.provider_id })
  const needs = {
    minutes: Math.round((visit.end_at - visit.start_at) / 60_000),
    bufferMinutes: provider.buffer_minutes ?? 0,
    placeNo: visit.type_place_no,
  }
  return offerOf(ctx, provider, { when, needs })
}

const UNAVAILABLE_CODES: ReadonlySet<string> = new Set([
  'slot_passed',
  'slot_not_offered',
  'provider_not_bookable',
])

async function isAvailable(ctx: Context, input: SlotInput): Promise<boolean> {
  const { slot, span, payBy } = await findOffer(ctx, input)
  if (slot.free === 1) return hasTimeToPay(payBy, ctx.now())
  const claims = await listClaimsIn(ctx.database.db, span)
  const accountNo = ctx.session?.accountNo
  // A time the viewer holds counts as available: the wallet checks it while they hold it.
  return claims.some(
    (one) => one.patient_no === accountNo && one.state === 'held' && one.hold_until > ctx.now(),
  )
}

/** Whether a time is available now. Advisory: only a hold decides. */
export async function checkSlot(ctx: Context, input: SlotInput): Promise<SlotResponse> {
  try {
    return { available: await isAvailable(ctx, input) }
  } catch (error) {
    if (error instanceof AppError && UNAVAILABLE_CODES.has(error.code)) return { available: false }
    throw error
  }
}

/** Whether a date and time in the zone of the main place, read as for holds, is this instant. */
function matchesTime(
  instant: number,
  when: { date: string; time: string },
  timeZone: string,
): boolean {
  try {
    return slotAt(when, timeZone).includes(instant)
  } catch (error) {
    // A time that clocks skip does not match.
    if (error instanceof AppError) return false
    throw error
  }
}

/** The documented end: the start's time in this zone plus the length, even where clocks change in between. */
function endText(row: VisitRow, timeZone: string): string {
  const end = wallClock(row.start_at, timeZone) + row.end_at - row.start_at
  return toIso(end).slice(11, 16)
}

function fieldDifferences(row: VisitRow, expected: ExpectedVisit, timeZone: string): string[] {
  const { date, time, endTime, isFollowUp, purpose } = expected
  const facts: [name: string, differs: boolean][] = [
    ['provider', (expected.providerId ?? row.provider_id) !== row.provider_id],
    ['region', (expected.region ?? row.region) !== row.region],
    [
      'time',
      date !== undefined &&
        time !== undefined &&
        !matchesTime(row.start_at, { date, time }, timeZone),
    ],
    ['end', endTime !== undefined && endTime !== endText(row, timeZone)],
    ['type', isFollowUp !== undefined && isFollowUp !== (row.visit_type === 'follow_up')],
    ['purpose', purpose !== undefined && purpose.trim() !== row.purpose],
  ]
  return facts.filter(([, differs]) => differs).map(([name]) => name)
}

/** Names of the fields in which a booking of the viewer's differs from what a caller believes. */
export async function listDifferences(
  ctx: SignedIn,
  bookingId: string,
  expected: ExpectedVisit,
): Promise<string[]> {
  const { db } = ctx.database
  const row = await findOwnVisit(db, bookingId, ctx.session.accountNo)
  if (row === undefined) throw new AppError('not_found')
  return fieldDifferences(row, expected, await linkZone(db, row))
}

type SlotRefusal = {
  code: Extract<ErrorCode, 'slot_taken' | 'slot_not_offered' | 'slot_passed'>
  providerNo: number
  wanted: Instant
  needs: VisitNeeds
}

/**
 * The error that refuses a time. `nearest` holds the three nearest free times for such a visit: ISO instants
 * separated by spaces, empty when there are none.
 */
export async function refuseSlot(ctx: Context, refusal: SlotRefusal): Promise<AppError> {
  const { code, providerNo, wanted, needs } = refusal
  const free = await freeAround(ctx, { providerNo, needs }, wanted)
  const nearest = nearestOf(free, wanted)
  return new AppError(code, { nearest: nearest.map(toIso).join(' ') })
}

type Other = Awaited<ReturnType<typeof listOwnIn>>[number]

/** Identifies the other visit: provider, and time in the clinic's zone, which is named in the hour clocks repeat. */
function detailsOf(other: Other): Record<string, string> {
  const { locale, hour12 } = regionFacts[other.region]
  const show = (options: Intl.DateTimeFormatOptions) =>
    dateFormat(locale, { timeZone: other.time_zone, ...options }).format(other.start_at)
  const wall = toIso(wallClock(other.start_at, other.time_zone))
  const isRepeated = instantsAt(other.time_zone, wall.slice(0, 10), wall.slice(11, 16)).length > 1
  return {
    provider: shownName(other),
    startsAt: toIso(other.start_at),
    timeZone: other.time_zone,
    time: lowerDayPeriod(
      show({
        hour: hour12 ? 'numeric' : '2-digit',
        minute: '2-digit',
        hour12,
        // Clocks show the time twice that day.
        ...(isRepeated && { timeZoneName: 'short' as const }),
      }),
    ),
    date: show({ weekday: 'long', day: 'numeric', month: 'long' }),
  }
}

/**
 * Throws `visits_overlap`, with the other visit in its details, when the viewer has a visit or hold then with
 * any provider. Holds of one patient are serialized, so one of two concurrent ones is refused.
 */
export async function assertNoOverlap(ctx: SignedIn, tx: Tx, span: Span): Promise<void> {
  await assertPatientFree(ctx, tx, { patientNo: ctx.session.accountNo, span, exceptNo: null })
}

type OverlapQuery = { patientNo: number; span: Span; exceptNo: number | null }

/** The same check for any patient; `exceptNo` is the visit that would be moved. */
export async function assertPatientFree(ctx: Context, tx: Tx, query: OverlapQuery): Promise<void> {
  const { patientNo, exceptNo } = query
  const { start, end } = query.span
  const [other] = await listOwnIn(tx.db, { patientNo, start, end, now: ctx.now(), exceptNo })
  if (other !== undefined) throw new AppError('visits_overlap', detailsOf(other))
}
