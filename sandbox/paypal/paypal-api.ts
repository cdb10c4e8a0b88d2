import { hash, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { DAY_MS } from '#contract/base/time.ts'
import { paypalId, type SandboxContext } from '#sandbox/context.ts'
import { Failure, paypalFailure } from '#sandbox/failure.ts'
import { jsonResponse, type SandboxRequest, type SandboxResponse } from '#sandbox/http-messages.ts'
import { runOnce } from '#sandbox/idempotency.ts'
import { isPaypalSignature, rawMember } from '#sandbox/signatures.ts'
import type { OrderRecord } from '#sandbox/store.ts'
import {
  captureObject,
  type OrderPayments,
  orderObject,
  walletRefundObject,
} from './paypal-objects.ts'
import {
  captureOf,
  captureOrder,
  createOrder,
  declineOrder,
  readKnownOrder,
  readOrder,
} from './paypal-orders.ts'
import * as params from './paypal-params.ts'
import {
  disputeObject,
  disputeSummary,
  readCapture,
  readDispute,
  refundCapture,
} from './paypal-refunds-disputes.ts'

/** How long the response of a request id is kept. */
const ORDERS_KEPT_MS = 6 * 3_600_000
const REFUNDS_KEPT_MS = 45 * DAY_MS
const TOKEN_SECONDS = 32_400

type Call = { ctx: SandboxContext; asked: SandboxRequest; id: string }
type Handler = (call: Call) => SandboxResponse

function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}

/** One token per key pair and time window: nothing to store, and it still expires. */
function tokenOf(ctx: SandboxContext, timeWindow: number): string {
  const text = `${ctx.keys.clientId}|${ctx.keys.clientSecret}|${timeWindow}`
  return `A21AA${hash('sha256', text, 'base64url')}`
}

function currentWindow(ctx: SandboxContext): number {
  return Math.floor(ctx.now() / (TOKEN_SECONDS * 1_000))
}

function issueToken({ ctx, asked }: Call): SandboxResponse {
  const pair = Buffer.from(
    /^Basic (\S+)$/.exec(asked.headers['authorization'] ?? '')?.[1] ?? '',
    'base64',
  )
  if (!isSameText(pair.toString(), `${ctx.keys.clientId}:${ctx.keys.clientSecret}`)) {
    const error = { error: 'invalid_client', error_description: 'Client Authentication failed' }
    throw new Failure(401, error, true)
  }
  if (new URLSearchParams(asked.body).get('grant_type') !== 'client_credentials') {
    throw new Failure(
      400,
      { error: 'unsupported_grant_type', error_description: 'Grant Type is not supported' },
      true,
    )
  }
  return jsonResponse(200, {
    scope: 'https://uri.paypal.com/services/checkout/one-click-with-merchant-issued-token',
    access_token: tokenOf(ctx, currentWindow(ctx)),
    token_type: 'Bearer',
    app_id: 'APP-80W284485P519543T',
    expires_in: TOKEN_SECONDS,
    nonce: '2026-01-01T00:00:00Zsandbox',
  })
}

function checkToken(ctx: SandboxContext, { headers }: SandboxRequest): void {
  const token = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '')?.[1] ?? ''
  const now = currentWindow(ctx)
  if (isSameText(token, tokenOf(ctx, now)) || isSameText(token, tokenOf(ctx, now - 1))) return
  throw new Failure(
    401,
    {
      name: 'AUTHENTICATION_FAILURE',
      message:
        'Authentication failed due to invalid authentication credentials or a missing Authorization header.',
      debug_id: 'f0e1d2c3b4a59',
      links: [],
    },
    true,
  )
}

function orderPayments(ctx: SandboxContext, order: OrderRecord): OrderPayments | null {
  const taken = captureOf(ctx, order)
  if (taken === null) return null
  const refunds = ctx.store.list('walletRefund').filter(({ capture: id }) => id === taken.id)
  return { capture: taken, refunds }
}

/** Without `Prefer: return=representation` PayPal answers little more than the id. */
function orderResponse(call: Call, order: OrderRecord, status: number): SandboxResponse {
  const whole = orderObject(order, orderPayments(call.ctx, order))
  if (call.asked.headers['prefer'] === 'return=representation' || call.asked.method === 'GET') {
    return jsonResponse(status, whole)
  }
  const { id, links, status: state } = whole
  return jsonResponse(status, { id, status: state, links })
}

/** PayPal's own way to request a failure in its sandbox. */
function mockedIssue({ headers }: SandboxRequest): string | null {
  const mock = /"mock_application_codes"\s*:\s*\[?\s*"([A-Z_]+)"/.exec(
    headers['paypal-mock-response'] ?? '',
  )
  return mock?.[1] ?? null
}

function capture(call: Call): SandboxResponse {
  const { ctx, asked, id } = call
  params.readJson(params.EmptyBody, asked.body)
  const mocked = mockedIssue(asked)
  if (mocked !== null) throw paypalFailure(422, [{ issue: mocked }])
  const order = readOrder(ctx, id)
  if (order.status === 'APPROVED' && order.outcome === 'decline') {
    declineOrder(ctx, order)
    const description = 'The instrument presented was either declined by the processor or bank.'
    const { status, body } = paypalFailure(422, [{ issue: 'INSTRUMENT_DECLINED', description }])
    return jsonResponse(status, body)
  }
  return orderResponse(call, captureOrder(ctx, id), 201)
}

const Verify = z.strictObject({
  auth_algo: z.string(),
  cert_url: z.string(),
  transmission_id: z.string(),
  transmission_sig: z.string(),
  transmission_time: z.string(),
  webhook_id: z.string(),
  webhook_event: z.looseObject({}),
})

function verify({ ctx, asked }: Call): SandboxResponse {
  const transmission = params.readJson(Verify, asked.body)
  const raw = rawMember(asked.body, 'webhook_event') ?? ''
  const isOurs = isPaypalSignature(transmission, raw, ctx.keys)
  return jsonResponse(200, { verification_status: isOurs ? 'SUCCESS' : 'FAILURE' })
}

function listDisputes({ ctx, asked }: Call): SandboxResponse {
  const query = Object.fromEntries(new URLSearchParams(asked.query))
  const wanted = params.readQuery(params.DisputeList, query)
  const { disputed_transaction_id: of, update_time_after: after } = wanted
  const rows = ctx.store
    .list('walletDispute')
    .filter((one) => of === undefined || one.capture === of)
    .filter(
      (one) => after === undefined || one.updated >= Temporal.Instant.from(after).epochMilliseconds,
    )
  return jsonResponse(200, { items: rows.map(disputeSummary), links: [] })
}

function listEvents({ ctx }: Call): SandboxResponse {
  const rows = ctx.store.list('event', 100).filter(({ protocol }) => protocol === 'paypal')
  return jsonResponse(200, {
    events: rows.map(({ body }) => JSON.parse(body) as unknown),
    count: rows.length,
    links: [],
  })
}

function resend({ ctx, id }: Call): SandboxResponse {
  const event = ctx.store.find('event', id)
  if (event?.protocol !== 'paypal') throw paypalFailure(404, [{ issue: 'INVALID_RESOURCE_ID' }])
  const again = `${event.id}-again-${paypalId()}`
  ctx.store.put('delivery', {
    id: again,
    event: id,
    endpoint: 'app',
    tries: 0,
    nextAt: ctx.now(),
    status: null,
  })
  return jsonResponse(202, event.body)
}

const WithUnits = z.looseObject({ purchase_units: z.array(z.looseObject({})) })

/** The response of an order as PayPal sometimes sends it: without its payments. */
export function withoutPayments(response: SandboxResponse): SandboxResponse {
  const order = WithUnits.safeParse(JSON.parse(String(response.body)))
  if (!order.success) return response
  const purchase_units = order.data.purchase_units.map(({ payments: _left, ...unit }) => unit)
  return { ...response, body: JSON.stringify({ ...order.data, purchase_units }) }
}

const ROUTES: [method: string, path: RegExp, handler: Handler][] = [
  [
    'POST',
    /^\/v2\/checkout\/orders$/,
    (call) =>
      orderResponse(
        call,
        createOrder(call.ctx, params.readJson(params.OrderCreate, call.asked.body)),
        201,
      ),
  ],
  [
    'GET',
    /^\/v2\/checkout\/orders\/(\w+)$/,
    (call) => orderResponse(call, readKnownOrder(call.ctx, call.id), 200),
  ],
  ['POST', /^\/v2\/checkout\/orders\/(\w+)\/capture$/, capture],
  [
    'GET',
    /^\/v2\/payments\/captures\/(\w+)$/,
    ({ ctx, id }) => jsonResponse(200, captureObject(readCapture(ctx, id))),
  ],
  [
    'POST',
    /^\/v2\/payments\/captures\/(\w+)\/refund$/,
    ({ ctx, asked, id }) =>
      jsonResponse(
        201,
        walletRefundObject(
          refundCapture(ctx, id, params.readJson(params.RefundCreate, asked.body)),
        ),
      ),
  ],
  [
    'GET',
    /^\/v2\/payments\/refunds\/(\w+)$/,
    ({ ctx, id }) => {
      const refund = ctx.store.find('walletRefund', id)
      if (refund === undefined) throw paypalFailure(404, [{ issue: 'INVALID_RESOURCE_ID' }])
      return jsonResponse(200, walletRefundObject(refund))
    },
  ],
  ['GET', /^\/v1\/customer\/disputes$/, listDisputes],
  [
    'GET',
    /^\/v1\/customer\/disputes\/([\w-]+)$/,
    ({ ctx, id }) => jsonResponse(200, disputeObject(ctx, readDispute(ctx, id))),
  ],
  ['POST', /^\/v1\/notifications\/verify-webhook-signature$/, verify],
  ['GET', /^\/v1\/notifications\/webhooks-events$/, listEvents],
  ['POST', /^\/v1\/notifications\/webhooks-events\/([\w-]+)\/resend$/, resend],
]

/** Whether a path is one of the wallet protocol's. */
export function isPaypalPath(path: string): boolean {
  return /^\/(v1\/(oauth2|notifications|customer)|v2\/(checkout|payments))\//.test(path)
}

function run(ctx: SandboxContext, asked: SandboxRequest): SandboxResponse {
  if (asked.path === '/v1/oauth2/token') return issueToken({ ctx, asked, id: '' })
  checkToken(ctx, asked)
  for (const [method, path, handler] of ROUTES) {
    const match = path.exec(asked.path)
    if (match !== null && method === asked.method)
      return handler({ ctx, asked, id: match[1] ?? '' })
  }
  throw paypalFailure(404, [{ issue: 'INVALID_URI' }], true)
}

/** Answers a call of the wallet protocol as PayPal would, once per request id. */
export function handlePaypal(ctx: SandboxContext, asked: SandboxRequest): SandboxResponse {
  const id = asked.method === 'POST' ? asked.headers['paypal-request-id'] : undefined
  const keyed = {
    key: id === undefined ? null : `paypal ${id}`,
    keepMs: asked.path.endsWith('/refund') ? REFUNDS_KEPT_MS : ORDERS_KEPT_MS,
    keeps: (status: number) => status < 300,
    mismatch: () =>
      paypalFailure(422, [
        {
          issue: 'DUPLICATE_REQUEST_ID',
          description:
            'The value of PayPal-Request-Id header has already been used. Please specify a different value and try again.',
        },
      ]),
    // A repeat returns 200 where the first call returned 201.
    replayed: ({ status, body }: { status: number; body: string }) =>
      jsonResponse(status === 201 ? 200 : status, body),
  }
  return runOnce(ctx, { asked, keyed, run: () => run(ctx, asked) })
}
