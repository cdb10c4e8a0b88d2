import type { Done } from '#contract/auth.ts'
import type { ProveInput } from '#contract/search.ts'
import type { Context } from '#server/context.ts'
import { consumeCaptcha } from '#server/kernel/security/captcha.ts'

/** Lets a network search on that has used up its budget, once somebody there solved a challenge. */
export async function prove(ctx: Context, input: ProveInput): Promise<Done> {
  await consumeCaptcha(ctx, input.captchaValue)
  ctx.limiter.lift(ctx.network)
  return { status: true }
}
