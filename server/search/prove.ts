import type { Done } from '#contract/auth.ts'
import type { ProveInput } from '#contract/search.ts'
import type { Context } from '#server/context.ts'
import { LIFT_MS } from '#server/kernel/limits/rate-limit.ts'
import { consumeCaptcha } from '#server/kernel/security/captcha.ts'

/** Lets a network that has used up its search budget continue after solving a challenge. */
export async function prove(ctx: Context, input: ProveInput): Promise<Done> {
  await consumeCaptcha(ctx, input.captchaValue)
  // Another process may handle the next search.
  await ctx.transaction((tx) => tx.attempts.keepProof(ctx.network, ctx.now() + LIFT_MS))
  ctx.limiter.lift(ctx.network, LIFT_MS)
  return { status: true }
}
