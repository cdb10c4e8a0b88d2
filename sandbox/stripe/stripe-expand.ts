import type { SandboxContext } from '#sandbox/context.ts'
import { stripeFailure } from '#sandbox/failure.ts'
import type { Kind, Records } from '#sandbox/store.ts'
import { chargeObject, intentObject } from './stripe-charge-objects.ts'
import { lineItemObject } from './stripe-session-objects.ts'

/** An object of the card protocol as it is sent. */
export type StripeObject = { [name: string]: unknown }

type Expansion = (ctx: SandboxContext, from: StripeObject) => StripeObject | null

/** The object whose id is in `field`; null where there is none. */
function byId<K extends Kind>(
  field: string,
  kind: K,
  draw: (record: Records[K]) => StripeObject,
): Expansion {
  return (ctx, from) => {
    const record = ctx.store.find(kind, String(from[field]))
    return record === undefined ? null : draw(record)
  }
}

function lineItems(ctx: SandboxContext, { id }: StripeObject): StripeObject | null {
  const session = ctx.store.find('session', String(id))
  if (session === undefined) return null
  const url = `/v1/checkout/sessions/${session.id}/line_items`
  return { object: 'list', data: [lineItemObject(session)], has_more: false, url }
}

const charge = byId('charge', 'charge', chargeObject)
const intent = byId('payment_intent', 'intent', intentObject)

/** What can be expanded, by the kind of object and its field. */
const EXPANSIONS: Readonly<Record<string, Readonly<Record<string, Expansion>>>> = {
  'checkout.session': { line_items: lineItems, payment_intent: intent },
  payment_intent: { latest_charge: byId('latest_charge', 'charge', chargeObject) },
  charge: { payment_intent: intent },
  refund: { charge, payment_intent: intent },
  dispute: { charge, payment_intent: intent },
}

function refuse(name: string): never {
  const message = `This property cannot be expanded (${name}).`
  throw stripeFailure(400, { message, param: 'expand' }, true)
}

function isObject(value: unknown): value is StripeObject {
  return typeof value === 'object' && value !== null
}

function expandOne(ctx: SandboxContext, object: StripeObject, path: string): StripeObject {
  const [name = '', ...rest] = path.split('.')
  const deeper = rest.join('.')
  if (object['object'] === 'list') {
    const members = object['data']
    if (name !== 'data' || deeper === '' || !Array.isArray(members)) refuse(path)
    return {
      ...object,
      data: members.map((one: unknown) => (isObject(one) ? expandOne(ctx, one, deeper) : one)),
    }
  }
  const expansion = EXPANSIONS[String(object['object'])]?.[name]
  if (expansion === undefined) refuse(path)
  // Two paths may share a prefix, as `payment_intent` and `payment_intent.latest_charge` do.
  const known = object[name]
  const whole = isObject(known) ? known : expansion(ctx, object)
  return {
    ...object,
    [name]: whole === null || deeper === '' ? whole : expandOne(ctx, whole, deeper),
  }
}

/** Puts whole objects where `paths` ask for them, such as `payment_intent.latest_charge`. */
export function expanded(
  ctx: SandboxContext,
  object: StripeObject,
  paths: string[] = [],
): StripeObject {
  return paths.reduce((all, path) => expandOne(ctx, all, path), object)
}
