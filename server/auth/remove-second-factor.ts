import type { Done } from '#contract/auth.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { getAccount, replaceRecoveryCodes, updateAccount } from './account-store.ts'
import { mustHaveSecondFactor } from './rules.ts'
import { writeLetter } from './write-letter.ts'

/** Turns the second factor off, where an account may be without one. */
export async function removeSecondFactor(ctx: SignedIn): Promise<Done> {
  if (mustHaveSecondFactor(ctx.session.kind, ctx.config.demo)) {
    throw new AppError('second_factor_mandatory')
  }
  await ctx.transaction(async (tx) => {
    const account = await getAccount(tx.db, ctx.session.accountNo)
    await updateAccount(tx.db, account.no, {
      totp_secret: null,
      totp_pending: null,
      totp_confirmed_at: null,
      updated_at: ctx.now(),
    })
    await replaceRecoveryCodes(tx.db, account.no, [])
    await tx.audit.add({ action: 'second_factor.removed' })
    await writeLetter(ctx, tx, { letter: 'second_factor_off', account })
  })
  return { status: true }
}
