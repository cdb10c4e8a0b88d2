import * as z from 'zod/mini'
import type { Dispute, ListedDispute } from './payment-gateways.ts'

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
