import type { ChangeRoleInput, SuperUser } from '#contract/super-users.ts'
import { endSessionsOf } from '#server/auth/end-sessions-of.ts'
import { writeLetter } from '#server/auth/write-letter.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changeStaff } from './change-staff.ts'
import { isAsSeen, roleOf } from './rules.ts'
import { showSuperUser } from './show-super-user.ts'
import { setRole } from './store.ts'

/** Gives a colleague another role. They are signed out everywhere and told by mail. */
export async function changeRole(ctx: SignedIn, input: ChangeRoleInput): Promise<SuperUser> {
  const change = { id: input.id, path: 'superUsers.changeRole' }
  return changeStaff(ctx, change, async ({ tx, row }) => {
    if (!isAsSeen(row, { role: input.seen })) throw new AppError('staff_changed')
    const { role } = input
    const from = roleOf(row)
    const looking = { session: ctx.session, seesAddresses: true }
    if (from === role) return showSuperUser(row, looking)
    await setRole(tx.db, row.no, { role, now: ctx.now() })
    const sessions = await endSessionsOf(ctx, tx, row.no)
    const details = { from, to: role, sessions }
    await tx.audit.add({ action: 'staff.role_changed', entity: row.id, details })
    await writeLetter(ctx, tx, { letter: 'role_changed', account: row })
    return showSuperUser({ ...row, role }, looking)
  })
}
