import { REFUNDS_NOT_LISTED } from '#contract/payments-review.ts'
import { type Context, type Services, systemContext } from '#server/context.ts'
import type { RefundOrder, RefundState } from '#server/gateways/payment-gateways.ts'
import { isSeededPayment } from '#server/kernel/demo-mode.ts'
import { GatewayRefusal, UpstreamError } from '#server/kernel/errors.ts'
import { perGateway, processRows, type Run } from '#server/payments/paying/per-gateway.ts'
import { refundWait } from '#server/payments/rules.ts'
import { type GatewayName, type Payment, setState } from '#server/payments/store.ts'
import { adoptRefunds } from './adopt-refunds.ts'
import { isRefundOf } from './refund-rules.ts'
import {
  type DueRefund,
  findDueRefund,
  listDoneRefunds,
  listDueRefunds,
  setRefund,
} from './refund-store.ts'

const BATCH = 50

/** PayPal keeps the key of a refund for 45 days. */
const KEY_LIFETIME_MS = 44 * 24 * 60 * 60_000

/** Interval for checking a refund that the bank is still processing. */
const PENDING_WAIT_MS = 10 * 60_000

/** Result of a refund, with the gateway's reason if it was rejected. */
type Outcome = { id: string | null; state: RefundState['state']; failure?: string }

async function sendOrRead(ctx: Context, refund: DueRefund): Promise<Outcome> {
  const gateway = ctx.gateways[refund.gateway]
  // The demo's seeded payments exist at no gateway: there is nothing to refund.
  if (isSeededPayment(ctx.config, refund)) return { id: null, state: 'done' }
  if (refund.gw_refund !== null) return gateway.readRefund(refund.gw_refund)
  // The list is read first: a refund whose response was lost is not sent again, even if its key has expired.
  const returned = await adoptRefunds(ctx, refund)
  const existing = returned?.find((money) => isRefundOf(refund, money))
  if (existing !== undefined) return existing
  const current = await findDueRefund(ctx.database.db, refund.id)
  if (current === undefined) return { id: null, state: 'pending' }
  if (current.gw_refund !== null) return gateway.readRefund(current.gw_refund)
  const order = {
    paymentId: refund.payment_id,
    key: refund.key,
    keyRound: refund.key_round,
    gwPayment: refund.gw_payment ?? '',
    amountMinor: current.amount_minor,
    currency: refund.currency,
  }
  return returned === null ? sendUnlisted(ctx, refund, order) : gateway.refund(order)
}

/**
 * Refunds a payment whose refunds the gateway no longer lists. Only the idempotency key prevents a second
 * refund, for as long as the gateway keeps it; and a refusal proves nothing, as an earlier try may have
 * been executed although its response was lost.
 */
async function sendUnlisted(ctx: Context, refund: DueRefund, order: RefundOrder): Promise<Outcome> {
  if (ctx.now() - refund.created_at > KEY_LIFETIME_MS) {
    throw new GatewayRefusal(REFUNDS_NOT_LISTED, { cause: null })
  }
  try {
    return await ctx.gateways[refund.gateway].refund(order)
  } catch (error) {
    if (!(error instanceof GatewayRefusal) || error.isKept) throw error
    throw new GatewayRefusal(REFUNDS_NOT_LISTED, { cause: error })
  }
}

async function recordOutcome(ctx: Context, refund: DueRefund, truth: Outcome): Promise<void> {
  const now = ctx.now()
  await ctx.transaction(async (tx) => {
    const moved = await setRefund(tx.db, refund, {
      state: truth.state,
      gw_refund: truth.id ?? refund.gw_refund,
      failure: truth.failure ?? null,
      tries: refund.tries + 1,
      next_try_at: now + PENDING_WAIT_MS,
      now,
    })
    if (!moved || truth.state === 'pending') return
    const actor = { kind: 'system', id: null } as const
    const entity = refund.payment_id
    if (truth.state === 'failed') {
      // A refund can fail permanently, for example when the card was closed: someone has to pay by hand.
      await tx.audit.add({ action: 'payment.refund_failed', outcome: 'failed', entity, actor })
      await tx.outbox.add('payment.alert', { paymentId: entity, what: 'refund_failed' })
      return
    }
    if (refund.payment_state === 'refund_due') {
      await setState(tx.db, refund.payment_no, { state: 'refunded', now })
    }
    await tx.audit.add({
      action: 'payment.refunded',
      entity,
      actor,
      details: { amount: refund.amount_minor, currency: refund.currency, reason: refund.reason },
    })
    await tx.outbox.add('payment.refunded', { refundId: refund.id })
  })
}

async function postpone(ctx: Context, refund: DueRefund, error: unknown): Promise<void> {
  const { state, gw_refund, tries } = refund
  // A failure stored under the key is replayed for a day, so the next try uses another key, after reading the
  // list.
  const isKept = error instanceof GatewayRefusal && error.isKept
  const now = ctx.now()
  await setRefund(ctx.database.db, refund, {
    state,
    gw_refund,
    tries: tries + 1,
    key_round: refund.key_round + Number(isKept),
    next_try_at: now + refundWait(tries),
    now,
  })
}

/**
 * Rechecks completed refunds: a bank may return the money to us days later, and then someone has to pay by
 * hand. Throws `UpstreamError` if the gateway is unreachable.
 */
export async function recheckRefunds(ctx: Context, payment: Pick<Payment, 'no'>): Promise<void> {
  for (const refund of await listDoneRefunds(ctx.database.db, payment.no)) {
    const outcome = await sendOrRead(ctx, refund)
    if (outcome.state === 'failed') await recordOutcome(ctx, refund, outcome)
  }
}

async function tryOnce(ctx: Context, refund: DueRefund): Promise<void> {
  try {
    await recordOutcome(ctx, refund, await sendOrRead(ctx, refund))
  } catch (error) {
    if (error instanceof GatewayRefusal && !error.isKept) {
      await recordOutcome(ctx, refund, { id: null, state: 'failed', failure: error.reason })
      return
    }
    // No error may block the other refunds.
    await postpone(ctx, refund, error)
    const isTheirs = error instanceof UpstreamError || error instanceof GatewayRefusal
    const level = isTheirs ? 'warn' : 'error'
    ctx.log[level]({ err: error, refund: refund.id }, 'a refund will be tried again')
  }
}

async function runRefundsAt(
  services: Services,
  gateway: GatewayName,
  signal: AbortSignal,
): Promise<void> {
  const ctx = systemContext(services, 'refunds')
  const due = { gateway, now: services.now(), limit: BATCH }
  const refunds = await listDueRefunds(services.database.db, due)
  await processRows(refunds, { signal }, (refund) => tryOnce(ctx, refund))
}

/** Sends due refunds, once each, and retries until the gateway has responded. */
export async function runRefunds(services: Services, run: Run = {}): Promise<void> {
  await perGateway(run, (gateway, signal) => runRefundsAt(services, gateway, signal))
}

/** Sends one refund now, for a caller who waits; if it fails, the job retries it. */
export async function sendRefund(services: Services, id: string): Promise<void> {
  const refund = await findDueRefund(services.database.db, id)
  if (refund !== undefined) await tryOnce(systemContext(services, 'refunds'), refund)
}
