import * as z from 'zod/mini'
import type { SandboxRequest } from './http-messages.ts'
import type { Protocol } from './store.ts'

/** What can go wrong with a call. */
export const CallFault = z.enum([
  /** The connection breaks and nothing is done. */
  'drop_before',
  /** The connection breaks after the call was executed. */
  'drop_after',
  /** The connection breaks now; the call is executed at the next `execute_late`. */
  'late',
  /** No response: the connection stays open until the caller gives up or the sandbox stops. */
  'hang',
  'slow',
  'error_500',
  /** Not executed, and Stripe stores the 500 under the idempotency key. */
  'error_500_kept',
  /** Executed, and Stripe stores the 500 all the same. PayPal returns the real result on a retry. */
  'error_500_kept_done',
  'conflict_409',
  /** With `Retry-After`. */
  'too_many_429',
  /** Reports the object as missing, though it exists. */
  'not_found_404',
  /** A final refusal in the protocol's own words. */
  'refused',
  /** Executed; an order is returned without `purchase_units[].payments`. */
  'without_payments',
])
export type CallFault = z.infer<typeof CallFault>

/** What can go wrong with a webhook on its way. */
export const WebhookFault = z.enum([
  'none',
  'duplicate',
  'delay',
  'hold',
  'never',
  'bad_signature',
  'old_timestamp',
])
export type WebhookFault = z.infer<typeof WebhookFault>

export const CallRule = z.strictObject({
  /** Start of the path, such as `/v1/checkout/sessions`, or its end after a `*`. */
  path: z.string(),
  method: z.optional(z.enum(['GET', 'POST'])),
  fault: CallFault,
  /** How many more calls it affects. */
  times: z.int().check(z.gte(1), z.lte(1_000)),
})
export type CallRule = z.infer<typeof CallRule>

export const SLOW_MS = 3_000
export const DELAY_MS = 5_000

function matchesRule(rule: CallRule, method: string, path: string): boolean {
  if (rule.method !== undefined && rule.method !== method) return false
  return rule.path.startsWith('*') ? path.endsWith(rule.path.slice(1)) : path.startsWith(rule.path)
}

/** The fault switches. They are kept in memory: a restarted sandbox has none set. */
export class Faults {
  calls: CallRule[] = []
  webhooks: WebhookFault = 'none'
  /** Gateways that are unreachable; the pages of their buyers keep working. */
  readonly away = new Set<Protocol>()
  /** Delayed calls, executed at the next `execute_late`. */
  late: SandboxRequest[] = []

  /** The fault for one call, which uses it up; null when there is none. */
  take(method: string, path: string): CallFault | null {
    const rule = this.calls.find((one) => matchesRule(one, method, path))
    if (rule === undefined) return null
    rule.times -= 1
    this.calls = this.calls.filter(({ times }) => times > 0)
    return rule.fault
  }
}
