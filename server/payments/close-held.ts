import type { Context } from '#server/context.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { listHeldOf } from './coming-store.ts'
import { closeBooking } from './leave.ts'

async function closeOne(ctx: Context, bookingNo: number): Promise<void> {
  try {
    await closeBooking(ctx, { bookingNo, reason: 'erased' })
  } catch (error) {
    // The sweep goes on with it when the hold is over; until then nothing can be confirmed anyway.
    const level = error instanceof UpstreamError ? 'warn' : 'error'
    ctx.log[level]({ err: error, bookingNo }, 'a hold of an erased account could not be closed yet')
  }
}

/**
 * Closes what is held by the patient, or at the provider, of an account that was erased: first what
 * could still be paid for it, then the time is free. As far as the gateways answer; never throws for
 * one that does not.
 */
export async function closeHeldOf(ctx: Context, accountNo: number): Promise<void> {
  const held = await listHeldOf(ctx.database.db, accountNo)
  await Promise.all(held.map((bookingNo) => closeOne(ctx, bookingNo)))
}
