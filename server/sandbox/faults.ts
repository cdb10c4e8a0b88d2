import * as z from 'zod/mini'

/** What can go wrong with a call: before anything ran, or after, with the answer lost. */
export const CallFault = z.enum([
  'drop_before',
  'drop_after',
  'error_500',
  'error_500_kept',
  'conflict_409',
  'too_many_429',
  'slow',
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
  /** The beginning of the path, such as `/v1/checkout/sessions`, or its end with a `*` before it. */
  path: z.string(),
  method: z.optional(z.enum(['GET', 'POST'])),
  fault: CallFault,
  /** How many more calls it meets. */
  times: z.int().check(z.gte(1), z.lte(1_000)),
})
export type CallRule = z.infer<typeof CallRule>

export const SLOW_MS = 3_000
export const DELAY_MS = 5_000

function meets(rule: CallRule, method: string, path: string): boolean {
  if (rule.method !== undefined && rule.method !== method) return false
  return rule.path.startsWith('*') ? path.endsWith(rule.path.slice(1)) : path.startsWith(rule.path)
}

/** The fault switches. They are of this process: a sandbox that starts again has none set. */
export class Faults {
  calls: CallRule[] = []
  webhooks: WebhookFault = 'none'

  /** The fault of one call, used up by it; null when it goes well. */
  take(method: string, path: string): CallFault | null {
    const rule = this.calls.find((one) => meets(one, method, path))
    if (rule === undefined) return null
    rule.times -= 1
    this.calls = this.calls.filter(({ times }) => times > 0)
    return rule.fault
  }
}
