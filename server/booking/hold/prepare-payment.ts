import type { Currency, Money } from '#contract/base/money.ts'
import type { PaymentMethod, VisitType } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'
import { useVerifiedCode as spendCode } from '#server/auth/codes/codes.ts'
import {
  assertLicensed,
  assertOffered,
  isSamePrice,
  needsPatientState,
  priceOf,
  whyNotActive,
} from '#server/booking/rules.ts'
import { findOwn, getPatientEmail } from '#server/booking/store.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { licensedStates } from '#server/profiles/video-offer.ts'
import { lockOwnHold, updateChoices } from './hold-store.ts'
import { grantType, releaseBooking } from './holds.ts'

type PaymentRequest = {
  holdId: string
  typeOfVisit: VisitType
  /** As saved with the hold when undefined. */
  mode?: VisitMode | undefined
  patientState?: string | undefined
  purpose: string
  gateway: PaymentMethod
  /** What the page showed. */
  shown: Money
}

/** Terms of a payment, from our own rows only. */
export type PaymentTerms = {
  bookingNo: number
  bookingId: string
  amountMinor: number
  currency: Currency
  visitType: VisitType
  followUpBasis: 'history' | 'self_declared' | null
  /** Whether the visit takes place otherwise than a payment begun before was agreed on. */
  isOtherVisit: boolean
  email: string
  /** Epoch milliseconds. */
  holdUntil: number
}

type Booking = NonNullable<Awaited<ReturnType<typeof findOwn>>>

/** Consumes the code of this booking, or one of the legacy calls that name none; once per booking. */
async function consumeBookingCode(ctx: SignedIn, tx: Tx, booking: Booking): Promise<number> {
  if (booking.code_at !== null) return booking.code_at
  const now = ctx.now()
  const code = { accountNo: booking.patient_no, purpose: 'booking', now }
  const isUsed =
    (await spendCode(tx, { ...code, object: booking.id })) ||
    (await spendCode(tx, { ...code, object: '' }))
  if (!isUsed) throw new AppError('code_required')
  return now
}

/**
 * The patient's state for a video visit, where one is required; null otherwise. Throws `mode_not_offered`,
 * `state_missing` and `state_not_licensed`: the provider's settings may have changed since the first step.
 */
async function patientStateColumns(
  tx: Tx,
  booking: Booking,
): Promise<{ patient_state: string | null }> {
  assertOffered(booking, booking.mode)
  if (!needsPatientState(booking)) return { patient_state: null }
  const { patient_state: state, provider_no: providerNo } = booking
  if (state === null) throw new AppError('state_missing')
  assertLicensed(await licensedStates(tx.db, providerNo), state)
  return { patient_state: state }
}

async function findHeld(ctx: SignedIn, tx: Tx, holdId: string): Promise<Booking> {
  const booking = await findOwn(tx.db, holdId, ctx.session.accountNo)
  if (booking === undefined) throw new AppError('not_found')
  const refusal = whyNotActive(booking, ctx.now())
  if (refusal !== null) throw new AppError(refusal)
  return booking
}

/**
 * Releases a hold whose provider no longer takes bookings, and throws `provider_not_bookable`. Call before
 * `preparePayment` and outside its transaction, whose refusal would roll the release back.
 */
export async function releaseUnbookable(ctx: SignedIn, holdId: string): Promise<void> {
  const isBookable = await ctx.transaction(async (tx) => {
    const booking = await findHeld(ctx, tx, holdId)
    if (booking.verification_status === 'Verified') return true
    await releaseBooking(ctx, tx, { bookingNo: booking.no, reason: 'unbookable' })
    return false
  })
  if (!isBookable) throw new AppError('provider_not_bookable')
}

/**
 * Settles the terms of a payment for a hold, within the transaction that writes the payment: checks the
 * owner, the expiry and the confirmed code, and sets our price. The hold stays locked until that transaction
 * ends.
 */
export async function preparePayment(
  ctx: SignedIn,
  tx: Tx,
  request: PaymentRequest,
): Promise<PaymentTerms> {
  const now = ctx.now()
  // Codes are single-use: wait for another tab to record its code before checking ours.
  await lockOwnHold(tx.db, request.holdId, ctx.session.accountNo)
  const booking = await findHeld(ctx, tx, request.holdId)
  if (booking.verification_status !== 'Verified') throw new AppError('provider_not_bookable')
  const type = request.typeOfVisit
  const basis = await grantType(tx, booking, { type, now })
  const price = priceOf(booking, type)
  if (!isSamePrice(price, request.shown)) throw new AppError('price_changed')
  const { mode = booking.mode, patientState: state = booking.patient_state } = request
  const visit = {
    mode,
    ...(await patientStateColumns(tx, { ...booking, mode, patient_state: state })),
  }
  const choices = {
    visit_type: type,
    follow_up_basis: basis,
    payment_method: request.gateway,
    purpose: request.purpose,
    ...visit,
    code_at: await consumeBookingCode(ctx, tx, booking),
  }
  const isKept = await updateChoices(tx.db, booking.no, { choices, now })
  if (!isKept) throw new AppError('hold_expired')
  await tx.audit.add({
    action: 'booking.payment_begun',
    entity: booking.id,
    details: { gateway: request.gateway, minor: price.minor, currency: price.currency },
  })
  return {
    bookingNo: booking.no,
    bookingId: booking.id,
    amountMinor: price.minor,
    currency: price.currency,
    visitType: type,
    followUpBasis: basis,
    isOtherVisit:
      visit.mode !== booking.mode ||
      (visit.patient_state !== null && visit.patient_state !== booking.patient_state),
    email: await getPatientEmail(tx.db, booking.patient_no),
    holdUntil: booking.hold_until,
  }
}
