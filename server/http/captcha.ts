import { makeChallenge } from '#server/kernel/captcha.ts'
import { consume } from '#server/kernel/rate-limit.ts'
import type { Middleware } from './request-context.ts'

/** Answers with a new challenge for the ALTCHA widget. */
export const captchaChallenge: Middleware = async (c) => {
  const { ctx } = c.var
  consume(ctx, 'challenge')
  return c.json(await makeChallenge(ctx.secrets, ctx.now()))
}
