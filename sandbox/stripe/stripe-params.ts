import * as z from 'zod/mini'
import { stripeFailure } from '#sandbox/failure.ts'

/** What a form body decodes to: strings as leaves, objects and lists in between. */
type Tree = { [name: string]: string | Tree }

const PART = /^([\w.-]+)((?:\[[\w.-]*\])*)$/

function partsOf(name: string): string[] {
  const [, head, rest] = PART.exec(name) ?? []
  if (head === undefined || rest === undefined || name.includes('__proto__')) {
    throw stripeFailure(400, { message: `Invalid parameter name: ${name}`, param: name }, true)
  }
  return [head, ...[...rest.matchAll(/\[([\w.-]*)\]/g)].map((match) => match[1] ?? '')]
}

function setValue(tree: Tree, parts: string[], value: string): void {
  let node = tree
  for (const part of parts.slice(0, -1)) {
    const next = node[part]
    if (typeof next === 'object') {
      node = next
    } else {
      const made: Tree = {}
      node[part] = made
      node = made
    }
  }
  const last = parts.at(-1) ?? ''
  node[last === '' ? String(Object.keys(node).length) : last] = value
}

/** Turns objects with the keys 0, 1, 2 … into lists. */
function toArrays(node: string | Tree): unknown {
  if (typeof node === 'string') return node
  const entries = Object.entries(node)
  if (entries.length > 0 && entries.every(([name], index) => name === String(index))) {
    return entries.map(([, value]) => toArrays(value))
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, toArrays(value)]))
}

/** Decodes `a[b][0][c]=x` as Stripe writes its parameters. */
export function decodeForm(text: string): unknown {
  const tree: Tree = {}
  for (const [name, value] of new URLSearchParams(text)) setValue(tree, partsOf(name), value)
  return toArrays(tree)
}

/** Numbers and booleans travel as text in a form. */
const Int = z.pipe(
  z.string().check(z.regex(/^-?\d{1,15}$/, 'Invalid integer')),
  z.transform(Number),
)
const Flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
)
const Metadata = z
  .record(
    z.string().check(z.maxLength(40, 'Metadata keys must be at most 40 characters')),
    z.string().check(z.maxLength(500, 'Metadata values must be at most 500 characters')),
  )
  .check(z.refine((all) => Object.keys(all).length <= 50, 'Metadata can have at most 50 keys'))
const Expand = z.optional(z.array(z.string()))
const Url = z.url({ protocol: /^https?$/ })

const Created = z.optional(
  z.union([
    Int,
    z.strictObject({
      gt: z.optional(Int),
      gte: z.optional(Int),
      lt: z.optional(Int),
      lte: z.optional(Int),
    }),
  ]),
)
const Page = {
  limit: z.optional(Int.check(z.gte(1), z.lte(100))),
  starting_after: z.optional(z.string()),
  ending_before: z.optional(z.string()),
  expand: Expand,
}

/**
 * POST /v1/checkout/sessions. Parameters this API version no longer has, such as `payment_method_types`, are
 * unknown.
 */
export const SessionCreate = z.strictObject({
  mode: z.enum(['payment']),
  ui_mode: z.enum(['elements', 'embedded_page', 'form', 'hosted_page']),
  allowed_payment_method_types: z.optional(z.array(z.enum(['card']))),
  return_url: z.optional(Url),
  redirect_on_completion: z.optional(z.enum(['always', 'if_required', 'never'])),
  client_reference_id: z.optional(z.string().check(z.maxLength(200))),
  customer_email: z.optional(z.email()),
  expires_at: z.optional(Int),
  locale: z.optional(z.string()),
  submit_type: z.optional(z.enum(['auto', 'book', 'donate', 'pay'])),
  adaptive_pricing: z.optional(z.strictObject({ enabled: Flag })),
  line_items: z
    .array(
      z.strictObject({
        quantity: Int.check(z.gte(1)),
        price_data: z.strictObject({
          currency: z.enum(['gbp', 'usd']),
          unit_amount: Int.check(z.gte(0)),
          product_data: z.strictObject({
            name: z.string().check(z.minLength(1)),
            description: z.optional(z.string()),
            metadata: z.optional(Metadata),
          }),
        }),
      }),
    )
    .check(z.length(1, 'The sandbox sells one thing at a time')),
  metadata: z.optional(Metadata),
  payment_intent_data: z.optional(
    z.strictObject({
      metadata: z.optional(Metadata),
      transfer_group: z.optional(z.string()),
      description: z.optional(z.string()),
    }),
  ),
  expand: Expand,
})
export const OnlyExpand = z.strictObject({ expand: Expand })
export const SessionList = z.strictObject({
  ...Page,
  created: Created,
  payment_intent: z.optional(z.string()),
  status: z.optional(z.enum(['open', 'complete', 'expired'])),
})
export const RefundCreate = z.strictObject({
  payment_intent: z.optional(z.string()),
  charge: z.optional(z.string()),
  amount: z.optional(Int.check(z.gte(1))),
  reason: z.optional(z.enum(['duplicate', 'fraudulent', 'requested_by_customer'])),
  metadata: z.optional(Metadata),
  expand: Expand,
})
/** For refunds and disputes. */
export const RefundList = z.strictObject({
  ...Page,
  created: Created,
  payment_intent: z.optional(z.string()),
  charge: z.optional(z.string()),
})
export const ChargeList = z.strictObject({
  ...Page,
  created: Created,
  payment_intent: z.optional(z.string()),
})
export const EventList = z.strictObject({
  ...Page,
  created: Created,
  type: z.optional(z.string()),
  types: z.optional(z.array(z.string())),
})
export const EndpointCreate = z.strictObject({
  url: Url,
  enabled_events: z.array(z.string()).check(z.minLength(1)),
  api_version: z.optional(z.enum(['2026-10-28.endive'])),
  description: z.optional(z.string()),
  metadata: z.optional(Metadata),
  expand: Expand,
})
type Issue = z.core.$ZodIssue

/** A path as `line_items[0][quantity]`. */
function nameOf(path: PropertyKey[]): string {
  const [first, ...rest] = path.map(String)
  return `${first ?? ''}${rest.map((part) => `[${part}]`).join('')}`
}

function valueAt(given: unknown, path: PropertyKey[]): unknown {
  let value = given
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, part)
  }
  return value
}

function failureOf(issue: Issue, given: unknown) {
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? ''])
    return { code: 'parameter_unknown', message: `Received unknown parameter: ${param}`, param }
  }
  const param = nameOf(issue.path)
  if (valueAt(given, issue.path) === undefined) {
    return { code: 'parameter_missing', message: `Missing required param: ${param}.`, param }
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String).join(', ')
    return { message: `Invalid ${param}: must be one of ${values}`, param }
  }
  const code = issue.message === 'Invalid integer' ? { code: 'parameter_invalid_integer' } : {}
  return { ...code, message: `Invalid ${param}: ${issue.message}`, param }
}

/** Parses parameters, or throws a refusal in Stripe's words that names the first invalid one. */
export function readParams<T>(schema: z.ZodMiniType<T>, given: unknown): T {
  const read = schema.safeParse(given)
  if (read.success) return read.data
  const [issue] = read.error.issues
  if (issue === undefined) throw stripeFailure(400, { message: 'Invalid request.' }, true)
  throw stripeFailure(400, failureOf(issue, given), true)
}
