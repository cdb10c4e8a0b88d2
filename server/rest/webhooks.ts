import { type Context, makeContext, type Services } from '#server/context.ts'
import {
  BadSignatureError,
  type GatewayEvent,
  UnreadableEventError,
} from '#server/gateways/payment-gateways.ts'
import type { Answers, HeaderMap } from '#server/kernel/answer.ts'
import { readBody } from '#server/kernel/body.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { randomText } from '#server/kernel/ids.ts'
import { keepEvent } from '#server/payments/keep-event.ts'

/** Events of gateways are a few kilobytes; nothing honest is larger. */
const EVENT_LIMIT = 262_144

type GatewayName = 'stripe' | 'paypal'

const NO_STORE: HeaderMap = { 'cache-control': 'no-store', 'content-type': 'application/json' }

async function keep(ctx: Context, gateway: GatewayName, request: Request): Promise<void> {
  const body = await readBody(request, EVENT_LIMIT)
  let event: GatewayEvent
  try {
    event = await ctx.gateways[gateway].readEvent(body, request.headers)
  } catch (error) {
    if (!(error instanceof BadSignatureError)) throw error
    await ctx.record({ action: 'webhook.refused', outcome: 'denied', entity: gateway })
    throw error
  }
  await keepEvent(ctx, { gateway, event, body })
}

function spend({ limiter }: Services, network: string): void {
  const verdict = limiter.take('webhook', network)
  if (verdict.allowed) return
  throw new AppError('rate_limited', { retryAfterSeconds: verdict.retryAfterSeconds })
}

/**
 * Answers POST /webhooks/stripe and /webhooks/paypal. The body is read as it came, because that is
 * what was signed; 200 means the event is kept, anything else makes the gateway send it again.
 */
export function makeWebhooks(services: Services, answers: Answers) {
  const failure = (error: unknown, requestId: string): Response => {
    if (error instanceof BadSignatureError) {
      return answers.failure(400, 'signature_invalid', { requestId })
    }
    if (error instanceof UnreadableEventError) {
      // Sending it again changes nothing: an endpoint for another kind of event was set up.
      services.log.warn({ err: error, requestId }, 'a signed webhook is no event')
      return answers.failure(400, 'invalid_input', { requestId })
    }
    if (error instanceof AppError && error.code === 'body_too_large') {
      return answers.failure(413, 'body_too_large', { requestId, headers: { connection: 'close' } })
    }
    if (error instanceof AppError && error.code === 'rate_limited') {
      const headers = { 'retry-after': String(error.details['retryAfterSeconds']) }
      return answers.failure(429, 'rate_limited', { requestId, details: error.details, headers })
    }
    services.log.error({ err: error, requestId }, 'a webhook could not be kept')
    const code = error instanceof UpstreamError ? 'upstream_unavailable' : 'internal'
    return answers.failure(503, code, { requestId, headers: { 'retry-after': '30' } })
  }

  return async (gateway: GatewayName, request: Request, network: string): Promise<Response> => {
    const requestId = randomText(10)
    const ctx = makeContext(services, { viewer: { kind: 'visitor' }, requestId, network })
    try {
      spend(services, network)
      await keep(ctx, gateway, request)
      return answers.send(200, '{"received":true}', NO_STORE)
    } catch (error) {
      return failure(error, requestId)
    }
  }
}
