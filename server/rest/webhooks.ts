import { countStranger } from '#server/admission.ts'
import {
  BadSignatureError,
  type GatewayEvent,
  UnreadableEventError,
} from '#server/gateways/payment-gateways.ts'
import { limitBody, readText } from '#server/http/body.ts'
import { budget } from '#server/http/budget.ts'
import type { HttpContext, Middleware } from '#server/http/request-context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { assertNotExhausted, consume } from '#server/kernel/limits/rate-limit.ts'
import { keepEvent } from '#server/payments/events/process-events.ts'

/** Events of gateways are a few kilobytes; nothing honest is larger. */
const EVENT_LIMIT = 262_144

/** Whatever keeps us from keeping an event, it is over or looked at by then. */
const RETRY_SECONDS = 30

type GatewayName = 'stripe' | 'paypal'

async function keep(c: HttpContext, gateway: GatewayName): Promise<void> {
  const { ctx } = c.var
  const body = await readText(c)
  let event: GatewayEvent
  try {
    event = await ctx.gateways[gateway].readEvent(body, c.req.raw.headers)
  } catch (error) {
    if (error instanceof UnreadableEventError) {
      // Sending it again changes nothing: an endpoint for another kind of event was set up.
      ctx.log.warn({ err: error, requestId: ctx.requestId }, 'a signed webhook is no event')
      throw new AppError('invalid_input')
    }
    if (!(error instanceof BadSignatureError)) throw error
    ctx.metrics.badSignatures.inc({ gateway })
    consume(ctx, 'bad_signature')
    await countStranger(ctx, `/webhooks/${gateway}`, 'signature_invalid')
    throw new AppError('signature_invalid')
  }
  await keepEvent(ctx, { gateway, event, body })
}

/**
 * Answers the webhooks of a gateway. The body is read as it came, because that is what was signed; 200
 * means the event is kept, anything else makes the gateway send it again.
 */
export function webhook(gateway: GatewayName): [Middleware, ...Middleware[]] {
  return [
    budget('webhook'),
    (c, next) => {
      assertNotExhausted(c.var.ctx, 'bad_signature')
      return next()
    },
    limitBody(EVENT_LIMIT),
    async (c) => {
      try {
        await keep(c, gateway)
        return c.json({ received: true })
      } catch (error) {
        if (error instanceof AppError) throw error
        throw new AppError('busy', { retryAfterSeconds: RETRY_SECONDS }, { cause: error })
      }
    },
  ]
}
