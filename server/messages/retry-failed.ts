import type { Done } from '#contract/auth.ts'
import type { RetryInput } from '#contract/messages-staff.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { reviveFailed } from './failed-store.ts'

/** Has something that was given up tried again, at once and then as often as anything new. */
export async function retryFailed(ctx: Context, { id }: RetryInput): Promise<Done> {
  await ctx.transaction(async (tx) => {
    const revived = await reviveFailed(tx.db, id, ctx.now())
    if (revived === undefined) throw new AppError('not_found')
    await tx.audit.add({ action: 'mail.retried', entity: id, details: { topic: revived.topic } })
  })
  ctx.outbox.wake()
  return { status: true }
}
