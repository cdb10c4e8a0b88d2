import * as z from 'zod/mini'
import {
  type Dispute,
  type GatewayRefund,
  type GatewayState,
  type GatewayTransactions,
  NO_MONEY,
  type PaymentOrder,
  type RefundState,
  refundKeyIn,
} from './payment-gateways.ts'

const Amount = z.object({ currency_code: z.string(), value: z.string() })
/** The fields of a capture that are read, within its order or by itself. */
export const Capture = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.optional(Amount),
  custom_id: z.optional(z.string()),
})
export type Capture = z.infer<typeof Capture>
const CaptureRefund = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.optional(Amount),
  invoice_id: z.optional(z.string()),
})
const Unit = z.object({
  custom_id: z.optional(z.string()),
  amount: z.optional(Amount),
  payments: z.optional(
    z.object({
      captures: z.optional(z.array(Capture)),
      refunds: z.optional(z.array(CaptureRefund)),
    }),
  ),
})
/** The fields of an order that are read. */
export const Order = z.object({
  id: z.string(),
  status: z.string(),
  purchase_units: z.array(Unit),
  payer: z.optional(z.object({ email_address: z.optional(z.string()) })),
})
export type Order = z.infer<typeof Order>

const Refund = z.object({ id: z.string(), status: z.string() })

/** `50.00` of 5000: both currencies we charge have two decimals. */
export function decimalOf(amountMinor: number): string {
  return (amountMinor / 100).toFixed(2)
}

/** `50.00` as 5000; throws for anything that is not such a number. */
function minorOf(value: string): number {
  const parts = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(value)
  if (parts?.[1] === undefined) throw new Error('not a valid amount')
  return Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0'))
}

/** Request body that creates an order; reveals nothing about the reason for the visit. */
export function orderBody(order: PaymentOrder): string {
  return JSON.stringify({
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: order.paymentId,
        invoice_id: order.paymentId,
        description: 'Appointment',
        amount: { currency_code: order.currency, value: decimalOf(order.amountMinor) },
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          shipping_preference: 'NO_SHIPPING',
          user_action: 'PAY_NOW',
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
          return_url: `${order.publicUrl}/return`,
          cancel_url: `${order.publicUrl}/home`,
        },
      },
    },
  })
}

/** State by its capture: a completed order is not necessarily paid. */
function captureState(status: string | undefined): GatewayState['state'] | null {
  if (status === undefined) return null
  if (status === 'PENDING') return 'pending'
  return status === 'DECLINED' || status === 'FAILED' ? 'declined' : 'paid'
}

function stateOf(order: Order, capture: string | undefined): GatewayState['state'] {
  const moved = captureState(capture)
  if (moved !== null) return moved
  if (order.status === 'APPROVED') return 'approved'
  if (order.status === 'VOIDED') return 'closed'
  if (['CREATED', 'SAVED', 'PAYER_ACTION_REQUIRED'].includes(order.status)) return 'open'
  // PayPal omits `payments` from some responses: it was paid, but the capture's status is unknown.
  if (order.status === 'COMPLETED') return 'unclear'
  throw new Error(`order status ${order.status}`)
}

function moneyIn(amount: z.infer<typeof Amount> | undefined) {
  return {
    amountMinor: amount === undefined ? 0 : minorOf(amount.value),
    currency: amount?.currency_code ?? '',
  }
}

/** The state of an order. Throws if the order's status is unknown or its amount invalid. */
export function gatewayStateOf(order: Order): GatewayState {
  const [unit] = order.purchase_units
  const capture = unit?.payments?.captures?.[0]
  const returned = transactionsOf(order).returned.filter(({ state }) => state !== 'failed')
  return {
    state: stateOf(order, capture?.status),
    paymentId: unit?.custom_id ?? null,
    ...moneyIn(capture?.amount ?? unit?.amount),
    gwPayment: capture?.id ?? null,
    returnedMinor: returned.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    email: order.payer?.email_address ?? null,
  }
}

/** The state of a capture, for when its order does not tell. */
export function captureGatewayState(capture: Capture): GatewayState {
  const money = moneyIn(capture.amount)
  const state = captureState(capture.status)
  return {
    ...NO_MONEY,
    // Only the order lists the amounts of partial refunds.
    state: capture.status === 'PARTIALLY_REFUNDED' || state === null ? 'unclear' : state,
    paymentId: capture.custom_id ?? null,
    ...money,
    gwPayment: capture.id,
    returnedMinor: capture.status === 'REFUNDED' ? money.amountMinor : 0,
  }
}

/** An order PayPal does not know, or has forgotten. */
export const MISSING: GatewayState = { ...NO_MONEY, state: 'missing' }

/** The state of a refund. */
export function refundStateOf(answer: unknown): RefundState {
  const { id, status } = Refund.parse(answer)
  if (status === 'COMPLETED') return { id, state: 'done' }
  return { id, state: status === 'PENDING' ? 'pending' : 'failed' }
}

/** Charges and refunds of an order. */
export function transactionsOf(order: Order): GatewayTransactions {
  const moved: GatewayTransactions = { taken: [], returned: [] }
  for (const { custom_id: paymentId = null, payments } of order.purchase_units) {
    const captures = payments?.captures ?? []
    for (const { id, status, amount } of captures) {
      if (captureState(status) !== 'paid') continue
      moved.taken.push({ gwPayment: id, paymentId, ...moneyIn(amount) })
    }
    for (const refund of payments?.refunds ?? []) {
      const returned: GatewayRefund = {
        ...refundStateOf(refund),
        key: refundKeyIn(refund.invoice_id),
        gwPayment: captures[0]?.id ?? order.id,
        paymentId,
        ...moneyIn(refund.amount),
      }
      moved.returned.push(returned)
    }
  }
  return moved
}

export const DISPUTES_PATH = '/v1/customer/disputes'

/** Fields of a dispute, in an event or read by its id. */
export const disputeFields = {
  dispute_id: z.optional(z.string()),
  reason: z.optional(z.string()),
  status: z.optional(z.string()),
  dispute_amount: z.optional(z.object({ currency_code: z.string(), value: z.string() })),
  seller_response_due_date: z.optional(z.string()),
  disputed_transactions: z.optional(
    z.array(z.object({ seller_transaction_id: z.optional(z.string()) })),
  ),
}
export const Disputed = z.object(disputeFields)
type Disputed = z.infer<typeof Disputed>

/** A page of disputes; the list contains few details of each. */
export const DisputePage = z.object({
  items: z.optional(z.array(z.object({ dispute_id: z.string() }))),
  links: z.optional(z.array(z.object({ rel: z.string(), href: z.string() }))),
})

/** Path of the next page; null after the last. */
export function nextPage({ links }: z.infer<typeof DisputePage>): string | null {
  const next = links?.find(({ rel }) => rel === 'next')?.href
  return next === undefined ? null : `${DISPUTES_PATH}${new URL(next).search}`
}

/** The disputed capture. */
export function disputedCapture(disputed: Disputed | undefined): string | null {
  return disputed?.disputed_transactions?.[0]?.seller_transaction_id ?? null
}

/** Converts a dispute; null if there is none. */
export function disputeIn(disputed: Disputed | undefined): Dispute | null {
  if (disputed?.dispute_id === undefined) return null
  const { dispute_amount: amount, seller_response_due_date: due } = disputed
  return {
    id: disputed.dispute_id,
    amountMinor: amount === undefined ? 0 : minorOf(amount.value),
    currency: amount?.currency_code ?? '',
    reason: disputed.reason ?? '',
    status: disputed.status ?? '',
    answerBy: due === undefined ? null : Temporal.Instant.from(due).epochMilliseconds,
  }
}
