import type { VisitType } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { type PaymentTerms, preparePayment } from '#server/booking/hold/prepare-payment.ts'
import { confirmBooking } from '#server/booking/visits/confirm-booking.ts'
import type { SignedIn, Tx } from '#server/context.ts'

const PURPOSE = 'A cough that will not go away'

/** Inserts a payment as the payments module would, and returns its number. */
export async function insertPayment(
  ctx: SignedIn,
  tx: Tx,
  terms: PaymentTerms,
  state: 'open' | 'paid' = 'open',
): Promise<number> {
  const now = ctx.now()
  const { no } = await tx.db
    .insertInto('payments')
    .values({
      id: ctx.newId('pay'),
      booking_no: terms.bookingNo,
      patient_no: ctx.session.accountNo,
      gateway: 'stripe',
      state,
      amount_minor: terms.amountMinor,
      currency: terms.currency,
      visit_type: terms.visitType,
      follow_up_basis: terms.followUpBasis,
      expires_at: now + 31 * 60_000,
      gw_session: null,
      gw_payment: null,
      client_secret: null,
      reason: null,
      checked_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  return no
}

/** Confirms a code, as `auth.checkCode` does for a right one. */
export async function verifyCode(ctx: SignedIn, object: string): Promise<void> {
  const now = ctx.now()
  await ctx.transaction((tx) =>
    tx.db
      .insertInto('codes')
      .values({
        id: ctx.newId('otp'),
        account_no: ctx.session.accountNo,
        purpose: 'booking',
        object,
        hash: '',
        created_at: now,
        expires_at: now + 600_000,
        tries: 0,
        verified_at: now,
        used_at: null,
      })
      .execute(),
  )
}

type BookingOptions = {
  providerId: string
  typeId?: string
  startsAt: string
  typeOfVisit?: VisitType
  mode?: VisitMode
}

/** Presses the payment button for a hold; the payment stays open. */
export async function startOpenPayment(
  ctx: SignedIn,
  holdId: string,
  shown: { minor: number; currency: 'GBP' | 'USD' } = { minor: 6_000, currency: 'GBP' },
): Promise<{ bookingNo: number; paymentNo: number }> {
  return ctx.transaction(async (tx) => {
    const terms = await preparePayment(ctx, tx, {
      holdId,
      typeOfVisit: 'first_visit',
      purpose: PURPOSE,
      gateway: 'stripe',
      shown,
    })
    return { bookingNo: terms.bookingNo, paymentNo: await insertPayment(ctx, tx, terms) }
  })
}

/** Records the payment and confirms the visit, as `payments` does when the money arrives. */
export async function settle(
  ctx: SignedIn,
  { bookingNo, paymentNo }: { bookingNo: number; paymentNo: number },
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await tx.db.updateTable('payments').set({ state: 'paid' }).where('no', '=', paymentNo).execute()
    return confirmBooking(ctx, tx, { bookingNo, paymentNo })
  })
}

/** Holds, confirms the code and pays; returns the id of the visit. */
export async function bookVisit(ctx: SignedIn, options: BookingOptions): Promise<string> {
  const { typeOfVisit = 'first_visit', ...slot } = options
  const hold = await holdSlot(ctx, slot)
  await verifyCode(ctx, hold.id)
  await ctx.transaction(async (tx) => {
    const terms = await preparePayment(ctx, tx, {
      holdId: hold.id,
      typeOfVisit,
      purpose: PURPOSE,
      gateway: 'stripe',
      shown: hold.fees[typeOfVisit],
    })
    const paymentNo = await insertPayment(ctx, tx, terms, 'paid')
    await confirmBooking(ctx, tx, { bookingNo: terms.bookingNo, paymentNo })
  })
  return hold.id
}
