import {
  DEMO_COOKIES,
  type DemoAccount,
  type EnterDemoInput,
  type EnterDemoResponse,
  type SignOutResponse,
} from '#contract/auth.ts'
import { DEMO_ACCOUNTS } from '#db/reference/demo.ts'
import { findAnyByEmail } from '#server/auth/accounts/account-store.ts'
import type { Context } from '#server/context.ts'
import { hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readMe } from './read-session.ts'
import { openSession, setSessionCookies, signOut } from './sessions.ts'

const DEMO_COOKIE_SECONDS = 30 * 24 * 3_600

function assertDemo(ctx: Context): void {
  if (!hasDemoEntrance(ctx.config)) throw new AppError('not_found')
}

/** The demo cookies grant no rights; they only mark that the visitor came in through the demo entrance. */
function setDemoCookies(ctx: Context): void {
  const [access, refresh] = DEMO_COOKIES
  ctx.reply.cookie(access, ctx.secrets.token(), { maxAge: DEMO_COOKIE_SECONDS, isReadable: true })
  ctx.reply.cookie(refresh, ctx.secrets.token(), { maxAge: DEMO_COOKIE_SECONDS })
}

/** Enters the demo: as one of the demo accounts, or without an account to look around. */
export async function enterDemo(ctx: Context, input: EnterDemoInput): Promise<EnterDemoResponse> {
  assertDemo(ctx)
  if (input.email === null) {
    setDemoCookies(ctx)
    return { status: true, me: null }
  }
  const isDemoAccount = DEMO_ACCOUNTS.some(({ email }) => email === input.email)
  const account = isDemoAccount ? await findAnyByEmail(ctx.database.db, input.email) : undefined
  if (account === undefined) throw new AppError('not_found')
  const session = await ctx.transaction((tx) => openSession(ctx, tx, { account, proved: false }))
  setDemoCookies(ctx)
  setSessionCookies(ctx, session)
  const me = await readMe(ctx, ctx.database.db, { accountNo: account.no, steppedUpUntil: null })
  return { status: true, me }
}

/** The accounts to choose from in the demo; none outside of it. */
export function listDemoAccounts(ctx: Context): DemoAccount[] {
  return hasDemoEntrance(ctx.config) ? [...DEMO_ACCOUNTS] : []
}

/** Demo logout: ends the session if there is one, and clears the demo cookies as well. */
export async function leaveDemo(ctx: Context): Promise<SignOutResponse> {
  assertDemo(ctx)
  const answer = await signOut(ctx)
  const [access, refresh] = DEMO_COOKIES
  ctx.reply.cookie(access, '', { maxAge: 0, isReadable: true })
  ctx.reply.cookie(refresh, '', { maxAge: 0 })
  return { ...answer, cookies: [...answer.cookies, ...DEMO_COOKIES] }
}
