import type * as z from 'zod/mini'
import { emitStripe, type SandboxContext, seconds, stripeId } from '#sandbox/context.ts'
import { noSuch, stripeFailure } from '#sandbox/failure.ts'
import type { SessionRecord } from '#sandbox/store.ts'
import type { SessionCreate } from './stripe-params.ts'
import { clientSecretOf, sessionObject } from './stripe-session-objects.ts'

const HALF_HOUR = 1_800
const DAY = 86_400

/** Stripe charges nothing smaller: 30 pence, 50 cents. */
const MIN_AMOUNT: Readonly<Record<string, [number, string]>> = {
  gbp: [30, '30 pence'],
  usd: [50, '50 cents'],
}

type SessionInput = z.infer<typeof SessionCreate>

function refuse(message: string, param: string, code?: string): never {
  throw stripeFailure(400, { message, param, ...(code === undefined ? {} : { code }) }, true)
}

function checkExpiry(expiresAt: number, now: number): void {
  if (expiresAt < now + HALF_HOUR) {
    refuse(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    )
  }
  if (expiresAt > now + DAY) {
    refuse(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    )
  }
}

function checkInput(wanted: SessionInput, now: number): void {
  if (wanted.ui_mode !== 'embedded_page') {
    refuse(`The sandbox has no page for ui_mode ${wanted.ui_mode}.`, 'ui_mode')
  }
  if (wanted.return_url === undefined && wanted.redirect_on_completion !== 'never') {
    refuse('Missing required param: return_url.', 'return_url', 'parameter_missing')
  }
  if (wanted.expires_at !== undefined) checkExpiry(wanted.expires_at, now)
  const [line] = wanted.line_items
  const { currency, unit_amount: each } = line?.price_data ?? { currency: 'gbp', unit_amount: 0 }
  const [smallest, words] = MIN_AMOUNT[currency] ?? [0, '']
  if (each * (line?.quantity ?? 0) < smallest) {
    refuse(
      `The Checkout Session's total amount due must add up to at least ${words}.`,
      'line_items',
      'amount_too_small',
    )
  }
}

/** Makes an open session. */
export function createSession(ctx: SandboxContext, input: SessionInput): SessionRecord {
  const created = seconds(ctx)
  checkInput(input, created)
  const [line] = input.line_items
  if (line === undefined) refuse('Missing required param: line_items.', 'line_items')
  const { price_data: price, quantity } = line
  const session: SessionRecord = {
    id: stripeId('cs_test', 58),
    secret: stripeId('fid', 40).replace('_', ''),
    status: 'open',
    amount: price.unit_amount * quantity,
    currency: price.currency,
    product: price.product_data.name,
    quantity,
    reference: input.client_reference_id ?? null,
    email: input.customer_email ?? null,
    metadata: input.metadata ?? {},
    intentMetadata: input.payment_intent_data?.metadata ?? {},
    transferGroup: input.payment_intent_data?.transfer_group ?? null,
    returnUrl: input.return_url ?? null,
    redirect: input.redirect_on_completion ?? 'always',
    hasAdaptivePricing: input.adaptive_pricing?.enabled ?? true,
    created,
    expiresAt: input.expires_at ?? created + DAY,
    intent: null,
    payer: null,
  }
  ctx.store.put('session', session)
  return session
}

/** Ends an open session: it can no longer be paid. */
function end(ctx: SandboxContext, session: SessionRecord): SessionRecord {
  const ended: SessionRecord = { ...session, status: 'expired' }
  ctx.store.put('session', ended)
  const intent = session.intent === null ? undefined : ctx.store.find('intent', session.intent)
  if (intent !== undefined) {
    const canceledAt = seconds(ctx)
    ctx.store.put('intent', { ...intent, status: 'canceled', canceledAt, waiting: null })
  }
  emitStripe(ctx, { type: 'checkout.session.expired', object: sessionObject(ended) })
  return ended
}

/** The session as it is now: a read after its time is up expires it. */
export function readSession(ctx: SandboxContext, id: string): SessionRecord {
  const session = ctx.store.find('session', id)
  if (session === undefined) throw noSuch('checkout.session', id)
  return session.status === 'open' && session.expiresAt <= seconds(ctx)
    ? end(ctx, session)
    : session
}

/** The session of a client secret, which is all that a page has. */
export function sessionOfSecret(ctx: SandboxContext, secret: string): SessionRecord | null {
  const [id = ''] = secret.split('_secret_')
  const session = ctx.store.find('session', id)
  if (session === undefined || clientSecretOf(session) !== secret) return null
  return readSession(ctx, id)
}

/** The `expire` call: only while open. */
export function expireSession(ctx: SandboxContext, id: string): SessionRecord {
  const session = readSession(ctx, id)
  if (session.status === 'open') return end(ctx, session)
  throw stripeFailure(400, {
    message: `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    param: 'session',
  })
}

/** Expires overdue sessions; called periodically. */
export function expireOverdue(ctx: SandboxContext): void {
  for (const id of ctx.store.overdueSessions(seconds(ctx))) readSession(ctx, id)
}
