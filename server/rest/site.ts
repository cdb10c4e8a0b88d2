import { budget } from '#server/http/route-guards.ts'
import { makeHealth, metricsRoute } from '#server/jobs/health.ts'
import type { OwnCall, RestCall } from './call.ts'
import { webhook } from './webhooks.ts'

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
    about: `Sent by ${name} only. The body is read as it came, because that is what was signed. 200 means that the event is kept and will be acted on; anything else makes ${name} send it again. We send no webhooks of our own yet: ask \`/user/check-payment-status/{orderId}/\`.`,
    refusals: ['signature_invalid', 'invalid_input', 'body_too_large'],
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
  about: 'Whether the server can do its work. 503 when it cannot.',
  refusals: ['busy'],
  example: { answer: { status: 'ok' } },
  make: (services) => [budget('health'), makeHealth(services)],
}

const metrics: OwnCall = {
  ...own,
  method: 'GET',
  path: '/metrics',
  room: 'The server',
  title: 'Metrics for operators',
  about:
    'In the text format of Prometheus: calls and how they ended, jobs, failures of the gateways, what waits in the outbox and for how long, open payments and refunds, holds, memory, event loop delay. Only from the machine itself, or with `METRICS_TOKEN` of the settings as bearer token; 404 for everybody else.',
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
