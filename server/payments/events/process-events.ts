import type { GatewayEventRow } from '#db/tables/payments.ts'
import { type Context, type Services, systemContext } from '#server/context.ts'
import type { Dispute } from '#server/gateways/payment-gateways.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { settleOrResume } from '#server/payments/paying/capture.ts'
import { perGateway, processRows, type Run } from '#server/payments/paying/per-gateway.ts'
import { settle } from '#server/payments/paying/settle.ts'
import {
  disputeDifference,
  notifyStaff,
  recordDifference,
} from '#server/payments/reconciliation/differences.ts'
import { recheckRefunds } from '#server/payments/refunds/run-refunds.ts'
import { eventWait, MAX_EVENT_TRIES } from '#server/payments/rules.ts'
import {
  findByObject,
  type GatewayName,
  listToRecheck,
  lockPayment,
  type Payment,
} from '#server/payments/store.ts'
import {
  countEventTry,
  deleteOldEvents,
  insertEvent,
  leaseEvents,
  setProcessed,
} from './event-store.ts'

type Received = { id: string; type: string; object: string | null }
type Webhook = { gateway: GatewayName; event: Received; body: string }

/**
 * Stores a webhook with a verified signature, so that it can be acknowledged; it is processed later. False if
 * it was received before.
 */
export async function storeEvent(
  ctx: Context,
  { gateway, event, body }: Webhook,
): Promise<boolean> {
  return insertEvent(ctx.database.db, {
    gateway,
    id: event.id,
    type: event.type,
    object: event.object,
    body,
    received_at: ctx.now(),
  })
}

/** As many as are processed in parallel: a leased event that waits would be kept from other processes. */
const BATCH = 8

/** Long enough for an event whose gateway hangs and is retried; processing it twice would do no harm. */
const LEASE_MS = 60_000

const RETENTION_MS = 30 * 24 * 60 * 60_000

/** Notifies staff of a dispute and of each change of its status, immediately. */
async function notifyDispute(ctx: Context, payment: Payment, dispute: Dispute): Promise<void> {
  const { gateway } = payment
  await recordDifference(ctx, disputeDifference({ gateway, payment, dispute }))
  await notifyStaff(ctx)
}

async function processOne(ctx: Context, event: GatewayEventRow): Promise<void> {
  const { db } = ctx.database
  const payment =
    event.object === null ? undefined : await findByObject(db, event.gateway, event.object)
  if (payment === undefined && event.object !== null && event.tries < MAX_EVENT_TRIES) {
    // The event may have arrived before our own row was written.
    await countEventTry(db, event, ctx.now() + eventWait(event.tries))
    return
  }
  if (payment !== undefined) {
    const facts = event.body === '' ? null : ctx.gateways[event.gateway].readFacts(event.body)
    const settled = await settle(ctx, payment, facts?.gwPayment)
    if (/refund/i.test(event.type)) await recheckRefunds(ctx, settled)
    if (facts?.dispute) await notifyDispute(ctx, settled, facts.dispute)
  }
  await setProcessed(db, event, ctx.now())
}

async function tryOne(ctx: Context, event: GatewayEventRow): Promise<void> {
  try {
    await processOne(ctx, event)
  } catch (error) {
    // No error may block the other events. If the database is down, this fails too and ends the run.
    await countEventTry(ctx.database.db, event, ctx.now() + eventWait(event.tries))
    const level = error instanceof UpstreamError ? 'warn' : 'error'
    ctx.log[level]({ err: error, event: event.id }, 'an event will be tried again')
  }
}

async function processAt(
  services: Services,
  gateway: GatewayName,
  signal: AbortSignal,
): Promise<void> {
  const ctx = systemContext(services, 'events')
  while (!signal.aborted) {
    const now = services.now()
    const lease = { gateway, now, until: now + LEASE_MS, limit: BATCH }
    const events = await leaseEvents(services.database.db, lease)
    if (events.length === 0) return
    await processRows(events, { signal }, (event) => tryOne(ctx, event))
  }
}

/**
 * Processes stored webhooks until none is due or the run is stopped: each is only a hint to read the
 * gateway's state.
 */
export async function processEvents(services: Services, run: Run = {}): Promise<void> {
  await perGateway(run, (gateway, signal) => processAt(services, gateway, signal))
}

/** Deletes events that were processed more than 30 days ago. */
export async function purgeEvents({ database, now }: Services): Promise<void> {
  await deleteOldEvents(database.db, now() - RETENTION_MS)
}

const RECHECK_BATCH = 200

async function reconcileOne(ctx: Context, payment: Payment): Promise<void> {
  try {
    await settleOrResume(ctx, payment)
  } catch (error) {
    // Updates the check time, so that a failing payment goes last and does not block the others.
    await lockPayment(ctx.database.db, payment.no, ctx.now())
    const level = error instanceof UpstreamError ? 'warn' : 'error'
    ctx.log[level]({ err: error, payment: payment.id }, 'a payment could not be reconciled yet')
  }
}

async function reconcileAt(
  services: Services,
  gateway: GatewayName,
  signal: AbortSignal,
): Promise<void> {
  const ctx = systemContext(services, 'reconcile')
  const { database, now } = services
  const payments = await listToRecheck(database.db, { gateway, now: now(), limit: RECHECK_BATCH })
  await processRows(payments, { signal }, (payment) => reconcileOne(ctx, payment))
}

/** Settles payments without a signal: lost webhooks, closed browsers, crashed processes. */
export async function reconcile(services: Services, run: Run = {}): Promise<void> {
  await perGateway(run, (gateway, signal) => reconcileAt(services, gateway, signal))
}
