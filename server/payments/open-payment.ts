import { parseJson } from '#db/columns.ts'
import type { Context } from '#server/context.ts'
import type { PaymentOrder } from '#server/gateways/payment-gateways.ts'
import { GatewayRefusal } from '#server/kernel/errors.ts'
import { getPayment, type Payment, setOpened } from './store.ts'

/** Of a version that did not keep what it sent. */
const LOST = 'request_lost'

async function openAt(ctx: Context, { gateway, request }: Payment) {
  if (request === null) throw new GatewayRefusal(LOST, { cause: null })
  const order = parseJson<PaymentOrder>(request)
  if (gateway === 'stripe') return ctx.gateways.stripe.open(order)
  return { ...(await ctx.gateways.paypal.open(order)), clientSecret: null }
}

/**
 * Makes the session or order of a payment that is written down already. Repeating it gives the same
 * one, because the very same request is sent under the payment's own key. No transaction is open.
 * Throws `UpstreamError` when nobody answered, and `GatewayRefusal` when this request never succeeds:
 * then the payment is to be closed and another one begun.
 */
export async function openPayment(ctx: Context, payment: Payment): Promise<Payment> {
  if (payment.state !== 'creating') return payment
  const { session, clientSecret } = await openAt(ctx, payment)
  await setOpened(ctx.database.db, payment.no, { session, clientSecret, now: ctx.now() })
  return getPayment(ctx.database.db, payment.no)
}
