import { DAY_MS } from '#contract/base/time.ts'
import type { VisitMode } from '#contract/search.ts'
import { wallClock } from '#db/columns.ts'
import { isOverlapViolation } from '#db/failures.ts'
import {
  assertUpcomingLimits,
  assertWithinCap,
  hasTimeToPay,
  holdEnd,
  MAX_UNPAID_HOLDS,
  type UnpaidCap,
} from '#server/booking/rules.ts'
import { insertBooking } from '#server/booking/store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { siteOf } from '#server/kernel/limits/network.ts'
import { type Offer, refuseSlot, type TypedOffer } from './find-offer.ts'
import { hasEverPaid, listNewcomerHolds, listUnpaid, listUpcoming } from './hold-store.ts'
import { releaseOverdue } from './holds.ts'
import {
  closeSlots,
  findSlotRun,
  insertClaim,
  listClaimsIn,
  lockProviderClaims,
} from './slot-store.ts'

/** The time may be taken and released again between our reads, so the number of tries is limited. */
const MAX_TRIES = 3

export type Claims = Awaited<ReturnType<typeof listClaimsIn>>

/** Owner of a new hold: a patient, or a visitor by the keyed hash of their cookie. */
type Owner = { patientNo: number; visitor: null } | { patientNo: null; visitor: string }

type NewHold = {
  offer: TypedOffer
  distance: string | null
  mode: VisitMode
  owner: Owner
  /** `networkKey` of people who have never paid; null for others. */
  heldFrom: string | null
  purpose: string
}

/** Writes a hold with its claim; the database refuses it when another claim overlaps. Returns its id. */
export async function writeHold(ctx: Context, tx: Tx, hold: NewHold): Promise<string> {
  const { offer, distance, mode, owner, heldFrom, purpose } = hold
  const { provider, slot, type, visit, span, payBy } = offer
  const now = ctx.now()
  await lockProviderClaims(tx.db, span.providerNo)
  await closeSlots(tx.db, span)
  const row = {
    patient_no: owner.patientNo,
    visitor: owner.visitor,
    provider_no: provider.no,
    place_no: slot.place_no,
    region: provider.region,
    start_at: visit.start,
    end_at: visit.end,
    time_zone: slot.time_zone,
    wall_at: wallClock(visit.start, slot.time_zone),
    state: 'held' as const,
    hold_until: holdEnd(now, payBy),
    pay_by: payBy,
    renewed: 0 as const,
    visit_type: 'first_visit' as const,
    follow_up_basis: null,
    mode,
    type_no: type.no,
    type_name: offer.isNamed ? type.name : null,
    patient_state: null,
    video_room: null,
    payment_method: 'stripe' as const,
    purpose,
    code_at: null,
    first_minor: type.first_minor,
    follow_minor: type.follow_minor,
    currency: provider.currency,
    free_cancel_hours: provider.free_cancel_hours,
    late_cancel_percent: provider.late_cancel_percent,
    no_show_percent: provider.no_show_percent,
    free_until: null,
    distance,
    paid_by: null,
    held_from: heldFrom,
    sequence: 0,
    changed_at: null,
    created_at: now,
    confirmed_at: null,
    closed_at: null,
    outcome: null,
    outcome_at: null,
    arrived_at: null,
  }
  const { no: bookingNo, id } = await insertBooking(tx.db, row, () => ctx.newId('apt'))
  // The insert decides who gets the time: nothing before it has checked that it is free.
  const isOffered = await insertClaim(tx.db, { ...slot, ...visit, bookingNo })
  if (!isOffered) throw new AppError('slot_not_offered')
  await tx.outbox.add('provider.changed', { providerId: provider.id })
  await tx.audit.add({ action: 'booking.held', entity: id })
  return id
}

function slotError(ctx: Context, { span, needs }: Offer, code: 'slot_taken' | 'slot_not_offered') {
  return refuseSlot(ctx, { code, providerNo: span.providerNo, wanted: span.start, needs })
}

/** The time may have been released since the offer was read. */
async function isFreeNow(ctx: Context, { span, slot }: Offer): Promise<boolean> {
  const { providerNo, start } = span
  const row = await findSlotRun(ctx.database.db, { ...slot, providerNo, start })
  return row?.free === 1
}

type TakeOptions<T> = {
  /** The viewer's own hold among the claims, or null. */
  findMine: (claims: Claims) => Promise<T | null>
  /** Whether a claim was the viewer's when read, and may be released at any moment. */
  isOwn?: (claim: Claims[number]) => boolean
  /** The booking being moved, whose old time does not conflict. */
  exceptNo?: number
  /** Writes the hold in its own transaction; throws on an overlap. */
  take: () => Promise<T>
}

/** The hold, or null when the time is taken. Reading first spares most losing requests a write. */
async function tryTakeOffer<T>(
  ctx: Context,
  offer: Offer,
  options: TakeOptions<T>,
): Promise<T | null> {
  const { span, slot, payBy } = offer
  for (let tries = MAX_TRIES; tries > 0; tries -= 1) {
    const all = await listClaimsIn(ctx.database.db, span)
    const claims = all.filter(({ no }) => no !== options.exceptNo)
    const mine = await options.findMine(claims)
    if (mine !== null) return mine
    if (!hasTimeToPay(payBy, ctx.now())) throw await slotError(ctx, offer, 'slot_not_offered')
    const busy = claims.filter((one) => one.state !== 'held' || one.hold_until > ctx.now())
    // The viewer's own claim, changed in another tab meanwhile: retry.
    if (busy.length > 0 && busy.every((one) => options.isOwn?.(one) === true)) continue
    if (busy.length > 0) return null
    // Not on offer although no claim overlaps: its provider has closed it.
    if (all.length === 0 && slot.free === 0 && !(await isFreeNow(ctx, offer))) return null
    if (claims.length > 0 && !(await releaseOverdue(ctx, span))) {
      // Another request may have released it meanwhile: then nothing is left.
      const left = await listClaimsIn(ctx.database.db, span)
      if (left.some(({ no }) => no !== options.exceptNo)) return null
    }
    try {
      return await options.take()
    } catch (error) {
      const isWithdrawn = error instanceof AppError && error.code === 'slot_not_offered'
      if (isWithdrawn) throw await slotError(ctx, offer, 'slot_not_offered')
      if (!isOverlapViolation(error)) throw error
    }
  }
  return null
}

/**
 * Takes an offered time, or returns the viewer's own hold on it. `slot_taken` carries the nearest free times.
 */
export async function takeOffer<T>(
  ctx: Context,
  offer: Offer,
  options: TakeOptions<T>,
): Promise<T> {
  const hold = await tryTakeOffer(ctx, offer, options)
  if (hold === null) throw await slotError(ctx, offer, 'slot_taken')
  return hold
}

/**
 * Throws `too_many_unpaid_holds` when a cap on unpaid holds is reached. Returns the `held_from` of the new
 * hold: its keyed network, or null for a patient who has paid for a visit before. The caller has counted a
 * `hold` of the viewer, which serializes their requests; requests from one network and for one provider are
 * serialized here.
 */
export async function capHolds(ctx: SignedIn, tx: Tx, providerNo: number): Promise<string | null> {
  await assertPatientCap(ctx, tx)
  if (await hasEverPaid(tx.db, ctx.session.accountNo)) return null
  return assertNewcomerCaps(ctx, tx, providerNo)
}

function capFor(name: UnpaidCap, now: number) {
  return { name, now, max: MAX_UNPAID_HOLDS[name] }
}

/** Refuses a patient who has reached the daily cap on unpaid holds. */
export async function assertPatientCap(ctx: SignedIn, tx: Tx): Promise<void> {
  const now = ctx.now()
  const of = { patientNo: ctx.session.accountNo, since: now - DAY_MS }
  const unpaid = await listUnpaid(tx.db, of)
  assertWithinCap(
    capFor('patient', now),
    unpaid.map(({ created_at: at }) => at + DAY_MS),
  )
}

/**
 * Refuses a patient who has reached the cap on upcoming visits, in all or with this provider. The caller has
 * counted a `hold` of the viewer, so concurrent requests see each other's.
 */
export async function assertUpcomingCap(ctx: SignedIn, tx: Tx, providerNo: number): Promise<void> {
  const of = { patientNo: ctx.session.accountNo, now: ctx.now() }
  assertUpcomingLimits(await listUpcoming(tx.db, of), providerNo)
}

/** Keyed hash of the network, stored with holds of people who have never paid. */
export function networkKey({ network, secrets }: Pick<Context, 'network' | 'secrets'>): string {
  return secrets.mac('network', siteOf(network))
}

/**
 * Caps holds of people who have never paid, by network and by provider. Returns the `networkKey` to store
 * with the hold.
 */
export async function assertNewcomerCaps(
  ctx: Context,
  tx: Tx,
  providerNo: number,
): Promise<string> {
  const now = ctx.now()
  const network = siteOf(ctx.network)
  const heldFrom = networkKey(ctx)
  await tx.attempts.take('hold_network', network)
  const ofNetwork = await listNewcomerHolds(tx.db, { now, heldFrom })
  assertWithinCap(
    capFor('network', now),
    ofNetwork.map(({ hold_until: at }) => at),
  )
  await lockProviderClaims(tx.db, providerNo)
  const ofProvider = await listNewcomerHolds(tx.db, { now, providerNo })
  assertWithinCap(
    capFor('provider', now),
    ofProvider.map(({ hold_until: at }) => at),
  )
  return heldFrom
}
