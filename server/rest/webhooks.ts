import { countStranger } from '#server/admission.ts'
import {
  BadSignatureError,
  type GatewayEvent,
  UnreadableEventError,
} from '#server/gateways/payment-gateways.ts'
import type { HttpContext, Middleware } from '#server/http/request-context.ts'
import { budget, limitBody, readText } from '#server/http/route-guards.ts'
import { AppError } from '#server/kernel/errors.ts'
import { assertNotExhausted, consume } from '#server/kernel/limits/rate-limit.ts'
import { storeEvent } from '#server/payments/events/process-events.ts'

/** Size limit in bytes: gateway events are a few kilobytes. */
const EVENT_LIMIT = 262_144

/** Whatever prevents storing an event should be over by then, or being looked at. */
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
      // A retry changes nothing: the endpoint was set up for another kind of event.
      ctx.log.warn({ err: error, requestId: ctx.requestId }, 'a signed webhook is no event')
      throw new AppError('invalid_input')
    }
    if (!(error instanceof BadSignatureError)) throw error
    ctx.metrics.badSignatures.inc({ gateway })
    consume(ctx, 'bad_signature')
    await countStranger(ctx, `/webhooks/${gateway}`, 'signature_invalid')
    throw new AppError('signature_invalid')
  }
  await storeEvent(ctx, { gateway, event, body })
}

/**
 * Handles the webhooks of a gateway. The body is read unparsed, because the signature covers its bytes; 200
 * means the event is stored, anything else makes the gateway resend it.
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
