import type { AddFirstAnswer, AddFirstInput } from '#contract/super-users.ts'
import { handOver, openSession, tokensFor } from '#server/auth/open-session.ts'
import { openStaffAccount } from '#server/auth/open-staff-account.ts'
import { hashNewPassword } from '#server/auth/prove-password.ts'
import { readMe } from '#server/auth/read-me.ts'
import { stepUpUntil } from '#server/auth/rules.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isStartLink, isWithoutStaff, useStartLinks } from './store.ts'

/**
 * Makes the first superuser of an installation by the link its server printed, and signs them in. With
 * one person on the staff every such link is dead.
 */
export async function addFirst(ctx: Context, input: AddFirstInput): Promise<AddFirstAnswer> {
  const token = ctx.secrets.mac('link', input.token)
  // Before anything costs: a dead link is not worth a hash.
  if (!(await isStartLink(ctx.database.db, token, ctx.now()))) {
    throw new AppError('start_link_invalid')
  }
  const hash = await hashNewPassword(ctx, input.new_password, 'new_password')
  const { account, session } = await ctx.transaction(async (tx) => {
    const alive = await useStartLinks(tx.db, ctx.now())
    if (!alive.includes(token) || !(await isWithoutStaff(tx.db))) {
      throw new AppError('start_link_invalid')
    }
    const opening = { email: input.email, role: 'superuser', hash, isFirstPassword: false } as const
    const opened = await openStaffAccount(ctx, tx, opening)
    const actor = { kind: 'staff', id: opened.id } as const
    await tx.audit.add({ action: 'staff.began', entity: opened.id, actor })
    return {
      account: opened,
      session: await openSession(ctx, tx, { account: opened, proved: true }),
    }
  })
  handOver(ctx, session)
  const steppedUpUntil = stepUpUntil(ctx.now())
  const me = await readMe(ctx, ctx.database.db, { accountNo: account.no, steppedUpUntil })
  return { status: true, me, ...tokensFor(ctx, session) }
}
