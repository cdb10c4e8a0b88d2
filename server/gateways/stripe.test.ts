import { expect, test } from 'vitest'
import { stripeSignature } from '#sandbox/signatures.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { BadSignatureError, type PaymentOrder } from './payment-gateways.ts'
import { makeStripe } from './stripe.ts'

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

async function begin() {
  let clock = START
  const now = () => clock
  const bench = await startSandbox({ now })
  const gateway = makeStripe({
    access: async () => (await bench.connection.access()).stripe,
    now,
  })
  const advance = (ms: number) => {
    clock += ms
  }
  return { bench, gateway, advance, now, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() }
}

test('a session is opened once, however often it is requested', async () => {
  await using at = await begin()
  const first = await at.gateway.open(order)
  at.advance(60_000)
  expect(await at.gateway.open(order)).toEqual(first)
  expect(first.session).toMatch(/^cs_test_/)
  expect(first.clientSecret).toContain(`${first.session}_secret_`)
  expect(at.bench.sandbox.ctx.store.list('session')).toHaveLength(1)
})

test('the gateway gets the amount, the currency and our ids, and nothing about the visit', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  expect(at.bench.sandbox.ctx.store.find('session', session)).toMatchObject({
    amount: 5_000,
    currency: 'gbp',
    product: 'Appointment',
    reference: order.paymentId,
    email: 'jo@example.com',
    metadata: { payment_id: order.paymentId },
    intentMetadata: { payment_id: order.paymentId },
    transferGroup: order.bookingId,
    returnUrl: 'https://care.example/return?session_id={CHECKOUT_SESSION_ID}',
    hasAdaptivePricing: false,
    expiresAt: (START + 36 * 60_000) / 1_000,
  })
  expect(await at.gateway.read({ session, gwPayment: null })).toEqual({
    state: 'open',
    paymentId: order.paymentId,
    amountMinor: 5_000,
    currency: 'GBP',
    gwPayment: null,
    returnedMinor: 0,
    email: 'jo@example.com',
  })
})

test('the same key with another amount is refused', async () => {
  await using at = await begin()
  await at.gateway.open(order)
  await expect(at.gateway.open({ ...order, amountMinor: 1 })).rejects.toMatchObject({
    name: 'GatewayRefusal',
    isKept: false,
  })
})

test('a successful card makes the session paid, a declined one leaves it open', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  expect(at.bench.payByCard(session, '4000 0000 0000 0002')).toEqual({
    result: 'declined',
    message: 'Your card was declined.',
  })
  expect((await at.gateway.read({ session, gwPayment: null })).state).toBe('open')
  expect(at.bench.payByCard(session)).toEqual({ result: 'paid' })
  const truth = await at.gateway.read({ session, gwPayment: null })
  expect(truth).toMatchObject({ state: 'paid', amountMinor: 5_000, currency: 'GBP' })
  expect(truth.gwPayment).toMatch(/^pi_/)
})

test('a closed session cannot be paid, and closing it again changes nothing', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  expect((await at.gateway.close(session)).state).toBe('closed')
  expect(at.bench.payByCard(session)).toEqual({ result: 'over' })
  expect((await at.gateway.close(session)).state).toBe('closed')
})

test('closing a session that was just paid reports it as paid', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.bench.payByCard(session)
  expect((await at.gateway.close(session)).state).toBe('paid')
})

test('a session expires at its time', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.advance(36 * 60_000)
  expect((await at.gateway.read({ session, gwPayment: null })).state).toBe('closed')
})

test('a refund is made once per key, and never beyond the amount paid', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.bench.payByCard(session)
  const { gwPayment } = await at.gateway.read({ session, gwPayment: null })
  const refund = {
    paymentId: order.paymentId,
    key: 'slot_lost',
    keyRound: 0,
    gwPayment: gwPayment ?? '',
    amountMinor: 5_000,
    currency: 'GBP' as const,
  }
  const first = await at.gateway.refund(refund)
  expect(first.id).toMatch(/^re_/)
  expect(first.state).toBe('done')
  expect(await at.gateway.refund(refund)).toEqual(first)
  expect(await at.gateway.readRefund(first.id ?? '')).toEqual(first)
  // Another key: the money has already been refunded.
  await expect(at.gateway.refund({ ...refund, key: 'review' })).rejects.toMatchObject({
    name: 'GatewayRefusal',
    reason: 'charge_already_refunded',
    isKept: false,
  })
  expect(at.bench.sandbox.ctx.store.list('refund')).toHaveLength(1)
})

test('a refund that fails later is read as failed', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.bench.payByCard(session, '4000 0000 0000 5126')
  const { gwPayment } = await at.gateway.read({ session, gwPayment: null })
  const refund = { paymentId: order.paymentId, key: 'slot_lost', keyRound: 0, amountMinor: 5_000 }
  const { id } = await at.gateway.refund({ ...refund, gwPayment: gwPayment ?? '', currency: 'GBP' })
  at.advance(10_000)
  at.bench.sandbox.tick()
  expect((await at.gateway.readRefund(id ?? '')).state).toBe('failed')
})

test.each(['drop_before', 'drop_after', 'error_500', 'conflict_409'] as const)(
  'one %s is retried with the same key: one session in the end',
  async (fault) => {
    await using at = await begin()
    const rules = [{ path: '/v1/checkout/sessions', method: 'POST' as const, fault, times: 1 }]
    await at.bench.tell({ do: 'fail_calls', rules })
    await at.gateway.open(order)
    expect(at.bench.sandbox.ctx.store.list('session')).toHaveLength(1)
  },
)

test('an unreachable gateway is an upstream error, without an email address', async () => {
  await using at = await begin()
  const rules = [{ path: '/v1/', fault: 'drop_before' as const, times: 100 }]
  await at.bench.tell({ do: 'fail_calls', rules })
  const failure = await at.gateway.open(order).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(UpstreamError)
  expect(String(failure)).toBe('UpstreamError: Stripe did not answer as it should.')
})

test('charges and refunds since a time are listed over all pages, declines are not', async () => {
  await using at = await begin()
  at.bench.payByCard((await at.gateway.open(order)).session)
  at.advance(3_600_000)
  const expiresAt = at.now() + 36 * 60_000
  const later = Array.from({ length: 103 }, (_none, index) => `pay_later${index}`)
  for (const paymentId of later) {
    const { session } = await at.gateway.open({ ...order, paymentId, expiresAt })
    if (paymentId === 'pay_later0') at.bench.payByCard(session, '4000 0000 0000 0002')
    else at.bench.payByCard(session)
  }
  const { taken } = await at.gateway.listSince(START + 60_000)
  expect(taken).toHaveLength(102)
  expect(new Set(taken.map(({ paymentId }) => paymentId))).toEqual(new Set(later.slice(1)))
  expect(new Set(taken.map(({ amountMinor, currency }) => `${amountMinor} ${currency}`))).toEqual(
    new Set(['5000 GBP']),
  )
  const [one] = taken
  if (one === undefined) throw new Error('Nothing was taken.')
  const { gwPayment, paymentId } = one
  const money = { paymentId: paymentId ?? '', gwPayment, key: 'late', currency: 'GBP' as const }
  const { id } = await at.gateway.refund({ ...money, keyRound: 0, amountMinor: 2_000 })
  expect((await at.gateway.listSince(START + 60_000)).returned).toEqual([
    { id, ...money, amountMinor: 2_000, state: 'done' },
  ])
})

function eventBody(object: object, livemode = false): string {
  return JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'checkout.session.completed',
    livemode,
    data: { object },
  })
}

async function readEvent(body: string, header: (secret: string, now: number) => string) {
  await using at = await begin()
  const { webhookSecret } = at.bench.sandbox.ctx.keys
  const headers = new Headers({ 'stripe-signature': header(webhookSecret, at.now()) })
  return await at.gateway.readEvent(body, headers)
}

test('an event is verified by its signature, and names its object', async () => {
  const body = eventBody({ id: 'cs_test_1', object: 'checkout.session' })
  const event = await readEvent(body, (secret, now) => stripeSignature(body, secret, now))
  expect(event).toEqual({
    id: 'evt_1',
    type: 'checkout.session.completed',
    object: 'cs_test_1',
    isLive: false,
  })
})

test('events about charges and refunds name their payment intent', async () => {
  const body = eventBody({ id: 'ch_1', object: 'charge', payment_intent: 'pi_1' })
  const event = await readEvent(body, (secret, now) => stripeSignature(body, secret, now))
  expect(event.object).toBe('pi_1')
})

const body = eventBody({ id: 'cs_test_1', object: 'checkout.session' })

test.each<[string, string, (secret: string, now: number) => string]>([
  ['one byte changed', body.replace('evt_1', 'evt_2'), (s, now) => stripeSignature(body, s, now)],
  ['another secret', body, (_s, now) => stripeSignature(body, 'whsec_another', now)],
  ['more than 300 s old', body, (s, now) => stripeSignature(body, s, now - 301_000)],
  ['no signature', body, () => ''],
  ['another mode', eventBody({}, true), (s, now) => stripeSignature(eventBody({}, true), s, now)],
])('an event with %s is refused', async (_what, sent, header) => {
  await expect(readEvent(sent, header)).rejects.toBeInstanceOf(BadSignatureError)
})

test('an event of 300 seconds ago is still accepted', async () => {
  const event = await readEvent(body, (secret, now) => stripeSignature(body, secret, now - 300_000))
  expect(event.id).toBe('evt_1')
})

test('during a key rotation both secrets are accepted, and no third', async () => {
  await using at = await begin()
  const { stripe } = await at.bench.connection.access()
  const webhookSecrets = ['whsec_new_secret', 'whsec_old_secret']
  const access = () => Promise.resolve({ ...stripe, webhookSecrets })
  const gateway = makeStripe({ access, now: at.now })
  const headersFor = (secret: string) =>
    new Headers({ 'stripe-signature': stripeSignature(body, secret, at.now()) })
  for (const secret of webhookSecrets) {
    expect((await gateway.readEvent(body, headersFor(secret))).id).toBe('evt_1')
  }
  const third = gateway.readEvent(body, headersFor('whsec_third_secret'))
  await expect(third).rejects.toBeInstanceOf(BadSignatureError)
})
