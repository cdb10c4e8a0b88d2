import { makeChallenge } from '#server/kernel/security/captcha.ts'
import type { Middleware } from './request-context.ts'

/** Answers with a new challenge for the ALTCHA widget. */
export const captchaChallenge: Middleware = async (c) => {
  const { ctx } = c.var
  return c.json(await makeChallenge(ctx.secrets, ctx.now()))
}
