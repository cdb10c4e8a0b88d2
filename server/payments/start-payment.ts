import type { CardStart, PayInput, WalletStart } from '#contract/payments.ts'
import { toIso } from '#contract/time.ts'
import { isUniqueViolation } from '#db/failures.ts'
import {
  type PaymentTerms,
  preparePayment,
  releaseUnbookable,
} from '#server/booking/prepare-payment.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { closePayment } from './close-payment.ts'
import { openPayment } from './open-payment.ts'
import { sessionExpiry } from './rules.ts'
import { findLive, type GatewayName, insertPayment, type Payment } from './store.ts'

type Wish = { input: PayInput; gateway: GatewayName }
type Start = { payment: Payment; holdUntil: number; isOther: boolean }

/** A live payment that is the very one wished for: a second tab, or a page loaded again. */
function isSame(live: Payment, gateway: GatewayName, prepared: PaymentTerms): boolean {
  return (
    live.gateway === gateway &&
    live.amount_minor === prepared.amountMinor &&
    live.visit_type === prepared.visitType &&
    (live.state === 'creating' || live.state === 'open')
  )
}

async function writeDown(ctx: SignedIn, tx: Tx, { input, gateway }: Wish): Promise<Start> {
  const prepared = await preparePayment(ctx, tx, {
    holdId: input.holdId,
    typeOfVisit: input.typeOfVisit,
    purpose: input.purposeForVisit,
    gateway,
    shown: input.shown,
  })
  const { bookingNo, amountMinor, currency, holdUntil } = prepared
  const live = await findLive(tx.db, bookingNo)
  if (live?.state === 'paid') throw new AppError('hold_paid')
  if (live?.state === 'capturing') throw new AppError('payment_busy')
  if (live !== undefined) {
    return { payment: live, holdUntil, isOther: !isSame(live, gateway, prepared) }
  }
  const now = ctx.now()
  const payment = await insertPayment(tx.db, {
    id: ctx.newId('pay'),
    booking_no: bookingNo,
    patient_no: ctx.session.accountNo,
    gateway,
    amount_minor: amountMinor,
    currency,
    visit_type: prepared.visitType,
    follow_up_basis: prepared.followUpBasis,
    expires_at: sessionExpiry(now),
    created_at: now,
  })
  await tx.audit.add({
    action: 'payment.began',
    entity: payment.id,
    details: { amount: amountMinor, currency, via: gateway },
  })
  return { payment, holdUntil, isOther: false }
}

/** Two tabs pressed at once: whoever was second finds the other's payment. */
async function begin(ctx: SignedIn, wish: Wish): Promise<Start> {
  try {
    return await ctx.transaction((tx) => writeDown(ctx, tx, wish))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return ctx.transaction((tx) => writeDown(ctx, tx, wish))
  }
}

async function start(ctx: SignedIn, wish: Wish): Promise<Start & { session: string }> {
  await releaseUnbookable(ctx, wish.input.holdId)
  try {
    let begun = await begin(ctx, wish)
    if (begun.isOther) {
      // Card to wallet, or another fee: the first must be impossible before the second is made.
      const closed = await closePayment(ctx, begun.payment)
      if (closed.state === 'paid') throw new AppError('hold_paid')
      begun = await begin(ctx, wish)
      if (begun.isOther) throw new AppError('payment_busy')
    }
    const payment = await openPayment(ctx, begun.payment)
    if (payment.gw_session === null) throw new AppError('payment_busy')
    return { ...begun, payment, session: payment.gw_session }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    throw new AppError('payment_gateway_down', {}, { cause: error })
  }
}

/** Opens a card checkout for a hold of the viewer's. The same one again while it is open. */
export async function startCard(ctx: SignedIn, input: PayInput): Promise<CardStart> {
  const { payment, holdUntil } = await start(ctx, { input, gateway: 'stripe' })
  if (payment.client_secret === null) throw new AppError('payment_busy')
  return {
    paymentId: payment.id,
    clientSecret: payment.client_secret,
    holdUntil: toIso(holdUntil),
  }
}

/** Makes a wallet order for a hold of the viewer's. The same one again while it is open. */
export async function startWallet(ctx: SignedIn, input: PayInput): Promise<WalletStart> {
  const { payment, session } = await start(ctx, { input, gateway: 'paypal' })
  return { paymentId: payment.id, orderId: session }
}
