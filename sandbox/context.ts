import { API_VERSION } from '#sandbox/stripe/stripe-session-objects.ts'
import { isoText } from '#server/kernel/clock.ts'
import { randomText } from '#server/kernel/ids.ts'
import type { Keys } from './signatures.ts'
import type { EventRecord, Store } from './store.ts'

/** What every part of the sandbox works with. */
export type SandboxContext = {
  store: Store
  keys: Keys
  /** Epoch milliseconds, with the shift an operator may have set. */
  now(): number
}

/** Stripe counts in seconds. */
export function seconds(ctx: SandboxContext): number {
  return Math.floor(ctx.now() / 1_000)
}

/** `ch_…` and the like, in the length Stripe uses. */
export function stripeId(prefix: string, length = 24): string {
  return `${prefix}_${randomText(length)}`
}

/** 17 capital letters and digits. */
export function paypalId(): string {
  return randomText(17).toUpperCase()
}

/** The app receives every event; a registered endpoint only the card events it asked for. */
function endpointsFor(ctx: SandboxContext, { protocol, type }: EventRecord): string[] {
  if (protocol === 'paypal') return ['app']
  const others = ctx.store
    .list('endpoint')
    .filter(({ events }) => events.some((one) => one === '*' || one === type))
  return ['app', ...others.map(({ id }) => id)]
}

function recordEvent(ctx: SandboxContext, event: EventRecord): void {
  ctx.store.put('event', event)
  for (const endpoint of endpointsFor(ctx, event)) {
    const id = `${event.id}-${endpoint}`
    const due = { tries: 0, nextAt: ctx.now(), status: null }
    ctx.store.put('delivery', { id, event: event.id, endpoint, ...due })
  }
}

type EventInput = { type: string; object: { id: string } }
/** The id of a dispute is called `dispute_id`. */
type WalletEventInput = { type: string; object: { id: string } | { dispute_id: string } }

/** Stores a card event and queues its deliveries, inside the transaction that caused it. */
export function emitStripe(ctx: SandboxContext, { type, object }: EventInput): void {
  const id = stripeId('evt')
  const created = seconds(ctx)
  const body = {
    id,
    object: 'event',
    api_version: API_VERSION,
    created,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
  const record = { id, type, object: object.id, body: JSON.stringify(body), created: ctx.now() }
  recordEvent(ctx, { ...record, protocol: 'stripe' })
}

const RESOURCES: Readonly<Record<string, string>> = {
  CHECKOUT: 'checkout-order',
  PAYMENT: 'capture',
  CUSTOMER: 'dispute',
}

/** The same for a wallet event. */
export function emitPaypal(ctx: SandboxContext, { type, object }: WalletEventInput): void {
  const id = `WH-${paypalId()}-${paypalId()}`
  const kind = type === 'PAYMENT.CAPTURE.REFUNDED' ? 'refund' : RESOURCES[type.split('.')[0] ?? '']
  const body = {
    id,
    event_version: '1.0',
    create_time: isoText(ctx.now()),
    resource_type: kind,
    // Disputes belong to an older API.
    ...(kind === 'dispute' ? {} : { resource_version: '2.0' }),
    event_type: type,
    summary: `${type.toLowerCase().replaceAll('.', ' ')} (sandbox)`,
    resource: object,
    links: [],
  }
  const about = 'id' in object ? object.id : object.dispute_id
  const record = { id, type, object: about, body: JSON.stringify(body), created: ctx.now() }
  recordEvent(ctx, { ...record, protocol: 'paypal' })
}
