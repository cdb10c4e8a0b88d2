import type { SuperUsers } from '#contract/super-users.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { seesAddresses } from './rules.ts'
import { showSuperUser } from './show-super-user.ts'
import { listStaff } from './store.ts'

/** Who is on the staff, with the addresses masked for roles that need not know them. */
export async function listSuperUsers(ctx: SignedIn): Promise<SuperUsers> {
  const { viewer, session } = ctx
  if (viewer.kind !== 'staff') throw new AppError('forbidden')
  const looking = { session, seesAddresses: seesAddresses(viewer.role) }
  const rows = await listStaff(ctx.database.db)
  return { users: rows.map((row) => showSuperUser(row, looking)) }
}
