import type { Done } from '#contract/auth.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { takeBack } from './open-session.ts'
import { endSessionOf } from './session-store.ts'

/** Ends one session of one's own. Somebody else's is as unknown as one that never was. */
export async function endSession(ctx: SignedIn, input: { id: string }): Promise<Done> {
  const { session } = ctx
  const ended = await ctx.transaction(async (tx) => {
    const which = { accountNo: session.accountNo, id: input.id }
    if (!(await endSessionOf(tx.db, which, { reason: 'ended', now: ctx.now() }))) return false
    await tx.audit.add({ action: 'session.ended', entity: input.id })
    return true
  })
  if (!ended) {
    const details = { code: 'not_found' }
    const entity = 'auth.endSession'
    await ctx.record({ action: 'call.denied', outcome: 'denied', entity, details })
    throw new AppError('not_found')
  }
  if (input.id === session.id) takeBack(ctx)
  return { status: true }
}
