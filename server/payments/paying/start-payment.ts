import { toIso } from '#contract/base/time.ts'
import type { CardStart, PayInput, WalletStart } from '#contract/payments.ts'
import { type Instant, parseJson } from '#db/columns.ts'
import { isUniqueViolation } from '#db/failures.ts'
import {
  type PaymentTerms,
  preparePayment,
  releaseUnbookable,
} from '#server/booking/hold/prepare-payment.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import type { PaymentOrder } from '#server/gateways/payment-gateways.ts'
import { AppError, GatewayRefusal, UpstreamError } from '#server/kernel/errors.ts'
import { mayStillOpen, sessionExpiry } from '#server/payments/rules.ts'
import {
  findLive,
  type GatewayName,
  getPayment,
  insertPayment,
  type Payment,
  setOpened,
} from '#server/payments/store.ts'
import { closePayment } from './close-payment.ts'

type StartRequest = { input: PayInput; gateway: GatewayName }
type StartedPayment = { payment: Payment; holdUntil: number; isOther: boolean }
type RequestedPayment = { gateway: GatewayName; prepared: PaymentTerms; now: Instant }

/** Whether the live payment is the requested one: a second tab, or a reloaded page. */
function isSame(live: Payment, { gateway, prepared, now }: RequestedPayment): boolean {
  return (
    live.gateway === gateway &&
    live.amount_minor === prepared.amountMinor &&
    live.visit_type === prepared.visitType &&
    !prepared.isOtherVisit &&
    (live.state === 'open' || (live.state === 'creating' && mayStillOpen(live, now)))
  )
}

async function recordPayment(
  ctx: SignedIn,
  tx: Tx,
  { input, gateway }: StartRequest,
): Promise<StartedPayment> {
  const prepared = await preparePayment(ctx, tx, {
    holdId: input.holdId,
    typeOfVisit: input.typeOfVisit,
    mode: input.mode,
    patientState: input.patientState,
    purpose: input.purposeForVisit,
    gateway,
    shown: input.shown,
  })
  const { bookingNo, amountMinor, currency, holdUntil } = prepared
  const now = ctx.now()
  const live = await findLive(tx.db, bookingNo)
  if (live?.state === 'paid') throw new AppError('hold_paid')
  if (live?.state === 'capturing') throw new AppError('payment_busy')
  if (live !== undefined) {
    return { payment: live, holdUntil, isOther: !isSame(live, { gateway, prepared, now }) }
  }
  const order: PaymentOrder = {
    paymentId: ctx.newId('pay'),
    bookingId: prepared.bookingId,
    amountMinor,
    currency,
    email: prepared.email,
    publicUrl: ctx.config.publicUrl,
    expiresAt: sessionExpiry(now),
  }
  const payment = await insertPayment(tx.db, {
    id: order.paymentId,
    booking_no: bookingNo,
    patient_no: ctx.session.accountNo,
    gateway,
    amount_minor: amountMinor,
    currency,
    visit_type: prepared.visitType,
    follow_up_basis: prepared.followUpBasis,
    expires_at: order.expiresAt,
    request: JSON.stringify(order),
    created_at: now,
  })
  await tx.audit.add({
    action: 'payment.began',
    entity: payment.id,
    details: { amount: amountMinor, currency, via: gateway },
  })
  return { payment, holdUntil, isOther: false }
}

/** With two concurrent requests, the second finds the first one's payment. */
async function createOrFind(ctx: SignedIn, request: StartRequest): Promise<StartedPayment> {
  try {
    return await ctx.transaction((tx) => recordPayment(ctx, tx, request))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return ctx.transaction((tx) => recordPayment(ctx, tx, request))
  }
}

/** The first payment must be impossible before the second is made. */
async function replace(
  ctx: SignedIn,
  live: Payment,
  request: StartRequest,
): Promise<StartedPayment> {
  const closed = await closePayment(ctx, live)
  if (closed.state === 'paid') throw new AppError('hold_paid')
  const started = await createOrFind(ctx, request)
  if (started.isOther) throw new AppError('payment_busy')
  return started
}

async function open(
  ctx: SignedIn,
  started: StartedPayment,
): Promise<StartedPayment & { session: string }> {
  const payment = await openPayment(ctx, started.payment)
  if (payment.gw_session === null) throw new AppError('payment_busy')
  return { ...started, payment, session: payment.gw_session }
}

async function start(
  ctx: SignedIn,
  wish: StartRequest,
): Promise<StartedPayment & { session: string }> {
  await releaseUnbookable(ctx, wish.input.holdId)
  try {
    let started = await createOrFind(ctx, wish)
    // Another gateway, another fee, another way to be seen, or a request that is too old to retry.
    if (started.isOther) started = await replace(ctx, started.payment, wish)
    try {
      return await open(ctx, started)
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error
      ctx.log.warn({ err: error, payment: started.payment.id }, 'a payment is restarted')
      return await open(ctx, await replace(ctx, started.payment, wish))
    }
  } catch (error) {
    if (!(error instanceof UpstreamError || error instanceof GatewayRefusal)) throw error
    throw new AppError('payment_gateway_down', {}, { cause: error })
  }
}

/** Opens a card checkout for a hold of the viewer's. Idempotent while it is open. */
export async function startCard(ctx: SignedIn, input: PayInput): Promise<CardStart> {
  const { payment, holdUntil } = await start(ctx, { input, gateway: 'stripe' })
  if (payment.client_secret === null) throw new AppError('payment_busy')
  return {
    paymentId: payment.id,
    clientSecret: payment.client_secret,
    holdUntil: toIso(holdUntil),
  }
}

/** Creates a wallet order for a hold of the viewer's. Idempotent while it is open. */
export async function startWallet(ctx: SignedIn, input: PayInput): Promise<WalletStart> {
  const { payment, session } = await start(ctx, { input, gateway: 'paypal' })
  return { paymentId: payment.id, orderId: session }
}

/** Payments of an older version, which did not store the request. */
const REQUEST_LOST = 'request_lost'

async function openAt(ctx: Context, { gateway, request }: Payment) {
  if (request === null) throw new GatewayRefusal(REQUEST_LOST, { cause: null })
  const order = parseJson<PaymentOrder>(request)
  if (gateway === 'stripe') return ctx.gateways.stripe.open(order)
  return { ...(await ctx.gateways.paypal.open(order)), clientSecret: null }
}

/**
 * Creates the session or order of a stored payment. Idempotent: a retry sends the same request with the
 * payment's own key. Runs outside transactions. Throws `UpstreamError` if there is no response, and
 * `GatewayRefusal` if this request can never succeed: then the payment has to be closed and another one
 * started.
 */
async function openPayment(ctx: Context, payment: Payment): Promise<Payment> {
  if (payment.state !== 'creating') return payment
  const { session, clientSecret } = await openAt(ctx, payment)
  await setOpened(ctx.database.db, payment.no, { session, clientSecret, now: ctx.now() })
  return getPayment(ctx.database.db, payment.no)
}
