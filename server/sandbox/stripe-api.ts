import type { Desk } from './desk.ts'
import { noSuch, stripeFailure } from './failure.ts'
import { decodeForm } from './form.ts'
import { type Answered, type Asked, jsonAnswer } from './http-forms.ts'
import { once } from './idempotency.ts'
import type { SessionRecord } from './records.ts'
import { chargeObject, intentObject, refundObject } from './stripe-charge-objects.ts'
import { createEndpoint, endpointObject } from './stripe-endpoints.ts'
import { pageOf } from './stripe-lists.ts'
import * as params from './stripe-params.ts'
import { createRefund } from './stripe-refunds.ts'
import { API_VERSION, lineItemObject, sessionObject } from './stripe-session-objects.ts'
import { createSession, expireOverdue, expireSession, readSession } from './stripe-sessions.ts'

const DAY_MS = 86_400_000

type Call = { desk: Desk; given: unknown; id: string }
type Handler = (call: Call) => unknown

function expanded(desk: Desk, session: SessionRecord, expand: string[] = []) {
  const extras: Record<string, unknown> = {}
  for (const name of expand) {
    if (name === 'line_items') {
      extras[name] = {
        object: 'list',
        data: [lineItemObject(session)],
        has_more: false,
        url: `/v1/checkout/sessions/${session.id}/line_items`,
      }
    } else if (name === 'payment_intent') {
      const intent = session.intent === null ? undefined : desk.store.find('intent', session.intent)
      extras[name] = intent === undefined ? null : intentObject(intent)
    } else {
      throw stripeFailure(
        400,
        { message: `This property cannot be expanded (${name}).`, param: 'expand' },
        true,
      )
    }
  }
  return { ...sessionObject(session), ...extras }
}

/** A handler that reads one kind of record and takes no parameter but `expand`. */
function reader(find: (desk: Desk, id: string) => unknown): Handler {
  return ({ desk, given, id }) => {
    params.readParams(params.OnlyExpand, given)
    return find(desk, id)
  }
}

function listSessions({ desk, given }: Call) {
  const wanted = params.readParams(params.SessionList, given)
  expireOverdue(desk)
  const rows = desk.store
    .list('session')
    .filter(({ intent }) => wanted.payment_intent === undefined || intent === wanted.payment_intent)
    .filter(({ status }) => wanted.status === undefined || status === wanted.status)
  return pageOf(rows, wanted, { url: '/v1/checkout/sessions', draw: sessionObject })
}

function listRefunds({ desk, given }: Call) {
  const wanted = params.readParams(params.RefundList, given)
  const rows = desk.store
    .list('refund')
    .filter(({ intent }) => wanted.payment_intent === undefined || intent === wanted.payment_intent)
    .filter(({ charge }) => wanted.charge === undefined || charge === wanted.charge)
  return pageOf(rows, wanted, { url: '/v1/refunds', draw: refundObject })
}

function listCharges({ desk, given }: Call) {
  const wanted = params.readParams(params.ChargeList, given)
  const rows = desk.store
    .list('charge')
    .filter(({ intent }) => wanted.payment_intent === undefined || intent === wanted.payment_intent)
  return pageOf(rows, wanted, { url: '/v1/charges', draw: chargeObject })
}

function listEvents({ desk, given }: Call) {
  const wanted = params.readParams(params.EventList, given)
  const rows = desk.store
    .list('event')
    .filter(({ protocol }) => protocol === 'stripe')
    .filter(({ type }) => wanted.type === undefined || wanted.type === type)
    .filter(({ type }) => wanted.types === undefined || wanted.types.includes(type))
    .map((row) => ({ ...row, created: Math.floor(row.created / 1_000) }))
  return pageOf(rows, wanted, {
    url: '/v1/events',
    draw: ({ body }) => JSON.parse(body) as unknown,
  })
}

const ROUTES: [method: string, path: RegExp, handler: Handler][] = [
  [
    'POST',
    /^\/v1\/checkout\/sessions$/,
    ({ desk, given }) => {
      const wanted = params.readParams(params.SessionCreate, given)
      return expanded(desk, createSession(desk, wanted), wanted.expand)
    },
  ],
  ['GET', /^\/v1\/checkout\/sessions$/, listSessions],
  [
    'GET',
    /^\/v1\/checkout\/sessions\/(\w+)$/,
    ({ desk, given, id }) => {
      const { expand } = params.readParams(params.OnlyExpand, given)
      return expanded(desk, readSession(desk, id), expand)
    },
  ],
  [
    'POST',
    /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    reader((desk, id) => sessionObject(expireSession(desk, id))),
  ],
  [
    'GET',
    /^\/v1\/payment_intents\/(\w+)$/,
    reader((desk, id) => {
      const intent = desk.store.find('intent', id)
      if (intent === undefined) throw noSuch('payment_intent', id)
      return intentObject(intent)
    }),
  ],
  [
    'GET',
    /^\/v1\/charges\/(\w+)$/,
    reader((desk, id) => {
      const charge = desk.store.find('charge', id)
      if (charge === undefined) throw noSuch('charge', id)
      return chargeObject(charge)
    }),
  ],
  [
    'POST',
    /^\/v1\/refunds$/,
    ({ desk, given }) =>
      refundObject(createRefund(desk, params.readParams(params.RefundCreate, given))),
  ],
  ['GET', /^\/v1\/charges$/, listCharges],
  ['GET', /^\/v1\/refunds$/, listRefunds],
  [
    'GET',
    /^\/v1\/refunds\/(\w+)$/,
    reader((desk, id) => {
      const refund = desk.store.find('refund', id)
      if (refund === undefined) throw noSuch('refund', id)
      return refundObject(refund)
    }),
  ],
  ['GET', /^\/v1\/events$/, listEvents],
  [
    'POST',
    /^\/v1\/webhook_endpoints$/,
    ({ desk, given }) => {
      const made = createEndpoint(desk, params.readParams(params.EndpointCreate, given))
      return { ...endpointObject(made), secret: made.secret }
    },
  ],
]

/** Whether a path is one of the card protocol's. */
export function isStripePath(path: string): boolean {
  return /^\/v1\/(checkout|payment_intents|charges|refunds|events|webhook_endpoints)\b/.test(path)
}

function checkCaller(desk: Desk, { headers }: Asked): void {
  const key = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '')?.[1]
  if (key === undefined) {
    throw stripeFailure(401, { message: 'You did not provide an API key.' }, true)
  }
  if (key !== desk.keys.secretKey) {
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

function givenIn(asked: Asked): unknown {
  return decodeForm(asked.method === 'GET' ? asked.query : asked.body)
}

function run(desk: Desk, asked: Asked): Answered {
  checkCaller(desk, asked)
  for (const [method, path, handler] of ROUTES) {
    const match = path.exec(asked.path)
    if (match === null || method !== asked.method) continue
    return jsonAnswer(200, handler({ desk, given: givenIn(asked), id: match[1] ?? '' }))
  }
  throw stripeFailure(
    404,
    { message: `Unrecognized request URL (${asked.method}: ${asked.path}).` },
    true,
  )
}

/** Answers a call of the card protocol as Stripe would, once per idempotency key. */
export function answerStripe(desk: Desk, asked: Asked): Answered {
  const key = asked.method === 'POST' ? asked.headers['idempotency-key'] : undefined
  const keyed = {
    key: key === undefined ? null : `stripe ${key}`,
    keepMs: DAY_MS,
    // Failures too: the first answer is the answer.
    keeps: () => true,
    mismatch: () =>
      stripeFailure(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key ?? ''}' if you meant to execute a different request.`,
      }),
    replayed: ({ status, body }: { status: number; body: string }) =>
      jsonAnswer(status, body, { 'idempotent-replayed': 'true' }),
  }
  return once(desk, { asked, keyed, run: () => run(desk, asked) })
}
