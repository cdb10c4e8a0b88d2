import { expect, test } from 'vitest'
import { faultsOf, paypalSchemas, stripeSchemas } from '#tests/harness/servers/gateway-schemas.ts'
import { paypalWire, startSandbox, stripeWire } from '#tests/harness/servers/sandbox.ts'
import { captureOrder, createOrder } from './paypal/paypal-orders.ts'
import type { WalletOutcome } from './store.ts'
import { createSession } from './stripe/stripe-sessions.ts'

const START = Date.parse('2026-03-02T09:00:00Z')

/** A session and an order, both paid, at gateways whose traffic is recorded. */
async function startPaidSandbox(outcome: WalletOutcome = 'pay') {
  let clock = START
  const bench = await startSandbox({ now: () => clock })
  const { ctx } = bench.sandbox
  const session = createSession(ctx, {
    mode: 'payment',
    ui_mode: 'embedded_page',
    return_url: 'https://care.example/return',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'gbp',
          unit_amount: 5_000,
          product_data: { name: 'Appointment' },
        },
      },
    ],
    payment_intent_data: { metadata: { payment_id: 'pay_1' } },
  }).id
  bench.payByCard(session)
  const order = createOrder(ctx, {
    intent: 'CAPTURE',
    purchase_units: [
      {
        custom_id: 'pay_2',
        invoice_id: 'pay_2',
        amount: { currency_code: 'GBP', value: '50.00' },
      },
    ],
  }).id
  bench.approve(order, outcome)
  const capture = captureOrder(ctx, order).capture ?? ''
  const stripe = stripeWire(bench)
  const paypal = await paypalWire(bench)
  return {
    bench,
    session,
    order,
    capture,
    intent: ctx.store.find('session', session)?.intent ?? '',
    stripe,
    paypal,
    hrefOf: (id: string) => `https://api-m.sandbox.paypal.com/v2/payments/captures/${id}`,
    readOrder: () => paypal('GET', `/v2/checkout/orders/${order}`),
    readCapture: async () => {
      const { json } = await paypal('GET', `/v2/payments/captures/${capture}`)
      expect(faultsOf(paypalSchemas.capture, json)).toEqual([])
      return json
    },
    readWhole: async () =>
      (
        await stripe(
          'GET',
          `/v1/checkout/sessions/${session}?expand[]=payment_intent.latest_charge`,
        )
      ).json,
    /** Types of the events so far, the newest last. */
    events: () =>
      ctx.store
        .list('event')
        .map(({ type }) => type)
        .toReversed(),
    lastEvent: (): unknown => JSON.parse(ctx.store.list('event')[0]?.body ?? ''),
    advance: (ms: number) => {
      clock += ms
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

test('a session can be expanded with its payment intent, charge and refunds', async () => {
  await using at = await startPaidSandbox()
  await at.bench.refundByHand(at.intent, 2_000)
  const charge = { amount: 5_000, amount_refunded: 2_000, refunded: false, disputed: false }
  const whole = await at.readWhole()
  expect(whole).toMatchObject({
    id: at.session,
    payment_status: 'paid',
    payment_intent: { id: at.intent, status: 'succeeded', latest_charge: charge },
  })
  await at.bench.refundByHand(at.intent)
  expect(await at.readWhole()).toMatchObject({
    payment_intent: { latest_charge: { amount_refunded: 5_000, refunded: true } },
  })
  const shallow = `/v1/checkout/sessions/${at.session}?expand[]=payment_intent`
  const { charge: id = null } = at.bench.sandbox.ctx.store.find('intent', at.intent) ?? {}
  expect((await at.stripe('GET', shallow)).json).toMatchObject({
    payment_intent: { id: at.intent, latest_charge: id },
  })
})

test.each([
  '/v1/checkout/sessions/SESSION?expand[]=customer',
  '/v1/checkout/sessions/SESSION?expand[]=payment_intent.review',
  '/v1/checkout/sessions?expand[]=payment_intent',
  '/v1/checkout/sessions?expand[]=data',
])('%s cannot be expanded', async (path) => {
  await using at = await startPaidSandbox()
  expect(await at.stripe('GET', path.replace('SESSION', at.session))).toMatchObject({
    status: 400,
    json: { error: { param: 'expand' } },
  })
})

test('sessions are listed by time and by payment intent', async () => {
  await using at = await startPaidSandbox()
  const found = async (query: string) => {
    const { json } = await at.stripe('GET', `/v1/checkout/sessions?${query}`)
    return json
  }
  const seconds = START / 1_000
  const mine = { data: [{ id: at.session }] }
  expect(await found(`payment_intent=${at.intent}&created[gte]=${seconds}`)).toMatchObject(mine)
  expect(await found(`created[gte]=${seconds + 1}`)).toMatchObject({ data: [] })
  expect(await found('payment_intent=pi_other')).toMatchObject({ data: [] })
  const whole = await found('expand[]=data.payment_intent.latest_charge')
  expect(whole).toMatchObject({ data: [{ payment_intent: { latest_charge: { paid: true } } }] })
})

test('a manual refund at Stripe is listed without our metadata, and sends a webhook', async () => {
  await using at = await startPaidSandbox()
  const id = await at.bench.refundByHand(at.intent, 2_000)
  const { json } = await at.stripe('GET', `/v1/refunds?payment_intent=${at.intent}`)
  expect(json).toMatchObject({ data: [{ id, amount: 2_000, metadata: {}, status: 'succeeded' }] })
  expect(at.events().slice(-3)).toEqual(['refund.created', 'charge.refunded', 'refund.updated'])
  await expect(at.bench.refundByHand(at.intent, 3_001)).rejects.toThrow('greater than')
})

test('a manual refund at PayPal shows on the order, the capture and as a refund', async () => {
  await using at = await startPaidSandbox()
  const id = await at.bench.refundByHand(at.capture, 2_000)
  const amount = { currency_code: 'GBP', value: '20.00' }
  const refund = { id, amount, status: 'COMPLETED', custom_id: 'pay_2', invoice_id: 'pay_2' }
  expect((await at.readOrder()).json).toMatchObject({
    purchase_units: [
      { payments: { captures: [{ status: 'PARTIALLY_REFUNDED' }], refunds: [refund] } },
    ],
  })
  expect((await at.paypal('GET', `/v2/payments/refunds/${id}`)).json).toMatchObject(refund)
  expect(at.lastEvent()).toMatchObject({
    event_type: 'PAYMENT.CAPTURE.REFUNDED',
    resource: { ...refund, links: [{ rel: 'self' }, { rel: 'up', href: at.hrefOf(at.capture) }] },
  })
  await at.bench.refundByHand(at.capture)
  expect(await at.readCapture()).toMatchObject({ status: 'REFUNDED' })
})

test('a capture has our ids and its order, also in events', async () => {
  await using at = await startPaidSandbox('pending_complete')
  const capture = {
    id: at.capture,
    custom_id: 'pay_2',
    invoice_id: 'pay_2',
    amount: { currency_code: 'GBP', value: '50.00' },
    supplementary_data: { related_ids: { order_id: at.order } },
  }
  expect(await at.readCapture()).toMatchObject({ ...capture, status: 'PENDING' })
  at.advance(20_000)
  at.bench.sandbox.tick()
  expect(at.lastEvent()).toMatchObject({
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    resource: { ...capture, status: 'COMPLETED' },
  })
})

test('GET of a forgotten order is 404 while its money still moves', async () => {
  await using at = await startPaidSandbox('pending_complete')
  await at.bench.forget(at.order)
  const gone = { status: 404, json: { name: 'RESOURCE_NOT_FOUND' } }
  expect(await at.readOrder()).toMatchObject(gone)
  at.advance(20_000)
  at.bench.sandbox.tick()
  expect(at.events().at(-1)).toBe('PAYMENT.CAPTURE.COMPLETED')
  expect(await at.readCapture()).toMatchObject({ status: 'COMPLETED' })
  expect(await at.readOrder()).toMatchObject(gone)
  await expect(at.bench.forget('NONE')).rejects.toThrow('INVALID_RESOURCE_ID')
})

test.each(['won', 'lost'] as const)('a dispute of a charge is opened and %s', async (outcome) => {
  await using at = await startPaidSandbox()
  const id = await at.bench.dispute(at.intent, 'product_not_received', 3_000)
  const { json } = await at.stripe('GET', `/v1/disputes?payment_intent=${at.intent}`)
  const open = { id, amount: 3_000, reason: 'product_not_received', status: 'needs_response' }
  expect(json).toMatchObject({ data: [open] })
  expect(at.lastEvent()).toMatchObject({ type: 'charge.dispute.created', data: { object: open } })
  expect(await at.readWhole()).toMatchObject({
    payment_intent: { latest_charge: { disputed: true } },
  })
  await expect(at.bench.refundByHand(at.intent)).rejects.toThrow('charge_disputed')
  await at.bench.closeDispute(id, outcome)
  const closed = await at.stripe('GET', `/v1/disputes/${id}`)
  expect(faultsOf(stripeSchemas.dispute, closed.json)).toEqual([])
  expect(closed.json).toMatchObject({ status: outcome })
  expect(at.events().at(-1)).toBe('charge.dispute.closed')
  await expect(at.bench.closeDispute(id, outcome)).rejects.toThrow('already closed')
  const refund = at.bench.refundByHand(at.intent)
  if (outcome === 'won') expect(await refund).toMatch(/^re_/)
  else await expect(refund).rejects.toThrow('charge_disputed')
})

test.each([
  ['won', 'RESOLVED_SELLER_FAVOUR', '0.00'],
  ['lost', 'RESOLVED_BUYER_FAVOUR', '50.00'],
] as const)('a case about a capture is opened and %s', async (outcome, code, back) => {
  await using at = await startPaidSandbox()
  const id = await at.bench.dispute(at.capture)
  const path = `/v1/customer/disputes/${id}`
  const open = await at.paypal('GET', path)
  expect(faultsOf(paypalSchemas.dispute, open.json)).toEqual([])
  expect(open.json).toMatchObject({
    dispute_id: id,
    status: 'OPEN',
    reason: 'UNAUTHORISED',
    disputed_transactions: [{ seller_transaction_id: at.capture, custom: 'pay_2' }],
  })
  expect(at.lastEvent()).toMatchObject({
    event_type: 'CUSTOMER.DISPUTE.CREATED',
    resource_type: 'dispute',
    resource: open.json,
  })
  const list = `/v1/customer/disputes?disputed_transaction_id=${at.capture}`
  expect((await at.paypal('GET', list)).json).toMatchObject({ items: [{ dispute_id: id }] })
  await expect(at.bench.refundByHand(at.capture, 1)).rejects.toThrow('TRANSACTION_DISPUTED')
  await at.bench.closeDispute(id, outcome)
  const closed = await at.paypal('GET', path)
  expect(faultsOf(paypalSchemas.dispute, closed.json)).toEqual([])
  expect(closed.json).toMatchObject({
    status: 'RESOLVED',
    dispute_outcome: { outcome_code: code, amount_refunded: { value: back } },
  })
  expect(at.events().at(-1)).toBe('CUSTOMER.DISPUTE.RESOLVED')
})

test('a dispute’s reason must be one of its gateway’s', async () => {
  await using at = await startPaidSandbox()
  await expect(at.bench.dispute(at.intent, 'UNAUTHORISED')).rejects.toThrow('no reason')
  await expect(at.bench.dispute(at.capture, 'fraudulent')).rejects.toThrow('no reason')
})

test('the control endpoint refuses what is not JSON as a wrong command', async () => {
  await using at = await startPaidSandbox()
  const { baseUrl, sandbox } = at.bench
  const headers = { authorization: `Bearer ${sandbox.ctx.keys.control}` }
  for (const body of ['{"do":', '', '{"do":"nothing"}']) {
    const url = `${baseUrl}/_sandbox/control`
    const response = await fetch(url, { method: 'POST', headers, body })
    expect([body, response.status]).toEqual([body, 400])
  }
})
