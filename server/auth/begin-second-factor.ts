import type { SecondFactorSetup } from '#contract/auth.ts'
import type { SignedIn } from '#server/context.ts'
import { newTotpSecret, totpUri } from '#server/kernel/totp.ts'
import { getAccount, updateAccount } from './account-store.ts'

/** Makes a secret for an authenticator app; it counts only once a code of it was confirmed. */
export async function beginSecondFactor(ctx: SignedIn): Promise<SecondFactorSetup> {
  const secret = newTotpSecret()
  const account = await ctx.transaction(async (tx) => {
    await updateAccount(tx.db, ctx.session.accountNo, {
      totp_pending: ctx.secrets.seal('totp', secret),
      updated_at: ctx.now(),
    })
    await tx.audit.add({ action: 'second_factor.begun' })
    return getAccount(tx.db, ctx.session.accountNo)
  })
  return { secret, uri: totpUri(secret, account.email) }
}
