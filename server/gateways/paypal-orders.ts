import * as z from 'zod/mini'
import type { GatewayBooks, GatewayTruth, PaymentOrder, RefundTruth } from './payment-gateways.ts'

const Amount = z.object({ currency_code: z.string(), value: z.string() })
const Capture = z.object({ id: z.string(), status: z.string(), amount: z.optional(Amount) })
const Returned = z.object({
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
      refunds: z.optional(z.array(Returned)),
    }),
  ),
})
/** An order as far as it is read. */
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

/** `50.00` as 5000; whatever is not such a number is nonsense and throws. */
function minorOf(value: string): number {
  const parts = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(value)
  if (parts?.[1] === undefined) throw new Error('an amount that is no amount')
  return Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0'))
}

/** What PayPal is told of a payment, as JSON; no word of what the visit is about. */
export function orderBody(order: PaymentOrder, publicUrl: string): string {
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
          return_url: `${publicUrl}/return`,
          cancel_url: `${publicUrl}/home`,
        },
      },
    },
  })
}

/** A completed order is not a paid one: only its capture says where the money is. */
function captureState(status: string | undefined): GatewayTruth['state'] | null {
  if (status === undefined) return null
  if (status === 'PENDING') return 'pending'
  return status === 'DECLINED' || status === 'FAILED' ? 'declined' : 'paid'
}

function stateOf(order: Order, capture: string | undefined): GatewayTruth['state'] {
  const moved = captureState(capture)
  if (moved !== null) return moved
  if (order.status === 'APPROVED') return 'approved'
  if (order.status === 'VOIDED') return 'closed'
  if (['CREATED', 'SAVED', 'PAYER_ACTION_REQUIRED'].includes(order.status)) return 'open'
  throw new Error(`order status ${order.status} without a capture`)
}

/** What an order says of the money. Throws when it says nothing that can be. */
export function truthOf(order: Order): GatewayTruth {
  const [unit] = order.purchase_units
  const capture = unit?.payments?.captures?.[0]
  const amount = capture?.amount ?? unit?.amount
  return {
    state: stateOf(order, capture?.status),
    paymentId: unit?.custom_id ?? null,
    amountMinor: amount === undefined ? 0 : minorOf(amount.value),
    currency: amount?.currency_code ?? '',
    gwPayment: capture?.id ?? null,
    email: order.payer?.email_address ?? null,
  }
}

/** An order PayPal has forgotten can be paid by nobody any more. */
export const FORGOTTEN: GatewayTruth = {
  state: 'closed',
  paymentId: null,
  amountMinor: 0,
  currency: '',
  gwPayment: null,
  email: null,
}

/** How a refund stands. */
export function refundTruth(answer: unknown): RefundTruth {
  const { id, status } = Refund.parse(answer)
  if (status === 'COMPLETED') return { id, state: 'done' }
  return { id, state: status === 'PENDING' ? 'pending' : 'failed' }
}

/** The refund of an order that was asked for under a name, as `invoice_id` keeps it. */
export function findReturned(order: Order, name: string): RefundTruth | undefined {
  const returned = order.purchase_units.flatMap(({ payments }) => payments?.refunds ?? [])
  const found = returned.find(({ invoice_id: invoice }) => invoice === name)
  return found === undefined ? undefined : refundTruth(found)
}

/** The money of an order, in and out. */
export function booksOf(order: Order): GatewayBooks {
  const books: GatewayBooks = { taken: [], returned: [] }
  for (const { custom_id: paymentId = null, payments } of order.purchase_units) {
    const captures = payments?.captures ?? []
    const moneyOf = (amount: z.infer<typeof Amount> | undefined) => ({
      gwPayment: captures[0]?.id ?? order.id,
      paymentId,
      amountMinor: amount === undefined ? 0 : minorOf(amount.value),
      currency: amount?.currency_code ?? '',
    })
    for (const { id, status, amount } of captures) {
      if (captureState(status) === 'paid') books.taken.push({ ...moneyOf(amount), gwPayment: id })
    }
    for (const refund of payments?.refunds ?? []) {
      const isFailed = refundTruth(refund).state === 'failed'
      books.returned.push({ ...moneyOf(refund.amount), id: refund.id, isFailed })
    }
  }
  return books
}
