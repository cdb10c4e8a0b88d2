import type { Done } from '#contract/auth.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { endOne } from './store.ts'

/** Ends a token of one's own at once. Somebody else's is as unknown as one that never was. */
export async function revokeAccessToken(ctx: SignedIn, input: { id: string }): Promise<Done> {
  const which = { accountNo: ctx.session.accountNo, id: input.id }
  await ctx.transaction(async (tx) => {
    if (!(await endOne(tx.db, which, { reason: 'revoked', now: ctx.now() }))) {
      throw new AppError('not_found')
    }
    await tx.audit.add({ action: 'access_token.revoked', entity: input.id })
  })
  return { status: true }
}
