import * as z from 'zod/mini'
import type { Dispute } from './payment-gateways.ts'
import { minorOf } from './paypal-orders.ts'

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
