import type { Done, ResendVerificationInput } from '#contract/auth.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Account, findByEmail } from './account-store.ts'
import { createLink } from './create-link.ts'
import { issueCode } from './issue-code.ts'
import { writeLetter } from './write-letter.ts'

/** Owes the mail that confirms an address: a link, and for providers a code beside it. */
export async function sendVerification(ctx: Context, tx: Tx, account: Account): Promise<void> {
  const token = await createLink(ctx, tx, { purpose: 'verify_email', accountNo: account.no })
  if (account.kind !== 'provider') {
    await writeLetter(ctx, tx, { letter: 'verify', account, secret: token })
    return
  }
  const { code } = await issueCode(ctx, tx, { account, purpose: 'email', object: '' })
  await writeLetter(ctx, tx, { letter: 'verify_provider', account, secret: `${token} ${code}` })
}

/** Sends the mail once more, if there is somebody to send it to; the answer does not say. */
export async function resendVerification(
  ctx: Context,
  input: ResendVerificationInput,
): Promise<Done> {
  const { email, user_type: kind } = input
  try {
    await ctx.transaction(async (tx) => {
      await tx.attempts.take('verification', `${kind} ${email}`)
      const account = await findByEmail(tx.db, kind, email)
      const isWaiting = account !== undefined && account.email_verified_at === null
      if (isWaiting) await sendVerification(ctx, tx, account)
      await tx.audit.add({
        action: 'account.verification_asked',
        ...(isWaiting ? { entity: account.id } : {}),
      })
    })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
  }
  return { status: true }
}
