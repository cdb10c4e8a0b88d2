import { DAY_MS } from '#contract/base/time.ts'
import { visitLife } from '#contract/life-cycles/visit.ts'
import type { VisitMode } from '#contract/search.ts'
import { wallClock } from '#db/columns.ts'
import { isOverlapViolation } from '#db/failures.ts'
import {
  assertUpcomingLimits,
  assertWithinPatientCap,
  hasTimeToPay,
  holdEnd,
  workOfNewcomer,
} from '#server/booking/rules.ts'
import { insertBooking } from '#server/booking/store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { homeOf } from '#server/kernel/limits/network.ts'
import { type Proof, spendProof } from '#server/kernel/security/captcha.ts'
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
    state: visitLife.to('hold'),
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

/** With which provider somebody asks for a hold, and a proof should one be needed. */
type Request = { providerNo: number; proof: Proof }

/**
 * Throws `too_many_unpaid_holds` at the patient's daily cap. Returns the `held_from` of the new hold: its keyed
 * network, or null for a patient who has paid for a visit before; others may need a proof. The caller has
 * counted a `hold` of the viewer, which serializes their requests; requests from one network and for one
 * provider are serialized here.
 */
export async function capHolds(ctx: SignedIn, tx: Tx, request: Request): Promise<string | null> {
  await assertPatientCap(ctx, tx)
  if (await hasEverPaid(tx.db, ctx.session.accountNo)) return null
  return admitNewcomer(ctx, tx, { ...request, isVisitor: false })
}

/** Refuses a patient who has reached the daily cap on unpaid holds. */
export async function assertPatientCap(ctx: SignedIn, tx: Tx): Promise<void> {
  const now = ctx.now()
  const unpaid = await listUnpaid(tx.db, {
    patientNo: ctx.session.accountNo,
    since: now - DAY_MS,
  })
  assertWithinPatientCap(
    unpaid.map(({ created_at: at }) => at),
    now,
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
function networkKey({ network, secrets }: Pick<Context, 'network' | 'secrets'>): string {
  return secrets.mac('network', homeOf(network))
}

/**
 * Asks somebody who has never paid for a proof where many such holds exist from their network or with the
 * provider, or this network's visitors have held as many times as one patient may in a day. Returns the
 * `networkKey` to store with the hold.
 */
export async function admitNewcomer(
  ctx: Context,
  tx: Tx,
  { providerNo, proof, isVisitor }: Request & { isVisitor: boolean },
): Promise<string> {
  const now = ctx.now()
  const heldFrom = networkKey(ctx)
  // Each count serializes the network's requests.
  const isWithinHour = await tx.attempts.count('hold_network', heldFrom)
  const isWithinDay = !isVisitor || (await tx.attempts.count('visitor_hold', heldFrom))
  const ofNetwork = await listNewcomerHolds(tx.db, { now, heldFrom })
  await lockProviderClaims(tx.db, providerNo)
  const ofProvider = await listNewcomerHolds(tx.db, { now, providerNo })
  const work = workOfNewcomer({
    network: ofNetwork.length,
    provider: ofProvider.length,
    networkOfProvider: ofProvider.filter((hold) => hold.held_from === heldFrom).length,
  })
  const needed = isWithinHour && isWithinDay ? work : Math.max(1, work)
  if (needed > 0) await spendProof(tx, proof, needed)
  return heldFrom
}
