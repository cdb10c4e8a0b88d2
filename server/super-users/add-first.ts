import {
  type AddFirstInput,
  type AddFirstResponse,
  START_LINK_TTL_MS,
} from '#contract/super-users.ts'
import { openStaffAccount } from '#server/auth/accounts/open-account.ts'
import { stepUpUntil } from '#server/auth/rules.ts'
import { hashNewPassword } from '#server/auth/second-factor/step-up.ts'
import { openSession, setSessionCookies, tokensFor } from '#server/auth/sessions/open-session.ts'
import { readMe } from '#server/auth/sessions/read-session.ts'
import type { Context, Services } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { insertStartLink, isStartLink, isWithoutStaff, useStartLinks } from './store.ts'

/**
 * Creates the first superuser of an installation through the link its server printed, and signs them in. Once
 * there is a member of staff, no such link works.
 */
export async function addFirst(ctx: Context, input: AddFirstInput): Promise<AddFirstResponse> {
  const token = ctx.secrets.mac('link', input.token)
  // Check before hashing: a dead link is not worth the cost.
  if (!(await isStartLink(ctx.database.db, token, ctx.now()))) {
    throw new AppError('start_link_invalid')
  }
  const hash = await hashNewPassword(ctx, input.new_password, {
    field: 'new_password',
    email: input.email,
  })
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
  setSessionCookies(ctx, session)
  const steppedUpUntil = stepUpUntil(ctx.now())
  const me = await readMe(ctx, ctx.database.db, { accountNo: account.no, steppedUpUntil })
  return { status: true, me, ...tokensFor(ctx, session) }
}

type StartLinkContext = Pick<Services, 'database' | 'secrets' | 'now' | 'config'>

/**
 * The URL for the first superuser of an installation, or null when there is staff. Its token is in the
 * fragment, which browsers do not send and servers do not log.
 */
export async function makeStartLink(services: StartLinkContext): Promise<string | null> {
  const { database, secrets, now, config } = services
  const token = secrets.token()
  const isMade = await database.transaction(async (db) => {
    if (!(await isWithoutStaff(db))) return false
    const at = now()
    const hash = secrets.mac('link', token)
    await insertStartLink(db, {
      hash,
      created_at: at,
      expires_at: at + START_LINK_TTL_MS,
      used_at: null,
    })
    return true
  })
  return isMade ? `${config.publicUrl}/admin-start#${token}` : null
}
