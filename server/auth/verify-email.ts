import type { VerifyEmailAnswer, VerifyEmailInput } from '#contract/auth.ts'
import { isUniqueViolation } from '#db/failures.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Account, getAccount, setProviderEmail, updateAccount } from './account-store.ts'
import { findLink, useLink, voidLinks } from './link-store.ts'
import { writeLetter } from './write-letter.ts'

/** Marks an address as confirmed; the other links that would do so end. */
export async function verifyAddress(ctx: Context, tx: Tx, account: Account): Promise<void> {
  const now = ctx.now()
  await updateAccount(tx.db, account.no, { email_verified_at: now, updated_at: now })
  await voidLinks(tx.db, account.no, { purposes: ['verify_email', 'pending'], now })
  await tx.audit.add({
    action: 'account.email_verified',
    entity: account.id,
    actor: { kind: account.kind, id: account.id },
  })
}

async function changeAddress(ctx: Context, tx: Tx, to: { account: Account; email: string }) {
  const { account, email } = to
  const now = ctx.now()
  await updateAccount(tx.db, account.no, { email, email_verified_at: now, updated_at: now })
  if (account.provider_no !== null) {
    await setProviderEmail(tx.db, account.provider_no, { email, now })
  }
  await voidLinks(tx.db, account.no, { purposes: ['change_email', 'reset_password'], now })
  await writeLetter(ctx, tx, { letter: 'email_changed', account, to: account.email })
  await writeLetter(ctx, tx, { letter: 'email_changed', account, to: email })
  await tx.audit.add({
    action: 'account.email_changed',
    entity: account.id,
    actor: { kind: account.kind, id: account.id },
  })
}

async function follow(ctx: Context, tx: Tx, token: string): Promise<VerifyEmailAnswer> {
  const now = ctx.now()
  const hash = ctx.secrets.mac('link', token)
  const link = await findLink(tx.db, hash, { purposes: ['verify_email', 'change_email'], now })
  if (link === undefined || !(await useLink(tx.db, hash, now))) {
    throw new AppError('verify_link_invalid')
  }
  const account = await getAccount(tx.db, link.account_no)
  if (account.erased_at !== null) throw new AppError('verify_link_invalid')
  if (link.email === null) await verifyAddress(ctx, tx, account)
  else await changeAddress(ctx, tx, { account, email: link.email })
  return {
    status: true,
    user_type: account.kind === 'provider' ? 'provider' : 'patient',
    email: link.email ?? account.email,
  }
}

/** What the button of `/verify/{email_verify}` does: confirms a new account, or a new address. */
export async function verifyEmail(
  ctx: Context,
  input: VerifyEmailInput,
): Promise<VerifyEmailAnswer> {
  try {
    return await ctx.transaction((tx) => follow(ctx, tx, input.token))
  } catch (error) {
    // Somebody registered the new address meanwhile; it is theirs.
    if (isUniqueViolation(error)) throw new AppError('verify_link_invalid')
    throw error
  }
}
