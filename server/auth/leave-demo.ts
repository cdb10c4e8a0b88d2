import { DEMO_COOKIES, type SignOutAnswer } from '#contract/auth.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { signOut } from './sign-out.ts'

/** Demo logout: ends the session if there is one, and takes the door's cookies back as well. */
export async function leaveDemo(ctx: Context): Promise<SignOutAnswer> {
  if (!ctx.config.demo) throw new AppError('not_found')
  const answer = await signOut(ctx)
  const [access, refresh] = DEMO_COOKIES
  ctx.reply.cookie(access, '', { maxAge: 0, isReadable: true })
  ctx.reply.cookie(refresh, '', { maxAge: 0 })
  return { ...answer, cookies: [...answer.cookies, ...DEMO_COOKIES] }
}
