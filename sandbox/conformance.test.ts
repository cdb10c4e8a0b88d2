import type { ValidateFunction } from 'ajv'
import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { PaymentOrder } from '#server/gateways/payment-gateways.ts'
import { makePaypal } from '#server/gateways/paypal.ts'
import { makeStripe } from '#server/gateways/stripe.ts'
import { faultsOf, paypalSchemas, stripeSchemas } from '#tests/harness/servers/gateway-schemas.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { decodeForm } from './stripe/stripe-params.ts'

const START = Date.parse('2026-03-02T09:00:00Z')

const order: PaymentOrder = {
  paymentId: 'pay_00000000000000000000000001',
  bookingId: 'apt_00000000000000000000000001',
  amountMinor: 5_000,
  currency: 'GBP',
  email: 'jo@example.com',
  publicUrl: 'https://care.example',
  expiresAt: START + 36 * 60_000,
}

type Exchange = { call: string; request: unknown; status: number; response: unknown }

/** A sandbox whose traffic is recorded, and both gateways as its clients. */
async function startRecordedSandbox() {
  let clock = START
  const now = () => clock
  const bench = await startSandbox({ now })
  const exchanges: Exchange[] = []
  bench.sandbox.listen = (asked, answered) => {
    const isJson = asked.headers['content-type'] === 'application/json'
    exchanges.push({
      call: `${asked.method} ${asked.path}`,
      request: isJson ? JSON.parse(asked.body || '{}') : decodeForm(asked.body),
      status: answered.status,
      response: JSON.parse(String(answered.body)),
    })
  }
  const common = { publicUrl: 'https://care.example', now }
  const { stripe, paypal } = await bench.connection.access()
  return {
    bench,
    exchanges,
    advance: (ms: number) => {
      clock += ms
    },
    stripe: makeStripe({ ...common, access: () => Promise.resolve(stripe) }),
    paypal: makePaypal({ ...common, access: () => Promise.resolve(paypal) }),
    sdk: new Stripe(stripe.secretKey, {
      host: '127.0.0.1',
      port: new URL(bench.baseUrl).port,
      protocol: 'http',
      telemetry: false,
    }),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

type Rule = { call: RegExp; request?: ValidateFunction; response: ValidateFunction }

const RULES: Rule[] = [
  {
    call: /^POST \/v1\/checkout\/sessions$/,
    request: stripeSchemas.sessionCreate,
    response: stripeSchemas.session,
  },
  { call: /^GET \/v1\/checkout\/sessions$/, response: stripeSchemas.sessionList },
  {
    call: /^(GET|POST) \/v1\/checkout\/sessions\/\w+(\/expire)?$/,
    response: stripeSchemas.session,
  },
  { call: /^GET \/v1\/payment_intents\/\w+$/, response: stripeSchemas.intent },
  { call: /^GET \/v1\/charges\/\w+$/, response: stripeSchemas.charge },
  { call: /^GET \/v1\/charges$/, response: stripeSchemas.chargeList },
  {
    call: /^POST \/v1\/refunds$/,
    request: stripeSchemas.refundCreate,
    response: stripeSchemas.refund,
  },
  { call: /^GET \/v1\/refunds$/, response: stripeSchemas.refundList },
  { call: /^GET \/v1\/refunds\/\w+$/, response: stripeSchemas.refund },
  { call: /^GET \/v1\/disputes$/, response: stripeSchemas.disputeList },
  { call: /^GET \/v1\/disputes\/\w+$/, response: stripeSchemas.dispute },
  { call: /^POST \/v1\/webhook_endpoints$/, response: stripeSchemas.endpoint },
  {
    call: /^POST \/v2\/checkout\/orders$/,
    request: paypalSchemas.orderRequest,
    response: paypalSchemas.order,
  },
  { call: /^(GET|POST) \/v2\/checkout\/orders\/\w+(\/capture)?$/, response: paypalSchemas.order },
  {
    call: /^POST \/v2\/payments\/captures\/\w+\/refund$/,
    request: paypalSchemas.refundRequest,
    response: paypalSchemas.refund,
  },
  { call: /^GET \/v2\/payments\/refunds\/\w+$/, response: paypalSchemas.refund },
]

function faultsIn(exchanges: Exchange[]): string[] {
  return exchanges.flatMap(({ call, request, status, response }) => {
    if (call.includes('/oauth2/') || status >= 400) return []
    const rule = RULES.find((one) => one.call.test(call))
    if (rule === undefined) return [`${call}: nobody says what it should be`]
    const asked = rule.request === undefined ? [] : faultsOf(rule.request, request)
    const answered = faultsOf(rule.response, response)
    return [...asked, ...answered].map((fault) => `${call}: ${fault}`)
  })
}

test('everything the card gateway sends and receives matches the package’s types', async () => {
  await using at = await startRecordedSandbox()
  const { session } = await at.stripe.open(order)
  await at.stripe.read({ session, gwPayment: null })
  at.bench.payByCard(session, '4000 0000 0000 0002')
  const { intent } = at.bench.sandbox.ctx.store.find('session', session) ?? {}
  await at.sdk.paymentIntents.retrieve(intent ?? '')
  at.bench.payByCard(session)
  const { gwPayment } = await at.stripe.read({ session, gwPayment: null })
  const paid = await at.sdk.paymentIntents.retrieve(gwPayment ?? '')
  const { latest_charge: charge } = paid
  await at.sdk.charges.retrieve(typeof charge === 'string' ? charge : '')
  const refund = {
    paymentId: order.paymentId,
    gwPayment: gwPayment ?? '',
    currency: 'GBP' as const,
  }
  const { id } = await at.stripe.refund({ ...refund, key: 'late', keyRound: 0, amountMinor: 2_000 })
  await at.stripe.readRefund(id ?? '')
  await at.sdk.refunds.list({ payment_intent: gwPayment ?? '' })
  const other = await at.stripe.open({ ...order, paymentId: 'pay_2' })
  await at.stripe.close(other.session)
  await at.stripe.listSince(0)
  await at.sdk.checkout.sessions.list({ created: { gte: 0 }, limit: 100 })
  await at.sdk.checkout.sessions.retrieve(session, { expand: ['line_items', 'payment_intent'] })
  await at.bench.refundByHand(gwPayment ?? '', 1_000)
  const dispute = await at.bench.dispute(gwPayment ?? '')
  await at.sdk.disputes.retrieve(dispute)
  await at.sdk.disputes.list({ payment_intent: gwPayment ?? '' })
  const expand = ['payment_intent.latest_charge']
  const whole = await at.sdk.checkout.sessions.retrieve(session, { expand })
  expect(faultsOf(stripeSchemas.intent, whole.payment_intent)).toEqual([])
  await at.sdk.checkout.sessions.list({ expand: ['data.payment_intent'] })
  await at.sdk.webhookEndpoints.create({ url: 'https://x.example/hook', enabled_events: ['*'] })
  expect(at.exchanges.length).toBeGreaterThanOrEqual(13)
  expect(faultsIn(at.exchanges)).toEqual([])
})

test('everything the wallet gateway sends and receives matches PayPal’s specification', async () => {
  await using at = await startRecordedSandbox()
  for (const [index, outcome] of (['pay', 'pending_complete', 'pending_deny'] as const).entries()) {
    const paymentId = `pay_${index}`
    const { session } = await at.paypal.open({ ...order, paymentId })
    await at.paypal.read({ session, gwPayment: null })
    at.bench.approve(session, outcome)
    await at.paypal.read({ session, gwPayment: null })
    const { gwPayment } = await at.paypal.capture(session, paymentId)
    at.advance(20_000)
    at.bench.sandbox.tick()
    const { state } = await at.paypal.read({ session, gwPayment: null })
    if (state !== 'paid') continue
    const refund = { paymentId, gwPayment: gwPayment ?? '', currency: 'GBP' as const }
    const { id } = await at.paypal.refund({
      ...refund,
      key: 'late',
      keyRound: 0,
      amountMinor: 2_000,
    })
    await at.paypal.readRefund(id ?? '')
    await at.paypal.read({ session, gwPayment: null })
  }
  expect(at.exchanges.length).toBeGreaterThanOrEqual(18)
  expect(faultsIn(at.exchanges)).toEqual([])
})

const CardEvent = z.strictObject({
  id: z.string(),
  object: z.literal('event'),
  api_version: z.literal('2026-10-28.endive'),
  created: z.int(),
  data: z.object({ object: z.looseObject({ object: z.string() }) }),
  livemode: z.literal(false),
  pending_webhooks: z.int(),
  request: z.object({ id: z.nullable(z.string()), idempotency_key: z.nullable(z.string()) }),
  type: z.string(),
})

const CARD_OBJECTS: Readonly<Record<string, ValidateFunction>> = {
  'checkout.session': stripeSchemas.session,
  payment_intent: stripeSchemas.intent,
  charge: stripeSchemas.charge,
  refund: stripeSchemas.refund,
  dispute: stripeSchemas.dispute,
}

test('every card event holds an object that matches the package’s types', async () => {
  await using at = await startRecordedSandbox()
  const { session } = await at.stripe.open(order)
  at.bench.payByCard(session, '4000 0000 0000 9995')
  at.bench.payByCard(session, '4000 0000 0000 0259')
  const { gwPayment } = await at.stripe.read({ session, gwPayment: null })
  const [dispute] = at.bench.sandbox.ctx.store.list('dispute')
  // While it is open, nothing can be refunded.
  await at.bench.closeDispute(dispute?.id ?? '', 'won')
  const refund = {
    paymentId: order.paymentId,
    gwPayment: gwPayment ?? '',
    currency: 'GBP' as const,
  }
  await at.stripe.refund({ ...refund, key: 'late', keyRound: 0, amountMinor: 5_000 })
  const failing = await at.stripe.open({ ...order, paymentId: 'pay_2' })
  at.bench.payByCard(failing.session, '4000 0000 0000 5126')
  const { gwPayment: second } = await at.stripe.read({ session: failing.session, gwPayment: null })
  await at.stripe.refund({
    ...refund,
    paymentId: 'pay_2',
    gwPayment: second ?? '',
    key: 'x',
    keyRound: 0,
    amountMinor: 5_000,
  })
  at.advance(60_000)
  at.bench.sandbox.tick()
  const closing = await at.stripe.open({
    ...order,
    paymentId: 'pay_3',
    expiresAt: START + 40 * 60_000,
  })
  await at.stripe.close(closing.session)
  const events = at.bench.sandbox.ctx.store
    .list('event')
    .map(({ body }) => CardEvent.parse(JSON.parse(body)))
  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set([
      'charge.dispute.closed',
      'charge.dispute.created',
      'charge.refunded',
      'charge.succeeded',
      'checkout.session.completed',
      'checkout.session.expired',
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
      'refund.created',
      'refund.failed',
      'refund.updated',
    ]),
  )
  const faults = events.flatMap(({ type, data: { object } }) => {
    const validate = CARD_OBJECTS[object.object]
    return validate === undefined
      ? [type]
      : faultsOf(validate, object).map((one) => `${type}: ${one}`)
  })
  expect(faults).toEqual([])
})

test('every wallet event matches PayPal’s specification', async () => {
  await using at = await startRecordedSandbox()
  for (const [index, outcome] of (['pay', 'pending_deny'] as const).entries()) {
    const { session } = await at.paypal.open({ ...order, paymentId: `pay_${index}` })
    at.bench.approve(session, outcome)
    const { gwPayment } = await at.paypal.capture(session, `pay_${index}`)
    const refund = {
      paymentId: `pay_${index}`,
      gwPayment: gwPayment ?? '',
      currency: 'GBP' as const,
    }
    if (outcome !== 'pay') continue
    await at.paypal.refund({ ...refund, key: 'x', keyRound: 0, amountMinor: 2_000 })
    await at.bench.closeDispute(await at.bench.dispute(gwPayment ?? ''), 'won')
    await at.bench.refundByHand(gwPayment ?? '')
  }
  at.advance(20_000)
  at.bench.sandbox.tick()
  const bodies = at.bench.sandbox.ctx.store
    .list('event')
    .map(({ body }): unknown => JSON.parse(body))
  const types = at.bench.sandbox.ctx.store.list('event').map(({ type }) => type)
  expect(new Set(types)).toEqual(
    new Set([
      'CHECKOUT.ORDER.APPROVED',
      'PAYMENT.CAPTURE.COMPLETED',
      'PAYMENT.CAPTURE.PENDING',
      'PAYMENT.CAPTURE.DENIED',
      'PAYMENT.CAPTURE.REFUNDED',
      'CUSTOMER.DISPUTE.CREATED',
      'CUSTOMER.DISPUTE.RESOLVED',
    ]),
  )
  expect(bodies.flatMap((body) => faultsOf(paypalSchemas.event, body))).toEqual([])
})

const session = {
  mode: 'payment',
  ui_mode: 'embedded_page',
  allowed_payment_method_types: ['card'],
  return_url: 'https://care.example/return',
  line_items: [
    {
      quantity: '1',
      price_data: { currency: 'gbp', unit_amount: '5000', product_data: { name: 'Appointment' } },
    },
  ],
}
const [line] = session.line_items
const decimalAmount = { ...line, price_data: { ...line?.price_data, unit_amount: '50.00' } }

test.each([
  ['the old name of the embedded page', { ...session, ui_mode: 'embedded' }],
  ['a parameter this version no longer has', { ...session, payment_method_types: ['card'] }],
  ['an amount with a point', { ...session, line_items: [decimalAmount] }],
])('the schemas refuse a session with %s, which compiles', (_what, params) => {
  expect(faultsOf(stripeSchemas.sessionCreate, session)).toEqual([])
  expect(faultsOf(stripeSchemas.sessionCreate, params)).not.toEqual([])
})

const unit = { amount: { currency_code: 'GBP', value: '50.00' }, custom_id: 'pay_1' }
const wallet = { intent: 'CAPTURE', purchase_units: [unit] }

test.each([
  ['an amount that is a number', { ...unit, amount: { currency_code: 'GBP', value: 50 } }],
  ['a name in the wrong case', { ...unit, customId: 'pay_1' }],
])('the schemas refuse an order with %s', (_what, wrong) => {
  expect(faultsOf(paypalSchemas.orderRequest, wallet)).toEqual([])
  const order_request = { ...wallet, purchase_units: [wrong] }
  expect(faultsOf(paypalSchemas.orderRequest, order_request)).not.toEqual([])
})
