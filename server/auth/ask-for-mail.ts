import type { Context, Tx } from '#server/context.ts'
import type { AttemptName } from '#server/kernel/attempts.ts'
import { AppError } from '#server/kernel/errors.ts'

type Asked = { limit: Extract<AttemptName, 'forgot_password' | 'verification'>; subject: string }

/**
 * Runs what a visitor asks to have mailed to an address. Beyond the limit of the address nothing is
 * done and nothing is said, because that would tell whose it is; beyond the limit of the network
 * `rate_limited` is thrown.
 */
export async function askForMail(
  ctx: Context,
  { limit, subject }: Asked,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.transaction((tx) => tx.attempts.take('mail_network', ctx.network))
  try {
    await ctx.transaction(async (tx) => {
      await tx.attempts.take(limit, subject)
      await work(tx)
    })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
  }
}
