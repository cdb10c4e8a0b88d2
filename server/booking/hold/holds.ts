import { errorMessage } from '#contract/base/sentences.ts'
import { toIso } from '#contract/base/time.ts'
import type { DescribeInput, Hold } from '#contract/booking.ts'
import { isBooked } from '#contract/life-cycles/visit.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { isOverlapViolation } from '#db/failures.ts'
import { hasVerifiedCode } from '#server/auth/codes/codes.ts'
import { linkZone } from '#server/booking/link-zone.ts'
import {
  assertLicensed,
  assertOffered,
  followUpBasis,
  holdEnd,
  isActiveHold,
  offeredModes,
  priceOf,
  whyNotActive,
  whyNotRenew,
} from '#server/booking/rules.ts'
import {
  findByNo,
  findCapturingOrder,
  findOwn,
  getProviderId,
  hasLivePayment,
  hasVisited,
} from '#server/booking/store.ts'
import { confirmBooking, whyNotConfirm } from '#server/booking/visits/confirm-booking.ts'
import { factsOf } from '#server/booking/visits/read-visit.ts'
import { findOwnVisit, listActiveHolds, type VisitRow } from '#server/booking/visits/visit-store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { licensedStates } from '#server/profiles/video-offer.ts'
import {
  type Choices,
  extendHold,
  listOverdueHolds,
  lockHeld,
  lockReleased,
  type Overdue,
  type OverdueHold,
  restoreHold,
  setReleased,
  updateChoices,
} from './hold-store.ts'
import { closeTime, reopenTime } from './reopen-time.ts'
import {
  deleteClaim,
  insertClaimAt,
  listClaimsIn,
  lockProviderClaims,
  type Span,
} from './slot-store.ts'

async function isVerified(ctx: SignedIn, db: Db, row: VisitRow): Promise<boolean> {
  if (row.code_at !== null) return true
  const { patient_no: accountNo, id: object } = row
  return hasVerifiedCode(db, { accountNo, purpose: 'booking', object, now: ctx.now() })
}

function stateOf(row: VisitRow, now: number): Hold['state'] {
  if (isActiveHold(row, now)) return 'held'
  return isBooked(row.state) ? 'confirmed' : 'released'
}

async function holdOf(ctx: SignedIn, db: Db, row: VisitRow): Promise<Hold> {
  const now = ctx.now()
  const who = { patientNo: row.patient_no, providerNo: row.provider_no }
  const basis = followUpBasis(row.follow_up_policy, await hasVisited(db, who, now))
  return {
    ...factsOf(row, now),
    mainZone: await linkZone(db, row),
    state: stateOf(row, now),
    holdUntil: toIso(row.hold_until),
    canRenew: whyNotRenew(row, now) === null,
    fees: { first_visit: priceOf(row, 'first_visit'), follow_up: priceOf(row, 'follow_up') },
    modes: offeredModes(row),
    licensedStates: row.region === 'usa' ? await licensedStates(db, row.provider_no) : [],
    patientState: row.patient_state,
    followUpRefusal: basis === null ? errorMessage('follow_up_refused') : null,
    typeOfVisit: row.visit_type,
    paymentMethod: row.payment_method,
    purposeForVisit: row.purpose,
    isCodeVerified: await isVerified(ctx, db, row),
    movingOrder: await findCapturingOrder(db, row.id),
  }
}

/** One of the viewer's holds, in any state; somebody else's is `not_found`. */
export function readHold(ctx: SignedIn, { holdId }: { holdId: string }): Promise<Hold> {
  return readHoldIn(ctx, ctx.database.db, holdId)
}

/** Reads a hold within the transaction that has just written it. */
export async function readHoldIn(ctx: SignedIn, db: Db, holdId: string): Promise<Hold> {
  const row = await findOwnVisit(db, holdId, ctx.session.accountNo)
  if (row === undefined) throw new AppError('not_found')
  return holdOf(ctx, db, row)
}

/** The viewer's active holds. */
export async function listHolds(ctx: SignedIn): Promise<Hold[]> {
  const { db } = ctx.database
  const rows = await listActiveHolds(db, ctx.session.accountNo, ctx.now())
  return Promise.all(rows.map((row) => holdOf(ctx, db, row)))
}

type Booking = NonNullable<Awaited<ReturnType<typeof findOwn>>>

/** Why the follow-up fee is granted; null for a first visit. Throws `follow_up_refused`. */
export async function grantType(
  tx: Tx,
  booking: Booking,
  wanted: { type: Booking['visit_type']; now: number },
): Promise<Booking['follow_up_basis']> {
  if (wanted.type === 'first_visit') return null
  const who = { patientNo: booking.patient_no, providerNo: booking.provider_no }
  const hasBeenHere = await hasVisited(tx.db, who, wanted.now)
  const basis = followUpBasis(booking.follow_up_policy, hasBeenHere)
  if (basis === null) throw new AppError('follow_up_refused')
  return basis
}

async function choicesOf(
  ctx: SignedIn,
  tx: Tx,
  context: { booking: Booking; input: DescribeInput },
) {
  const { booking, input } = context
  const { typeOfVisit: type, paymentMethod: method, purposeForVisit: purpose } = input
  const { mode, patientState: state } = input
  const changesTerms =
    (type ?? booking.visit_type) !== booking.visit_type ||
    (mode ?? booking.mode) !== booking.mode ||
    (state ?? booking.patient_state) !== booking.patient_state ||
    (method ?? booking.payment_method) !== booking.payment_method
  // The running payment was agreed on other terms, and has to be cancelled first.
  if (changesTerms && (await hasLivePayment(tx.db, booking.no))) throw new AppError('payment_busy')
  const choices: Choices = {}
  if (mode !== undefined) {
    assertOffered(booking, mode)
    choices.mode = mode
  }
  if (state !== undefined) {
    assertLicensed(await licensedStates(tx.db, booking.provider_no), state)
    choices.patient_state = state
  }
  if (type !== undefined) {
    choices.visit_type = type
    choices.follow_up_basis = await grantType(tx, booking, { type, now: ctx.now() })
  }
  if (method !== undefined) choices.payment_method = method
  if (purpose !== undefined) choices.purpose = purpose
  return choices
}

/** Saves what was entered at the checkout, so that a reload or another tab loses nothing. */
export async function describeHold(ctx: SignedIn, input: DescribeInput): Promise<Hold> {
  const { holdId } = input
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const booking = await findOwn(tx.db, holdId, ctx.session.accountNo)
    if (booking === undefined) throw new AppError('not_found')
    const refusal = whyNotActive(booking, now)
    if (refusal !== null) throw new AppError(refusal)
    const choices = await choicesOf(ctx, tx, { booking, input })
    if (Object.keys(choices).length === 0) return
    const isWritten = await updateChoices(tx.db, booking.no, { choices, now })
    if (!isWritten) throw new AppError('hold_expired')
    // Audits which fields were set, never their values: the purpose is confidential.
    await tx.audit.add({
      action: 'booking.described',
      entity: holdId,
      details: { fields: Object.keys(choices).join(' ') },
    })
  })
  return readHold(ctx, { holdId })
}

/** Extends a hold by fifteen minutes, once, and never past its payment deadline. */
export async function renewHold(ctx: SignedIn, { holdId }: { holdId: string }): Promise<Hold> {
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const hold = await findOwn(tx.db, holdId, ctx.session.accountNo)
    if (hold === undefined) throw new AppError('not_found')
    const refusal = whyNotRenew(hold, now)
    if (refusal !== null) throw new AppError(refusal)
    const until = holdEnd(hold.hold_until, hold.pay_by)
    if (!(await extendHold(tx.db, hold.no, { until, now }))) throw new AppError('hold_renewed')
    await tx.audit.add({ action: 'booking.renewed', entity: holdId })
  })
  return readHold(ctx, { holdId })
}

type Paid = { bookingNo: number; paymentNo: number }

/** Claims the time again; the database refuses it when it is taken. */
async function claimAgain(
  tx: Tx,
  booking: NonNullable<Awaited<ReturnType<typeof lockReleased>>>,
  now: Instant,
) {
  const { no, provider_no: providerNo, start_at: start, end_at: end } = booking
  await lockProviderClaims(tx.db, providerNo)
  try {
    await insertClaimAt(tx.db, { bookingNo: no, providerNo, start, end })
  } catch (error) {
    if (!isOverlapViolation(error)) throw error
    throw new AppError('slot_taken', {}, { cause: error })
  }
  await closeTime(tx.db, { providerNo, start, end }, now)
  await tx.outbox.add('provider.changed', { providerId: await getProviderId(tx.db, providerNo) })
}

/**
 * Books a visit for a payment that staff have accepted, claiming its time again if it was released. Throws
 * `slot_taken` when the time is taken, `slot_passed` when it has begun, `hold_paid` when another payment has
 * booked it, `provider_not_bookable` when the provider is no longer Verified, and `patient_gone` when the
 * patient's account is erased.
 */
export async function reviveBooking(ctx: Context, tx: Tx, paid: Paid): Promise<void> {
  const { bookingNo } = paid
  const released = await lockReleased(tx.db, bookingNo)
  const booking = released ?? (await findByNo(tx.db, bookingNo))
  if (booking === undefined) throw new AppError('not_found')
  if (booking.start_at <= ctx.now()) throw new AppError('slot_passed')
  if (released !== undefined) {
    await claimAgain(tx, released, ctx.now())
    await restoreHold(tx.db, bookingNo)
    await tx.audit.add({ action: 'booking.revived', entity: released.id })
  }
  const why = isBooked(booking.state) ? null : await whyNotConfirm(tx, bookingNo)
  if (why !== null) throw new AppError(why)
  if (!(await confirmBooking(ctx, tx, paid))) throw new AppError('hold_paid')
}

/** Why a hold is released. Only `left` is the viewer's own act. */
type Reason = 'expired' | 'left' | 'unbookable' | 'erased'

type Release = {
  bookingNo: number
  reason?: Reason
  /** Releases only a hold that has expired by then, epoch milliseconds; a renewed one stays. */
  overAt?: number
}

/**
 * Releases a hold within the caller's transaction: the claim is deleted and its future slots are free again.
 * False when it is no longer held, or while a payment for it could still be made: that has to be ruled out
 * before the time is freed.
 */
export async function releaseBooking(ctx: Context, tx: Tx, release: Release): Promise<boolean> {
  const { bookingNo, reason = 'expired', overAt } = release
  const now = ctx.now()
  // Locked first, so that a concurrent payment is either seen below or comes too late.
  const held = await lockHeld(tx.db, bookingNo)
  if (held === undefined) return false
  if (overAt !== undefined && held.hold_until > overAt) return false
  if (await hasLivePayment(tx.db, bookingNo)) return false
  const { provider_no: providerNo, start_at: start, end_at: end } = held
  // Before the claim, in the same order as when a time is taken, to avoid a deadlock.
  await lockProviderClaims(tx.db, providerNo)
  await setReleased(tx.db, bookingNo, now)
  await deleteClaim(tx.db, bookingNo)
  await reopenTime(tx.db, { providerNo, start, end }, now)
  await tx.outbox.add('provider.changed', { providerId: await getProviderId(tx.db, providerNo) })
  await tx.audit.add({
    action: 'booking.released',
    entity: held.id,
    details: { reason },
    ...(reason === 'left' ? {} : { actor: { kind: 'system', id: null } }),
  })
  return true
}

/**
 * Releases expired holds that overlap a time range, so that a new request need not wait for the sweep. Returns whether
 * there were any.
 */
export function releaseOverdue(ctx: Context, span: Span): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const overAt = ctx.now()
    let hasReleased = false
    for (const claim of await listClaimsIn(tx.db, span)) {
      if (claim.state !== 'held' || claim.hold_until > overAt) continue
      if (await releaseBooking(ctx, tx, { bookingNo: claim.no, overAt })) hasReleased = true
    }
    return hasReleased
  })
}

/** Expired holds that still occupy their time, after `after`, the longest expired first. */
export function listOverdue(db: Db, overdue: Overdue): Promise<OverdueHold[]> {
  return listOverdueHolds(db, overdue)
}
