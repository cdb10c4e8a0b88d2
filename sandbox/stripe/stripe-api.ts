import * as z from 'zod/mini'
import { DAY_MS } from '#contract/base/time.ts'
import { type SandboxContext, seconds, stripeId } from '#sandbox/context.ts'
import { noSuch, stripeFailure } from '#sandbox/failure.ts'
import { jsonResponse, type SandboxRequest, type SandboxResponse } from '#sandbox/http-messages.ts'
import { isStored, runOnce, storeResponse } from '#sandbox/idempotency.ts'
import type { EndpointRecord } from '#sandbox/store.ts'
import { chargeObject, disputeObject, intentObject, refundObject } from './stripe-charge-objects.ts'
import { expanded, type StripeObject } from './stripe-expand.ts'
import * as params from './stripe-params.ts'
import { createRefund, readDispute } from './stripe-refunds-disputes.ts'
import { API_VERSION, sessionObject } from './stripe-session-objects.ts'
import { createSession, expireOverdue, expireSession, readSession } from './stripe-sessions.ts'

type Range = {
  gt?: number | undefined
  gte?: number | undefined
  lt?: number | undefined
  lte?: number | undefined
}
type Paging = {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
  created?: number | Range | undefined
}

function isWithin(created: number, range: Paging['created']): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return created === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return created > gt && created >= gte && created < lt && created <= lte
}

function startOf<T extends { id: string }>(rows: T[], after: string | undefined): number {
  if (after === undefined) return 0
  const index = rows.findIndex(({ id }) => id === after)
  if (index < 0) {
    throw stripeFailure(
      400,
      { code: 'resource_missing', message: `No such object: '${after}'`, param: 'starting_after' },
      true,
    )
  }
  return index + 1
}

/** One page of a list, newest first, in Stripe's envelope. */
function pageOf<T extends { id: string; created: number }>(
  rows: T[],
  paging: Paging,
  list: { url: string; draw: (row: T) => unknown },
) {
  const within = rows.filter(({ created }) => isWithin(created, paging.created))
  const from = startOf(within, paging.starting_after)
  const size = paging.limit ?? 10
  return {
    object: 'list',
    data: within.slice(from, from + size).map((row) => list.draw(row)),
    has_more: within.length > from + size,
    url: list.url,
  }
}

/** Registers another webhook endpoint, with its own secret. */
function createEndpoint(
  ctx: SandboxContext,
  input: z.infer<typeof params.EndpointCreate>,
): EndpointRecord {
  const endpoint: EndpointRecord = {
    id: stripeId('we'),
    url: input.url,
    secret: stripeId('whsec', 32),
    events: input.enabled_events,
    created: seconds(ctx),
  }
  ctx.store.put('endpoint', endpoint)
  return endpoint
}

/** Without its secret, which is shown only once, on creation. */
function endpointObject({ id, url, events, created }: EndpointRecord) {
  return {
    id,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created,
    description: null,
    enabled_events: events,
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  }
}

const Parsed = z.looseObject({})

type Call = { ctx: SandboxContext; given: unknown; id: string }
type Handler = (call: Call) => unknown

/** A handler that reads one kind of record and takes no parameter but `expand`. */
function readHandler(find: (ctx: SandboxContext, id: string) => StripeObject): Handler {
  return ({ ctx, given, id }) => {
    const wanted = params.readParams(params.OnlyExpand, given)
    return expanded(ctx, find(ctx, id), wanted.expand)
  }
}

/** A page of a list, whose members are expanded by `data.…`. */
function listResponse<T extends { id: string; created: number }>(
  ctx: SandboxContext,
  rows: T[],
  list: {
    url: string
    draw: (row: T) => StripeObject
    paging: Paging & { expand?: string[] | undefined }
  },
) {
  return expanded(ctx, pageOf(rows, list.paging, list), list.paging.expand)
}

function listSessions({ ctx, given }: Call) {
  const wanted = params.readParams(params.SessionList, given)
  expireOverdue(ctx)
  const rows = ctx.store
    .list('session')
    .filter(({ intent }) => wanted.payment_intent === undefined || intent === wanted.payment_intent)
    .filter(({ status }) => wanted.status === undefined || status === wanted.status)
  return listResponse(ctx, rows, {
    url: '/v1/checkout/sessions',
    draw: sessionObject,
    paging: wanted,
  })
}

function listRefunds({ ctx, given }: Call) {
  const wanted = params.readParams(params.RefundList, given)
  const rows = ctx.store
    .list('refund')
    .filter(({ intent }) => wanted.payment_intent === undefined || intent === wanted.payment_intent)
    .filter(({ charge }) => wanted.charge === undefined || charge === wanted.charge)
  return listResponse(ctx, rows, { url: '/v1/refunds', draw: refundObject, paging: wanted })
}

function listCharges({ ctx, given }: Call) {
  const wanted = params.readParams(params.ChargeList, given)
  const rows = ctx.store
    .list('charge')
    .filter(({ intent }) => wanted.payment_intent === undefined || intent === wanted.payment_intent)
  return listResponse(ctx, rows, { url: '/v1/charges', draw: chargeObject, paging: wanted })
}

function listDisputes({ ctx, given }: Call) {
  const wanted = params.readParams(params.RefundList, given)
  const rows = ctx.store
    .list('dispute')
    .filter(({ intent }) => wanted.payment_intent === undefined || intent === wanted.payment_intent)
    .filter(({ charge }) => wanted.charge === undefined || charge === wanted.charge)
  return listResponse(ctx, rows, { url: '/v1/disputes', draw: disputeObject, paging: wanted })
}

function listEvents({ ctx, given }: Call) {
  const wanted = params.readParams(params.EventList, given)
  const rows = ctx.store
    .list('event')
    .filter(({ protocol }) => protocol === 'stripe')
    .filter(({ type }) => wanted.type === undefined || wanted.type === type)
    .filter(({ type }) => wanted.types === undefined || wanted.types.includes(type))
    .map((row) => ({ ...row, created: Math.floor(row.created / 1_000) }))
  return listResponse(ctx, rows, {
    url: '/v1/events',
    draw: ({ body }) => Parsed.parse(JSON.parse(body)),
    paging: wanted,
  })
}

const ROUTES: [method: string, path: RegExp, handler: Handler][] = [
  [
    'POST',
    /^\/v1\/checkout\/sessions$/,
    ({ ctx, given }) => {
      const wanted = params.readParams(params.SessionCreate, given)
      return expanded(ctx, sessionObject(createSession(ctx, wanted)), wanted.expand)
    },
  ],
  ['GET', /^\/v1\/checkout\/sessions$/, listSessions],
  [
    'GET',
    /^\/v1\/checkout\/sessions\/(\w+)$/,
    readHandler((ctx, id) => sessionObject(readSession(ctx, id))),
  ],
  [
    'POST',
    /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    readHandler((ctx, id) => sessionObject(expireSession(ctx, id))),
  ],
  [
    'GET',
    /^\/v1\/payment_intents\/(\w+)$/,
    readHandler((ctx, id) => {
      const intent = ctx.store.find('intent', id)
      if (intent === undefined) throw noSuch('payment_intent', id)
      return intentObject(intent)
    }),
  ],
  [
    'GET',
    /^\/v1\/charges\/(\w+)$/,
    readHandler((ctx, id) => {
      const charge = ctx.store.find('charge', id)
      if (charge === undefined) throw noSuch('charge', id)
      return chargeObject(charge)
    }),
  ],
  [
    'POST',
    /^\/v1\/refunds$/,
    ({ ctx, given }) => {
      const wanted = params.readParams(params.RefundCreate, given)
      return expanded(ctx, refundObject(createRefund(ctx, wanted)), wanted.expand)
    },
  ],
  ['GET', /^\/v1\/charges$/, listCharges],
  ['GET', /^\/v1\/refunds$/, listRefunds],
  [
    'GET',
    /^\/v1\/refunds\/(\w+)$/,
    readHandler((ctx, id) => {
      const refund = ctx.store.find('refund', id)
      if (refund === undefined) throw noSuch('refund', id)
      return refundObject(refund)
    }),
  ],
  ['GET', /^\/v1\/disputes$/, listDisputes],
  ['GET', /^\/v1\/disputes\/(\w+)$/, readHandler((ctx, id) => disputeObject(readDispute(ctx, id)))],
  ['GET', /^\/v1\/events$/, listEvents],
  [
    'POST',
    /^\/v1\/webhook_endpoints$/,
    ({ ctx, given }) => {
      const made = createEndpoint(ctx, params.readParams(params.EndpointCreate, given))
      return { ...endpointObject(made), secret: made.secret }
    },
  ],
]

/** Whether a path is one of the card protocol's. */
export function isStripePath(path: string): boolean {
  return /^\/v1\/(checkout|payment_intents|charges|refunds|disputes|events|webhook_endpoints)\b/.test(
    path,
  )
}

function checkCaller(ctx: SandboxContext, { headers }: SandboxRequest): void {
  const key = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '')?.[1]
  if (key === undefined) {
    throw stripeFailure(401, { message: 'You did not provide an API key.' }, true)
  }
  if (key !== ctx.keys.secretKey) {
    throw stripeFailure(401, { message: `Invalid API Key provided: ${key.slice(0, 8)}****` }, true)
  }
  const version = headers['stripe-version']
  if (version !== API_VERSION) {
    throw stripeFailure(
      400,
      {
        message: `Invalid Stripe API version: ${String(version)}. The sandbox speaks ${API_VERSION}.`,
      },
      true,
    )
  }
}

function paramsOf(request: SandboxRequest): unknown {
  return params.decodeForm(request.method === 'GET' ? request.query : request.body)
}

function run(ctx: SandboxContext, asked: SandboxRequest): SandboxResponse {
  checkCaller(ctx, asked)
  for (const [method, path, handler] of ROUTES) {
    const match = path.exec(asked.path)
    if (match === null || method !== asked.method) continue
    return jsonResponse(200, handler({ ctx, given: paramsOf(asked), id: match[1] ?? '' }))
  }
  throw stripeFailure(
    404,
    { message: `Unrecognized request URL (${asked.method}: ${asked.path}).` },
    true,
  )
}

function keyOf(request: SandboxRequest) {
  const given = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
  return { key: given === undefined ? null : `stripe ${given}`, keepMs: DAY_MS }
}

/** Whether a call repeats one whose response is stored under its idempotency key. */
export function isStripeRepeat(ctx: SandboxContext, asked: SandboxRequest): boolean {
  return isStored(ctx, keyOf(asked))
}

/** Stores a response under the call's key, whether or not the call was executed. */
export function storeStripeResponse(
  ctx: SandboxContext,
  request: SandboxRequest,
  response: SandboxResponse,
): SandboxResponse {
  storeResponse(ctx, { key: keyOf(request).key, asked: request }, response)
  return response
}

/** Answers a call of the card protocol as Stripe would, once per idempotency key. */
export function handleStripe(ctx: SandboxContext, asked: SandboxRequest): SandboxResponse {
  const keyed = {
    ...keyOf(asked),
    // Failures too: a repeat always gets the first response.
    keeps: () => true,
    mismatch: () =>
      stripeFailure(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${asked.headers['idempotency-key'] ?? ''}' if you meant to execute a different request.`,
      }),
    replayed: ({ status, body }: { status: number; body: string }) =>
      jsonResponse(status, body, { 'idempotent-replayed': 'true' }),
  }
  return runOnce(ctx, { asked, keyed, run: () => run(ctx, asked) })
}
