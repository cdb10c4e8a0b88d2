import { emitStripe, type SandboxContext, seconds, stripeId } from '#sandbox/context.ts'
import { noSuch, stripeFailure } from '#sandbox/failure.ts'
import type { ChargeRecord, DisputeRecord } from '#sandbox/records.ts'
import { disputeObject } from './stripe-charge-objects.ts'

export const STRIPE_REASONS = [
  'credit_not_processed',
  'duplicate',
  'fraudulent',
  'general',
  'product_not_received',
  'product_unacceptable',
  'subscription_canceled',
  'unrecognized',
] as const
export type StripeReason = (typeof STRIPE_REASONS)[number]

/** Whether the money was returned, or is held, because the cardholder disputes the charge. */
export function isChargedBack(ctx: SandboxContext, { id }: ChargeRecord): boolean {
  return ctx.store.list('dispute').some(({ charge, status }) => charge === id && status !== 'won')
}

/** The cardholder disputes a charge at their bank: all that is left of it, or less. */
export function disputeCharge(
  ctx: SandboxContext,
  charge: ChargeRecord,
  input: { reason: StripeReason; amountMinor?: number | undefined },
): DisputeRecord {
  const left = charge.amount - charge.refunded
  const amount = input.amountMinor ?? left
  if (isChargedBack(ctx, charge) || amount < 1 || amount > left) {
    throw stripeFailure(400, { message: `Charge ${charge.id} has no ${amount} left to dispute.` })
  }
  const dispute: DisputeRecord = {
    id: stripeId('du'),
    charge: charge.id,
    intent: charge.intent,
    amount,
    currency: charge.currency,
    created: seconds(ctx),
    reason: input.reason,
    status: 'needs_response',
  }
  ctx.store.put('dispute', dispute)
  ctx.store.put('charge', { ...charge, isDisputed: true })
  emitStripe(ctx, { type: 'charge.dispute.created', object: disputeObject(dispute) })
  return dispute
}

export function readDispute(ctx: SandboxContext, id: string): DisputeRecord {
  const dispute = ctx.store.find('dispute', id)
  if (dispute === undefined) throw noSuch('dispute', id)
  return dispute
}

/** The bank decides; `charge.disputed` stays true either way. */
export function closeStripeDispute(ctx: SandboxContext, id: string, status: 'won' | 'lost'): void {
  const dispute = readDispute(ctx, id)
  if (dispute.status !== 'needs_response') {
    throw stripeFailure(400, { message: `Dispute ${id} is already closed.` })
  }
  const closed: DisputeRecord = { ...dispute, status }
  ctx.store.put('dispute', closed)
  emitStripe(ctx, { type: 'charge.dispute.closed', object: disputeObject(closed) })
}
