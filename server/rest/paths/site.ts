import { countStranger } from '#server/admission.ts'
import type { Context } from '#server/context.ts'
import {
  BadSignatureError,
  type GatewayEvent,
  UnreadableEventError,
} from '#server/gateways/payment-gateways.ts'
import type { HttpContext, Middleware } from '#server/http/request-context.ts'
import { budget, limitBody, readText } from '#server/http/route-guards.ts'
import { makeHealth, metricsRoute } from '#server/jobs/health.ts'
import { AppError } from '#server/kernel/errors.ts'
import { siteOf } from '#server/kernel/limits/network.ts'
import { assertNotExhausted, consume } from '#server/kernel/limits/rate-limit.ts'
import { Semaphore } from '#server/kernel/limits/semaphore.ts'
import { storeEvent } from '#server/payments/events/process-events.ts'
import type { OwnCall, RestCall } from '#server/rest/call.ts'

const own = {
  source: 'added',
  status: 200,
  refusals: [],
  procedures: [],
  type: 'application/json',
  answer: { type: 'object' },
} as const

function webhookCall(gateway: 'stripe' | 'paypal', name: string): OwnCall {
  return {
    ...own,
    method: 'POST',
    path: `/webhooks/${gateway}`,
    room: 'Webhooks',
    title: `Events of ${name}`,
    about: `Sent by ${name} only. The signature covers the raw body. 200 means that the event was stored and will be processed; anything else makes ${name} resend it. We send no webhooks of our own yet: poll \`/user/check-payment-status/{orderId}/\`.`,
    refusals: ['signature_invalid', 'invalid_input', 'body_too_large', 'busy'],
    example: { isForReading: true, body: { id: 'evt_…', type: '…' }, answer: { received: true } },
    make: () => webhook(gateway),
  }
}

const health: OwnCall = {
  ...own,
  method: 'GET',
  path: '/healthz',
  room: 'The server',
  title: 'Health',
  about: 'Whether the server is healthy; 503 when it is not.',
  example: { answer: { status: 'ok' } },
  unavailable: { status: 'unavailable' },
  make: (services) => [budget('health'), makeHealth(services)],
}

const metrics: OwnCall = {
  ...own,
  method: 'GET',
  path: '/metrics',
  room: 'The server',
  title: 'Metrics for operators',
  about:
    'In the Prometheus text format: calls by outcome, jobs, gateway failures, pending outbox jobs and their age, open payments and refunds, holds, memory, event loop delay. Only from the machine itself, or with `METRICS_TOKEN` as bearer token; 404 for everybody else.',
  refusals: ['not_found'],
  example: { isForReading: true, answer: 'apposite_outbox_waiting 0' },
  type: 'text/plain',
  answer: { type: 'string' },
  make: (services) => [budget('health'), metricsRoute(services)],
}

/** Calls for gateways and monitoring. */
export const siteCalls: readonly RestCall[] = [
  webhookCall('stripe', 'Stripe'),
  webhookCall('paypal', 'PayPal'),
  health,
  metrics,
]

/** Size limit in bytes; gateway events are much smaller. */
const EVENT_LIMIT = 262_144

/** Whatever prevents storing an event should be over by then, or being looked at. */
const RETRY_SECONDS = 30

/**
 * Limits of concurrent signature checks: a bad signature counts only once its check has ended, and checking one of
 * PayPal's is a request to PayPal.
 */
const CHECKS = { running: 10, waiting: 500, waitingInAll: 1_000 }

type GatewayName = 'stripe' | 'paypal'

/** An event as it arrived. */
type Sent = { gateway: GatewayName; body: string; headers: Headers }

/** Checks the signature of an event and reads it; counts a bad one. */
async function readSigned(ctx: Context, { gateway, body, headers }: Sent): Promise<GatewayEvent> {
  assertNotExhausted(ctx, 'bad_signature')
  try {
    return await ctx.gateways[gateway].readEvent(body, headers)
  } catch (error) {
    if (error instanceof UnreadableEventError) {
      // A retry changes nothing: the endpoint was set up for another kind of event.
      ctx.log.warn({ err: error, requestId: ctx.requestId }, 'a signed webhook is not an event')
      throw new AppError('invalid_input')
    }
    if (!(error instanceof BadSignatureError)) throw error
    ctx.metrics.badSignatures.inc({ gateway })
    consume(ctx, 'bad_signature')
    await countStranger(ctx, `/webhooks/${gateway}`, 'signature_invalid')
    throw new AppError('signature_invalid')
  }
}

/**
 * Handles the webhooks of a gateway. The body is read unparsed, because the signature covers its bytes; 200
 * means the event is stored, anything else makes the gateway resend it.
 */
function webhook(gateway: GatewayName): [Middleware, ...Middleware[]] {
  const checks = new Semaphore(CHECKS)
  const keep = async (c: HttpContext): Promise<void> => {
    const { ctx } = c.var
    const sent = { gateway, body: await readText(c), headers: c.req.raw.headers }
    const event = await checks.pass(() => readSigned(ctx, sent), siteOf(ctx.network))
    await storeEvent(ctx, { gateway, event, body: sent.body })
  }
  return [
    budget('webhook'),
    (c, next) => {
      assertNotExhausted(c.var.ctx, 'bad_signature')
      return next()
    },
    limitBody(EVENT_LIMIT),
    async (c) => {
      try {
        await keep(c)
        return c.json({ received: true })
      } catch (error) {
        if (error instanceof AppError) throw error
        throw new AppError('busy', { retryAfterSeconds: RETRY_SECONDS }, { cause: error })
      }
    },
  ]
}
