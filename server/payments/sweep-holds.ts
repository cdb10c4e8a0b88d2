import { listOverdue } from '#server/booking/list-overdue.ts'
import { type Context, type Services, systemContext } from '#server/context.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { closeBooking } from './leave.ts'

const BATCH = 50

async function sweepOne(ctx: Context, booking: { no: number; id: string }): Promise<void> {
  try {
    await closeBooking(ctx, { bookingNo: booking.no, overAt: ctx.now() })
  } catch (error) {
    // Fail closed: the time stays claimed while the gateway could still take the money.
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, booking: booking.id }, 'a hold could not be closed yet')
  }
}

/** Closes holds whose time is over: first what could still be paid for them, then the time is free. */
export async function sweepHolds(services: Services, signal?: AbortSignal): Promise<void> {
  const ctx = systemContext(services, 'sweep')
  for (const booking of await listOverdue(services.database.db, services.now(), BATCH)) {
    if (signal?.aborted === true) return
    await sweepOne(ctx, booking)
  }
}
