import * as z from 'zod/mini'
import { paypalFailure } from '#sandbox/failure.ts'

const Amount = z.strictObject({
  currency_code: z.enum(['GBP', 'USD']),
  // Both have two decimals; a number, or `50` or `50.0`, is refused.
  value: z.string().check(z.regex(/^(0|[1-9]\d{0,6})\.\d{2}$/)),
})
const Text127 = z.string().check(z.minLength(1), z.maxLength(127))
const Url = z.url({ protocol: /^https?$/ })

/** POST /v2/checkout/orders, limited to one item sold through PayPal's own wallet. */
export const OrderCreate = z.strictObject({
  intent: z.enum(['CAPTURE']),
  purchase_units: z
    .array(
      z.strictObject({
        reference_id: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
        custom_id: z.optional(Text127),
        invoice_id: z.optional(Text127),
        description: z.optional(Text127),
        soft_descriptor: z.optional(z.string().check(z.maxLength(22))),
        amount: Amount,
      }),
    )
    .check(z.length(1)),
  payment_source: z.optional(
    z.strictObject({
      paypal: z.strictObject({
        experience_context: z.optional(
          z.strictObject({
            brand_name: z.optional(Text127),
            locale: z.optional(z.string()),
            landing_page: z.optional(
              z.enum(['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE', 'BILLING']),
            ),
            shipping_preference: z.optional(
              z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']),
            ),
            user_action: z.optional(z.enum(['CONTINUE', 'PAY_NOW'])),
            payment_method_preference: z.optional(
              z.enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED']),
            ),
            return_url: z.optional(Url),
            cancel_url: z.optional(Url),
          }),
        ),
      }),
    }),
  ),
})
export const EmptyBody = z.strictObject({})
export const RefundCreate = z.strictObject({
  amount: z.optional(Amount),
  custom_id: z.optional(Text127),
  invoice_id: z.optional(Text127),
  note_to_payer: z.optional(z.string().check(z.maxLength(255))),
})

export const DisputeList = z.strictObject({
  disputed_transaction_id: z.optional(z.string()),
  update_time_after: z.optional(z.iso.datetime({ offset: true })),
  page_size: z.optional(z.string().check(z.regex(/^(?:[1-9]|[1-4]\d|50)$/))),
})

function issueOf(issue: z.core.$ZodIssue, isAbsent: boolean): string {
  if (isAbsent) return 'MISSING_REQUIRED_PARAMETER'
  if (issue.code === 'unrecognized_keys') return 'UNKNOWN_PARAMETER'
  if (issue.code === 'invalid_type') return 'INVALID_PARAMETER_SYNTAX'
  if (issue.code === 'too_small' || issue.code === 'too_big') return 'INVALID_STRING_LENGTH'
  return 'INVALID_PARAMETER_VALUE'
}

function isMissing(given: unknown, path: PropertyKey[]): boolean {
  let value = given
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return true
    value = Reflect.get(value, part)
  }
  return value === undefined
}

/** Parses a JSON body, or throws PayPal's 400, which names every invalid field. */
export function readJson<T>(schema: z.ZodMiniType<T>, body: string): T {
  let given: unknown
  try {
    given = body === '' ? {} : JSON.parse(body)
  } catch {
    throw paypalFailure(400, [{ issue: 'MALFORMED_REQUEST_JSON' }], true)
  }
  return readQuery(schema, given)
}

/** Parses parameters likewise. */
export function readQuery<T>(schema: z.ZodMiniType<T>, given: unknown): T {
  const read = schema.safeParse(given)
  if (read.success) return read.data
  const details = read.error.issues.map((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
    const field = `/${[...issue.path, ...keys].map(String).join('/')}`
    return {
      issue: issueOf(issue, isMissing(given, issue.path)),
      field,
      description: issue.message,
    }
  })
  throw paypalFailure(400, details, true)
}
