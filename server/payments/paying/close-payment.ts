import type { HoldRef } from '#contract/booking.ts'
import { listOverdue, releaseBooking } from '#server/booking/hold/holds.ts'
import { type Context, type Services, type SignedIn, systemContext } from '#server/context.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { listHeldOf } from '#server/payments/refunds/refund-store.ts'
import { CLOSED, isLive, isOverByTime } from '#server/payments/rules.ts'
import {
  findLive,
  findOwnHold,
  type GatewayName,
  getPayment,
  type Payment,
  setAbandoned,
} from '#server/payments/store.ts'
import { resumeCapture } from './capture.ts'
import { GATEWAYS, processRows, withRunTimeout } from './per-gateway.ts'
import { applyGatewayState } from './settle.ts'

async function closeSession(ctx: Context, payment: Payment): Promise<Payment> {
  const { gw_session: session } = payment
  if (session === null || !isLive(payment.state)) return payment
  try {
    return await applyGatewayState(ctx, payment.no, await ctx.gateways.stripe.close(session))
  } catch (error) {
    // An unreachable gateway still expires the session at the time it was given.
    if (!(error instanceof UpstreamError) || !isOverByTime(payment, ctx.now())) throw error
    return applyGatewayState(ctx, payment.no, CLOSED)
  }
}

/**
 * Makes a payment impossible, unless it was already made: afterwards it is closed, paid, or (while money is
 * moving) capturing. Throws `UpstreamError` while the gateway that could take the money is unreachable: the
 * time then stays claimed.
 */
export async function closePayment(ctx: Context, payment: Payment): Promise<Payment> {
  const { db } = ctx.database
  if (await setAbandoned(db, payment.no, ctx.now())) return getPayment(db, payment.no)
  const current = await getPayment(db, payment.no)
  if (current.gateway === 'stripe') return closeSession(ctx, current)
  return current.state === 'capturing' ? resumeCapture(ctx, current) : current
}

async function closeOne(ctx: Context, bookingNo: number): Promise<void> {
  try {
    await closeBooking(ctx, { bookingNo, reason: 'erased' })
  } catch (error) {
    // The sweep retries when the hold ends; until then nothing can be confirmed anyway.
    const level = error instanceof UpstreamError ? 'warn' : 'error'
    ctx.log[level]({ err: error, bookingNo }, 'a hold of an erased account could not be closed yet')
  }
}

/**
 * Closes the holds of an erased account, as patient or provider: first their open payments, then the time is
 * freed. A hold that cannot be closed yet is logged and left to the sweep.
 */
export async function closeHoldsOf(ctx: Context, accountNo: number): Promise<void> {
  const held = await listHeldOf(ctx.database.db, accountNo)
  await Promise.all(held.map((bookingNo) => closeOne(ctx, bookingNo)))
}

type Closing = Parameters<typeof releaseBooking>[2]

/**
 * Frees the time of a hold once it can no longer be paid for. True if the time is free, now or already
 * before; false while money may still arrive. Throws `UpstreamError` if the gateway is unreachable.
 */
async function closeBooking(ctx: Context, closing: Closing): Promise<boolean> {
  const { bookingNo } = closing
  const live = await findLive(ctx.database.db, bookingNo)
  if (live !== undefined && live.state !== 'paid') {
    const closed = await closePayment(ctx, live)
    if (isLive(closed.state) || closed.state === 'paid') return false
  }
  return ctx.transaction(async (tx) => {
    // Another tab may have begun to pay meanwhile.
    if ((await findLive(tx.db, bookingNo)) !== undefined) return false
    return releaseBooking(ctx, tx, closing)
  })
}

/** Leaves the checkout: the viewer's time is freed. */
export async function leave(ctx: SignedIn, { holdId }: HoldRef): Promise<{ released: boolean }> {
  const hold = await findOwnHold(ctx.database.db, holdId, ctx.session.accountNo)
  if (hold === undefined) throw new AppError('not_found')
  if (hold.state !== 'held') return { released: hold.state === 'released' }
  try {
    return { released: await closeBooking(ctx, { bookingNo: hold.no, reason: 'left' }) }
  } catch (error) {
    // The sweep retries when the hold ends.
    if (error instanceof UpstreamError) return { released: false }
    throw error
  }
}

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
