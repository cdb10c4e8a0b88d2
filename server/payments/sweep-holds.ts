import { listOverdue } from '#server/booking/list-overdue.ts'
import { type Context, type Services, systemContext } from '#server/context.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { closeBooking } from './leave.ts'

const BATCH = 50

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

/**
 * Closes holds whose time is over: first what could still be paid for them, then the time is free.
 * All of them, so that those of a gateway that is away do not keep the others from their turn.
 */
export async function sweepHolds(services: Services, signal?: AbortSignal): Promise<void> {
  const ctx = systemContext(services, 'sweep')
  const now = services.now()
  for (let after: Overdue | null = null; ; ) {
    const overdue = await listOverdue(services.database.db, { now, after, limit: BATCH })
    for (const booking of overdue) {
      if (signal?.aborted === true) return
      await sweepOne(ctx, booking)
    }
    after = overdue.at(-1) ?? null
    if (after === null) return
  }
}
