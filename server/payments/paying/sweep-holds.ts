import { listOverdue } from '#server/booking/hold/release-booking.ts'
import { type Context, type Services, systemContext } from '#server/context.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import type { GatewayName } from '#server/payments/store.ts'
import { closeBooking } from './close-payment.ts'
import { GATEWAYS, processRows, withRunTimeout } from './per-gateway.ts'

const BATCH = 50

/** Holds with a live payment at this gateway or, for null, holds that can be closed without a gateway. */
export type SweepLane = GatewayName | null

export const SWEEP_LANES: readonly SweepLane[] = [...GATEWAYS, null]

type Overdue = Awaited<ReturnType<typeof listOverdue>>[number]

async function sweepOne(ctx: Context, booking: Overdue): Promise<void> {
  try {
    await closeBooking(ctx, { bookingNo: booking.no, overAt: ctx.now() })
  } catch (error) {
    // Fail closed: the time stays claimed while the gateway could still take the money. Other holds are not
    // blocked.
    const level = error instanceof UpstreamError ? 'warn' : 'error'
    ctx.log[level]({ err: error, booking: booking.id }, 'a hold could not be closed yet')
  }
}

type Sweep = { lane: SweepLane; after: Overdue | null; signal: AbortSignal }

/** Returns the hold at which the run stopped, for the next run to continue after; null if it finished. */
async function sweep(services: Services, { lane, after, signal }: Sweep): Promise<Overdue | null> {
  const ctx = systemContext(services, 'sweep')
  const now = services.now()
  // Without a gateway to wait for, working sequentially is fast and leaves the database to others.
  const pace = lane === null ? { signal, atOnce: 1 } : { signal }
  for (let last = after; ; ) {
    const place = { now, after: last, limit: BATCH, gateway: lane }
    const overdue = await listOverdue(services.database.db, place)
    const startedCount = await processRows(overdue, pace, (booking) => sweepOne(ctx, booking))
    last = overdue[startedCount - 1] ?? last
    if (startedCount < overdue.length) return last
    if (overdue.length < BATCH) return null
  }
}

/**
 * Job that closes the expired holds of one lane: first their open payments, then the time is freed. Longest
 * overdue first; a run that takes too long is continued by the next one, so that holds that cannot be closed
 * do not block the others.
 */
export function makeSweep(lane: SweepLane) {
  let after: Overdue | null = null
  return async (services: Services, signal?: AbortSignal): Promise<void> => {
    after = await sweep(services, { lane, after, signal: withRunTimeout(signal) })
  }
}

/** Closes the expired holds of all lanes, longest overdue first. */
export async function sweepHolds(services: Services): Promise<void> {
  await Promise.all(SWEEP_LANES.map((lane) => makeSweep(lane)(services)))
}
