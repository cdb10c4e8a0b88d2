import type { Stripe } from 'stripe'
import * as z from 'zod/mini'
import type {
  Dispute,
  GatewayCharge,
  GatewayRefund,
  GatewayState,
  ListedDispute,
  PaymentOrder,
  RefundState,
} from './payment-gateways.ts'

/** Everything in the request was stored first, so that a retry with the same key sends the same request. */
export function sessionParams(order: PaymentOrder): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    ui_mode: 'embedded_page',
    allowed_payment_method_types: ['card'],
    return_url: `${order.publicUrl}/return?session_id={CHECKOUT_SESSION_ID}`,
    client_reference_id: order.paymentId,
    customer_email: order.email,
    expires_at: Math.floor(order.expiresAt / 1_000),
    // Left to the dashboard, the buyer may be charged in another currency.
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: order.currency.toLowerCase(),
          unit_amount: order.amountMinor,
          // Reveals nothing about the reason for the visit.
          product_data: { name: 'Appointment' },
        },
      },
    ],
    metadata: { payment_id: order.paymentId },
    // Events about intents and charges do not carry the session's metadata.
    payment_intent_data: {
      metadata: { payment_id: order.paymentId },
      transfer_group: order.bookingId,
    },
  }
}

function idOf(value: string | { id: string } | null | undefined): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : value.id
}

function stateOf(session: Stripe.Checkout.Session): GatewayState['state'] {
  if (session.status === 'open') return 'open'
  if (session.status === 'expired') return 'closed'
  if (session.status !== 'complete') throw new Error(`session status ${String(session.status)}`)
  // Delayed payment methods settle later: `complete` alone does not mean paid.
  return session.payment_status === 'unpaid' ? 'pending' : 'paid'
}

/** Amount refunded at the gateway before we settled; 0 unless the charge was expanded. */
function returnedOf({ payment_intent: intent }: Stripe.Checkout.Session): number {
  if (intent === null || typeof intent === 'string') return 0
  const charge = intent.latest_charge
  return charge === null || typeof charge === 'string' ? 0 : charge.amount_refunded
}

export function gatewayStateOf(session: Stripe.Checkout.Session): GatewayState {
  return {
    returnedMinor: returnedOf(session),
    state: stateOf(session),
    paymentId: session.metadata?.['payment_id'] ?? session.client_reference_id,
    amountMinor: session.amount_total ?? 0,
    currency: (session.currency ?? '').toUpperCase(),
    gwPayment: idOf(session.payment_intent),
    email: session.customer_details?.email ?? session.customer_email,
  }
}

export function refundStateOf({ id, status }: Stripe.Refund): RefundState {
  if (status === 'succeeded') return { id, state: 'done' }
  return { id, state: status === 'failed' || status === 'canceled' ? 'failed' : 'pending' }
}

export function chargeOf(charge: Stripe.Charge): GatewayCharge {
  return {
    gwPayment: idOf(charge.payment_intent) ?? charge.id,
    paymentId: charge.metadata['payment_id'] ?? null,
    amountMinor: charge.amount_captured,
    currency: charge.currency.toUpperCase(),
  }
}

export function gatewayRefundOf(refund: Stripe.Refund): GatewayRefund {
  return {
    id: refund.id,
    gwPayment: idOf(refund.payment_intent) ?? idOf(refund.charge) ?? refund.id,
    paymentId: refund.metadata?.['payment_id'] ?? null,
    amountMinor: refund.amount,
    currency: refund.currency.toUpperCase(),
    state: refundStateOf(refund).state,
    key: refund.metadata?.['refund_key'] ?? null,
  }
}

const Named = z.union([z.string(), z.object({ id: z.string() })])

/** The fields of a dispute that are read, in a list or an event. */
export const Disputed = z.object({
  object: z.literal('dispute'),
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  reason: z.string(),
  status: z.string(),
  evidence_details: z.object({ due_by: z.nullable(z.int()) }),
  payment_intent: z.optional(z.nullable(Named)),
  charge: z.optional(Named),
})
const DisputeEvent = z.object({ data: z.object({ object: Disputed }) })

/** Converts a dispute, identified by its payment intent, or by the charge if there is none. */
export function disputeOf(disputed: z.infer<typeof Disputed>): ListedDispute {
  const { id, amount, currency, reason, status, evidence_details: evidence } = disputed
  const about = disputed.payment_intent ?? disputed.charge ?? id
  return {
    id,
    amountMinor: amount,
    currency: currency.toUpperCase(),
    reason,
    status,
    answerBy: evidence.due_by === null ? null : evidence.due_by * 1_000,
    gwPayment: typeof about === 'string' ? about : about.id,
  }
}

/** The dispute that an event is about; null if there is none. */
export function disputeIn(body: unknown): Dispute | null {
  const event = DisputeEvent.safeParse(body)
  return event.success ? disputeOf(event.data.data.object) : null
}

/** The fields of an event that are read. */
export const Event = z.object({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      object: z.optional(z.string()),
      id: z.optional(z.string()),
      payment_intent: z.optional(z.nullable(Named)),
    }),
  }),
})

/** The gateway id in an event that our rows can be looked up by. */
export function objectOf({ data: { object } }: z.infer<typeof Event>): string | null {
  // Sessions and intents by their own id; charges, refunds and disputes by their payment intent.
  const isOwnName = object.object === 'checkout.session' || object.object === 'payment_intent'
  return isOwnName ? (object.id ?? null) : idOf(object.payment_intent)
}
