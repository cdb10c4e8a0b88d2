import { listOverdue } from '#server/booking/hold/release-booking.ts'
import { type Context, type Services, systemContext } from '#server/context.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import type { GatewayName } from '#server/payments/store.ts'
import { closeBooking } from './close-payment.ts'
import { GATEWAYS, untilTimeIsUp, workThrough } from './per-gateway.ts'

const BATCH = 50

/** Holds that could still be paid for at a gateway, or, null, those that need none to be closed. */
export type SweepLane = GatewayName | null

export const SWEEP_LANES: readonly SweepLane[] = [...GATEWAYS, null]

type Overdue = Awaited<ReturnType<typeof listOverdue>>[number]

async function sweepOne(ctx: Context, booking: Overdue): Promise<void> {
  try {
    await closeBooking(ctx, { bookingNo: booking.no, overAt: ctx.now() })
  } catch (error) {
    // Fail closed: the time stays claimed while the gateway could still take the money. Others do not wait.
    const level = error instanceof UpstreamError ? 'warn' : 'error'
    ctx.log[level]({ err: error, booking: booking.id }, 'a hold could not be closed yet')
  }
}

type Sweep = { lane: SweepLane; after: Overdue | null; signal: AbortSignal }

/** The hold it had to stop at, for the next run to go on behind; null when it came to the end. */
async function sweep(services: Services, { lane, after, signal }: Sweep): Promise<Overdue | null> {
  const ctx = systemContext(services, 'sweep')
  const now = services.now()
  // Where nobody outside is asked, one after the other is fast, and leaves the database to others.
  const pace = lane === null ? { signal, atOnce: 1 } : { signal }
  for (let last = after; ; ) {
    const place = { now, after: last, limit: BATCH, gateway: lane }
    const overdue = await listOverdue(services.database.db, place)
    const begun = await workThrough(overdue, pace, (booking) => sweepOne(ctx, booking))
    last = overdue[begun - 1] ?? last
    if (begun < overdue.length) return last
    if (overdue.length < BATCH) return null
  }
}

/**
 * The job that closes the holds of one lane whose time is over: first what could still be paid for them,
 * then the time is free. The longest overdue come first; a run that takes too long is gone on with by the
 * next, so that holds that cannot be closed do not keep the others from their turn.
 */
export function makeSweep(lane: SweepLane) {
  let after: Overdue | null = null
  return async (services: Services, signal?: AbortSignal): Promise<void> => {
    after = await sweep(services, { lane, after, signal: untilTimeIsUp(signal) })
  }
}

/** Closes the holds of all lanes whose time is over, from the longest overdue on. */
export async function sweepHolds(services: Services): Promise<void> {
  await Promise.all(SWEEP_LANES.map((lane) => makeSweep(lane)(services)))
}
