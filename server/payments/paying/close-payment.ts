import type { HoldRef } from '#contract/booking.ts'
import { releaseBooking } from '#server/booking/hold/release-booking.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { listHeldOf } from '#server/payments/refunds/upcoming-store.ts'
import { CLOSED, isLive, isOverByTime } from '#server/payments/rules.ts'
import {
  findLive,
  findOwnHold,
  getPayment,
  type Payment,
  setAbandoned,
} from '#server/payments/store.ts'
import { resumeCapture } from './capture.ts'
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
export async function closeBooking(ctx: Context, closing: Closing): Promise<boolean> {
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
