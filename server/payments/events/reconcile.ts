import { type Context, type Services, systemContext } from '#server/context.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { resumeCapture } from '#server/payments/paying/capture.ts'
import { perGateway, processRows, type Run } from '#server/payments/paying/per-gateway.ts'
import { settle } from '#server/payments/paying/settle.ts'
import {
  type GatewayName,
  listToRecheck,
  lockPayment,
  type Payment,
} from '#server/payments/store.ts'

const BATCH = 200

async function reconcileOne(ctx: Context, payment: Payment): Promise<void> {
  try {
    // A capture already decided on is retried with its idempotency key; everything else is only read.
    await (payment.state === 'capturing' ? resumeCapture(ctx, payment) : settle(ctx, payment))
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
  const payments = await listToRecheck(database.db, { gateway, now: now(), limit: BATCH })
  await processRows(payments, { signal }, (payment) => reconcileOne(ctx, payment))
}

/** Settles payments without a signal: lost webhooks, closed browsers, crashed processes. */
export async function reconcile(services: Services, run: Run = {}): Promise<void> {
  await perGateway(run, (gateway, signal) => reconcileAt(services, gateway, signal))
}
