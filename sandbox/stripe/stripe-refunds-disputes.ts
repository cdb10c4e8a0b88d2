import type * as z from 'zod/mini'
import { emitStripe, type SandboxContext, seconds, stripeId } from '#sandbox/context.ts'
import { noSuch, stripeFailure } from '#sandbox/failure.ts'
import type { ChargeRecord, DisputeRecord, RefundRecord } from '#sandbox/store.ts'
import { chargeObject, disputeObject, refundObject } from './stripe-charge-objects.ts'
import type { RefundCreate } from './stripe-params.ts'

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
function isChargedBack(ctx: SandboxContext, { id }: ChargeRecord): boolean {
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

/** Delay in seconds before a refund fails, on the card whose refunds do. */
const FAILS_AFTER_SECONDS = 5

type RefundInput = z.infer<typeof RefundCreate>

function chargeOf(ctx: SandboxContext, wanted: RefundInput): ChargeRecord {
  if (wanted.charge !== undefined) {
    const charge = ctx.store.find('charge', wanted.charge)
    if (charge === undefined) throw noSuch('charge', wanted.charge)
    return charge
  }
  const { payment_intent: id } = wanted
  if (id === undefined) {
    throw stripeFailure(
      400,
      {
        message:
          'One of the following params should be provided for this request: payment_intent or charge.',
      },
      true,
    )
  }
  const intent = ctx.store.find('intent', id)
  if (intent === undefined) throw noSuch('payment_intent', id)
  const charge = intent.charge === null ? undefined : ctx.store.find('charge', intent.charge)
  if (charge === undefined || charge.failure !== null) {
    throw stripeFailure(400, {
      message: `This PaymentIntent (${id}) does not have a successful charge to refund.`,
      param: 'payment_intent',
    })
  }
  return charge
}

/** Refunds, never more than was charged. */
export function createRefund(ctx: SandboxContext, input: RefundInput): RefundRecord {
  const charge = chargeOf(ctx, input)
  if (isChargedBack(ctx, charge)) {
    throw stripeFailure(400, {
      code: 'charge_disputed',
      message: `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    })
  }
  const left = charge.amount - charge.refunded
  if (left === 0) {
    throw stripeFailure(400, {
      code: 'charge_already_refunded',
      message: `Charge ${charge.id} has already been refunded.`,
    })
  }
  const amount = input.amount ?? left
  if (amount > left) {
    throw stripeFailure(400, {
      message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      param: 'amount',
    })
  }
  const refund: RefundRecord = {
    id: stripeId('re'),
    charge: charge.id,
    intent: charge.intent,
    amount,
    currency: charge.currency,
    reason: input.reason ?? null,
    metadata: input.metadata ?? {},
    status: 'succeeded',
    created: seconds(ctx),
    failsAt: charge.failsRefunds ? seconds(ctx) + FAILS_AFTER_SECONDS : null,
  }
  const after = { ...charge, refunded: charge.refunded + amount }
  ctx.store.put('refund', refund)
  ctx.store.put('charge', after)
  emitStripe(ctx, { type: 'refund.created', object: refundObject(refund) })
  emitStripe(ctx, { type: 'charge.refunded', object: chargeObject(after) })
  emitStripe(ctx, { type: 'refund.updated', object: refundObject(refund) })
  return refund
}

/** Fails due refunds that had succeeded at first: the money is back with the platform. */
export function failDueRefunds(ctx: SandboxContext): void {
  for (const refund of ctx.store.list('refund', 1_000)) {
    if (refund.failsAt === null || refund.failsAt > seconds(ctx)) continue
    const failed: RefundRecord = { ...refund, status: 'failed', failsAt: null }
    ctx.store.put('refund', failed)
    const charge = ctx.store.find('charge', refund.charge)
    if (charge !== undefined) {
      ctx.store.put('charge', { ...charge, refunded: charge.refunded - refund.amount })
    }
    emitStripe(ctx, { type: 'refund.failed', object: refundObject(failed) })
    emitStripe(ctx, { type: 'refund.updated', object: refundObject(failed) })
  }
}
