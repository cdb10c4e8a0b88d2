import {
  closePaypalDispute,
  disputeCapture,
  PAYPAL_REASONS,
  type PaypalReason,
} from '#sandbox/paypal/paypal-disputes.ts'
import { decimalOf } from '#sandbox/paypal/paypal-objects.ts'
import { RefundCreate, readQuery } from '#sandbox/paypal/paypal-params.ts'
import { readCapture, refundCapture } from '#sandbox/paypal/paypal-refunds.ts'
import {
  closeStripeDispute,
  disputeCharge,
  STRIPE_REASONS,
  type StripeReason,
} from '#sandbox/stripe/stripe-disputes.ts'
import { createRefund } from '#sandbox/stripe/stripe-refunds.ts'
import type { SandboxContext } from './context.ts'
import { Failure } from './failure.ts'
import type { ChargeRecord } from './records.ts'

/** `amountMinor`: when left out, all that is left. */
type PartialAmount = { payment: string; amountMinor?: number | undefined }

/** The charge of a Stripe payment intent; null when the id is not Stripe's, and so PayPal's. */
function chargeOf(ctx: SandboxContext, payment: string): ChargeRecord | null {
  const intent = ctx.store.find('intent', payment)
  if (intent === undefined) return null
  const charge = intent.charge === null ? undefined : ctx.store.find('charge', intent.charge)
  if (charge === undefined || charge.failure !== null) refuse(`${payment} has taken no money.`)
  return charge
}

function refuse(message: string): never {
  throw new Failure(422, { error: message })
}

/**
 * A refund made in the gateway's dashboard. `payment`: payment intent or capture; returns the refund's id.
 */
export function refundInDashboard(
  ctx: SandboxContext,
  { payment, amountMinor }: PartialAmount,
): string {
  const charge = chargeOf(ctx, payment)
  if (charge !== null) {
    return createRefund(ctx, {
      charge: charge.id,
      ...(amountMinor === undefined ? {} : { amount: amountMinor }),
    }).id
  }
  const { currency: currency_code } = readCapture(ctx, payment)
  const amount =
    amountMinor === undefined ? {} : { amount: { currency_code, value: decimalOf(amountMinor) } }
  return refundCapture(ctx, payment, readQuery(RefundCreate, amount)).id
}

function isOneOf<T extends string>(known: readonly T[], text: string): text is T {
  return known.some((one) => one === text)
}

/** The payer disputes a payment; returns the dispute's id. `reason` is one of the gateway's own. */
export function openDispute(
  ctx: SandboxContext,
  { payment, amountMinor, reason }: PartialAmount & { reason: StripeReason | PaypalReason },
): string {
  const charge = chargeOf(ctx, payment)
  if (charge !== null && isOneOf(STRIPE_REASONS, reason)) {
    return disputeCharge(ctx, charge, { reason, amountMinor }).id
  }
  if (charge === null && isOneOf(PAYPAL_REASONS, reason)) {
    return disputeCapture(ctx, readCapture(ctx, payment), { reason, amountMinor }).id
  }
  return refuse(`${reason} is no reason at this payment's gateway.`)
}

/** The bank or PayPal decides; `won` means in our favour. */
export function closeDispute(ctx: SandboxContext, id: string, outcome: 'won' | 'lost'): void {
  if (ctx.store.find('dispute', id) === undefined) closePaypalDispute(ctx, id, outcome)
  else closeStripeDispute(ctx, id, outcome)
}
