import { forgetAccessTokens } from '#server/access-tokens/manage-access-tokens.ts'
import { deleteLinksOf } from '#server/auth/codes/link-store.ts'
import { enqueueEmail } from '#server/auth/emails.ts'
import { endAllOf, forgetDevices } from '#server/auth/sessions/session-store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { erasedAddress } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  type Account,
  getAccount,
  lockAccount,
  replaceRecoveryCodes,
  updateAccount,
} from './account-store.ts'

/** Matches no password: it is not a PHC string, and erased accounts are not found by address. */
const NO_PASSWORD = 'erased'

type ClosingAccount = { accountNo: number; kind: 'erased' | 'staff_removed' }

/**
 * Erases the personal data of an account within a transaction: every session ends, the address is free again,
 * and the row stays because other rows refer to it. Returns the account as it was, or null when it was
 * already closed.
 */
export async function closeAccountOf(
  ctx: Context,
  tx: Tx,
  { accountNo, kind }: ClosingAccount,
): Promise<Account | null> {
  const now = ctx.now()
  if (!(await lockAccount(tx.db, accountNo))) return null
  const account = await getAccount(tx.db, accountNo)
  await enqueueEmail(ctx, tx, { kind, account, to: account.email })
  await updateAccount(tx.db, account.no, {
    email: erasedAddress(account.id),
    password_hash: NO_PASSWORD,
    first_name: 'Former',
    last_name: account.kind,
    phone_number: '',
    date_of_birth: null,
    profile_image: null,
    totp_secret: null,
    totp_pending: null,
    totp_confirmed_at: null,
    erased_at: now,
    updated_at: now,
  })
  await replaceRecoveryCodes(tx.db, account.no, [])
  await deleteLinksOf(tx.db, account.no)
  await endAllOf(tx.db, account.no, { reason: 'erased', now })
  await forgetAccessTokens(tx, account.no)
  await forgetDevices(tx.db, account.no)
  return account
}

/** Closes the viewer's own account, as `closeAccountOf` does. */
export async function closeAccount(ctx: SignedIn, tx: Tx): Promise<Account> {
  const { accountNo } = ctx.session
  const account = await closeAccountOf(ctx, tx, { accountNo, kind: 'erased' })
  if (account === null) throw new AppError('session_ended')
  return account
}
