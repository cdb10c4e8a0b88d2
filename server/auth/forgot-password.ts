import type { Done, ForgotPasswordInput } from '#contract/auth.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findByEmail } from './account-store.ts'
import { createLink } from './create-link.ts'
import { writeLetter } from './write-letter.ts'

/** Mails a reset link, three an hour at most. The answer is the same whether there is an account. */
export async function forgotPassword(ctx: Context, input: ForgotPasswordInput): Promise<Done> {
  const { email, userType: kind } = input
  try {
    await ctx.transaction(async (tx) => {
      await tx.attempts.take('forgot_password', `${kind} ${email}`)
      const account = await findByEmail(tx.db, kind, email)
      if (account !== undefined) {
        const link = { purpose: 'reset_password', accountNo: account.no } as const
        const secret = await createLink(ctx, tx, link)
        await writeLetter(ctx, tx, { letter: 'reset', account, secret })
      }
      await tx.audit.add({
        action: 'password.reset_asked',
        ...(account === undefined ? {} : { entity: account.id }),
      })
    })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
  }
  return { status: true }
}
