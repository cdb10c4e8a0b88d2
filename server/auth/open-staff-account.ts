import { DEFAULT_RADIUS } from '#contract/search.ts'
import type { StaffRole } from '#contract/staff.ts'
import type { Context, Tx } from '#server/context.ts'
import { type Account, getAccount, insertAccount } from './account-store.ts'

type Opening = {
  email: string
  role: StaffRole
  hash: string
  /** Somebody else knows the password: it opens one session, in which another is chosen. */
  isFirstPassword: boolean
}

/**
 * Opens an account of staff within a transaction. Whoever adds staff vouches for the address, and it
 * is all that is known of them. A taken address is a unique violation.
 */
export async function openStaffAccount(ctx: Context, tx: Tx, opening: Opening): Promise<Account> {
  const now = ctx.now()
  const no = await insertAccount(tx.db, {
    id: ctx.newId('usr'),
    kind: 'staff',
    email: opening.email,
    password_hash: opening.hash,
    first_name: '',
    last_name: '',
    phone_number: '',
    role: opening.role,
    email_verified_at: now,
    totp_last_step: 0,
    must_change_password: opening.isFirstPassword ? 1 : 0,
    default_radius: DEFAULT_RADIUS,
    terms_accepted_at: now,
    created_at: now,
    updated_at: now,
  })
  return getAccount(tx.db, no)
}
