import { enqueueEmail } from '#server/auth/emails.ts'
import { endSessionsOf } from '#server/auth/sessions/end-session.ts'
import { type Services, systemContext } from '#server/context.ts'
import { findByEmail, replaceRecoveryCodes, updateAccount } from './account-store.ts'

/**
 * Restores access for a superuser who has lost both password and second factor: sets a first password, which
 * opens one session, removes the authenticator app and its recovery codes, and ends every session. For
 * operators of the server. Returns the password, or null when no superuser has the address.
 */
export async function recoverSuperuser(services: Services, email: string): Promise<string | null> {
  const ctx = systemContext(services, 'recover')
  const password = services.secrets.token()
  const hash = await services.passwords.hash(password)
  return ctx.transaction(async (tx) => {
    const account = await findByEmail(tx.db, 'staff', email.trim().toLowerCase())
    if (account?.role !== 'superuser') return null
    await updateAccount(tx.db, account.no, {
      password_hash: hash,
      must_change_password: 1,
      first_password_used_at: null,
      totp_secret: null,
      totp_pending: null,
      totp_confirmed_at: null,
      suspended_at: null,
      updated_at: ctx.now(),
    })
    await replaceRecoveryCodes(tx.db, account.no, [])
    const sessions = await endSessionsOf(ctx, tx, account.no)
    const actor = { kind: 'system', id: null } as const
    await tx.audit.add({
      action: 'staff.recovered',
      entity: account.id,
      details: { sessions },
      actor,
    })
    await enqueueEmail(ctx, tx, { kind: 'password_changed', account })
    return password
  })
}
