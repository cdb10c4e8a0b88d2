import * as z from 'zod/mini'
import { randomText } from '#server/kernel/ids.ts'
import { execute } from './calls.ts'
import type { SandboxContext } from './context.ts'
import { Failure } from './failure.ts'
import { CallRule, WebhookFault } from './faults.ts'
import { decimalOf } from './paypal/paypal-objects.ts'
import { decideCapture, forgetOrder } from './paypal/paypal-orders.ts'
import { RefundCreate, readQuery } from './paypal/paypal-params.ts'
import {
  closePaypalDispute,
  disputeCapture,
  PAYPAL_REASONS,
  type PaypalReason,
  readCapture,
  refundCapture,
} from './paypal/paypal-refunds-disputes.ts'
import type { Sandbox } from './sandbox.ts'
import type { ChargeRecord } from './store.ts'
import {
  closeStripeDispute,
  createRefund,
  disputeCharge,
  STRIPE_REASONS,
  type StripeReason,
} from './stripe/stripe-refunds-disputes.ts'
import { expireSession } from './stripe/stripe-sessions.ts'

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
function refundInDashboard(ctx: SandboxContext, { payment, amountMinor }: PartialAmount): string {
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
function openDispute(
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
function closeDispute(ctx: SandboxContext, id: string, outcome: 'won' | 'lost'): void {
  if (ctx.store.find('dispute', id) === undefined) closePaypalDispute(ctx, id, outcome)
  else closeStripeDispute(ctx, id, outcome)
}

/** Minor units; when left out, all that is left. */
const AmountMinor = z.optional(z.int().check(z.gte(1)))

/** Commands that an operator or a test can give the sandbox. `payment`: Stripe payment intent or PayPal capture. */
export const Command = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('fail_calls'), rules: z.array(CallRule) }),
  z.strictObject({ do: z.literal('fail_webhooks'), fault: WebhookFault }),
  z.strictObject({ do: z.literal('release_webhooks'), order: z.enum(['fifo', 'lifo']) }),
  z.strictObject({ do: z.literal('resend'), event: z.string() }),
  z.strictObject({ do: z.literal('expire'), session: z.string() }),
  z.strictObject({
    do: z.literal('decide'),
    capture: z.string(),
    decision: z.enum(['COMPLETED', 'DECLINED']),
  }),
  /** Milliseconds ahead of the real clock; 0 resets it. */
  z.strictObject({ do: z.literal('shift_clock'), ms: z.int() }),
  /** Executes, in order, the calls whose fault was `late`. */
  z.strictObject({ do: z.literal('execute_late') }),
  /** Makes a gateway unreachable until it is set to be back. */
  z.strictObject({
    do: z.literal('away'),
    gateway: z.enum(['stripe', 'paypal']),
    away: z.boolean(),
  }),
  /** GET of a PayPal order answers 404 from now on; its money may still move. */
  z.strictObject({ do: z.literal('forget'), object: z.string() }),
  z.strictObject({
    do: z.literal('refund_by_hand'),
    payment: z.string(),
    amountMinor: AmountMinor,
  }),
  z.strictObject({
    do: z.literal('dispute'),
    payment: z.string(),
    reason: z.enum([...STRIPE_REASONS, ...PAYPAL_REASONS]),
    amountMinor: AmountMinor,
  }),
  z.strictObject({
    do: z.literal('close_dispute'),
    dispute: z.string(),
    outcome: z.enum(['won', 'lost']),
  }),
])
export type Command = z.infer<typeof Command>

function resendEvent({ ctx }: Sandbox, id: string): void {
  const event = ctx.store.find('event', id)
  if (event === undefined) return
  const again = `${id}-again-${randomText(8)}`
  ctx.store.put('delivery', {
    id: again,
    event: id,
    endpoint: 'app',
    tries: 0,
    nextAt: ctx.now(),
    status: null,
  })
}

function decide({ ctx }: Sandbox, id: string, decision: 'COMPLETED' | 'DECLINED'): void {
  const capture = ctx.store.find('capture', id)
  if (capture !== undefined) ctx.store.atomically(() => decideCapture(ctx, capture, decision))
}

/** Executes commands that need no waiting; returns the id of what was created. */
function applyCommand(sandbox: Sandbox, command: Command): string | null {
  const { ctx, faults } = sandbox
  switch (command.do) {
    case 'fail_calls':
      faults.calls = command.rules.map((rule) => ({ ...rule }))
      break
    case 'fail_webhooks':
      faults.webhooks = command.fault
      break
    case 'release_webhooks':
      break
    case 'resend':
      resendEvent(sandbox, command.event)
      break
    case 'expire':
      ctx.store.atomically(() => expireSession(ctx, command.session))
      break
    case 'decide':
      decide(sandbox, command.capture, command.decision)
      break
    case 'shift_clock':
      sandbox.shiftClock(command.ms)
      sandbox.tick()
      break
    case 'execute_late':
      for (const asked of faults.late.splice(0)) execute(sandbox, asked)
      break
    case 'away':
      if (command.away) faults.away.add(command.gateway)
      else faults.away.delete(command.gateway)
      break
    case 'forget':
      ctx.store.atomically(() => forgetOrder(ctx, command.object))
      break
    case 'refund_by_hand':
      return ctx.store.atomically(() => refundInDashboard(ctx, command))
    case 'dispute':
      return ctx.store.atomically(() => openDispute(ctx, command))
    case 'close_dispute':
      ctx.store.atomically(() => closeDispute(ctx, command.dispute, command.outcome))
      break
  }
  return null
}

/**
 * Executes a command; returns the id of the refund or dispute it created. Refusals of the protocols (such as
 * expiring a session that has ended) are thrown as `Failure`.
 */
export async function runCommand(sandbox: Sandbox, command: Command): Promise<string | null> {
  const { deliveries } = sandbox
  const made = applyCommand(sandbox, command)
  if (command.do === 'release_webhooks') await deliveries.release(command.order)
  else if (command.do !== 'fail_calls') void deliveries.run()
  return made
}
