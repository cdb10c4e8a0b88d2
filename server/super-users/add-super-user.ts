import type { AddSuperUserInput, SuperUser } from '#contract/super-users.ts'
import { isUniqueViolation } from '#db/failures.ts'
import { openStaffAccount } from '#server/auth/open-staff-account.ts'
import { hashNewPassword } from '#server/auth/prove-password.ts'
import { writeLetter } from '#server/auth/write-letter.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { showSuperUser } from './show-super-user.ts'

/**
 * Puts somebody on the staff with a first password, which opens one session. They are told by mail
 * where to sign in; the password does not travel with it.
 */
export async function addSuperUser(ctx: SignedIn, input: AddSuperUserInput): Promise<SuperUser> {
  const { email, role } = input
  const hash = await hashNewPassword(ctx, input.password, 'password')
  try {
    return await ctx.transaction(async (tx) => {
      await tx.attempts.take('staff_change', ctx.session.userId)
      const account = await openStaffAccount(ctx, tx, { email, role, hash, isFirstPassword: true })
      await tx.audit.add({ action: 'staff.added', entity: account.id, details: { role } })
      await writeLetter(ctx, tx, { letter: 'staff_added', account })
      return showSuperUser(account, { session: ctx.session, seesAddresses: true })
    })
  } catch (error) {
    // Two at once, or long known: the constraint says so either way.
    if (isUniqueViolation(error)) throw new AppError('staff_known')
    throw error
  }
}
