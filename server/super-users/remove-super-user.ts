import type { Done } from '#contract/auth.ts'
import type { RemoveSuperUserInput } from '#contract/super-users.ts'
import { closeAccountOf } from '#server/auth/close-account.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { forgetAddress } from '#server/messages/forget-address.ts'
import { changeStaff } from './change-staff.ts'
import { isAsSeen, roleOf } from './rules.ts'

/**
 * Removes a colleague: their sessions end, their address is free again, and what they did stays in the
 * audit log under the id of their account.
 */
export async function removeSuperUser(ctx: SignedIn, input: RemoveSuperUserInput): Promise<Done> {
  const change = { id: input.id, path: 'superUsers.remove' }
  await changeStaff(ctx, change, async ({ tx, row }) => {
    if (!isAsSeen(row, input)) throw new AppError('staff_changed')
    const leaving = { accountNo: row.no, letter: 'staff_removed' } as const
    await closeAccountOf(ctx, tx, leaving)
    await forgetAddress(tx, { email: row.email, userId: row.id })
    await tx.outbox.add('account.erased', { userId: row.id })
    const details = { role: roleOf(row) }
    await tx.audit.add({ action: 'staff.removed', entity: row.id, details })
  })
  return { status: true }
}
