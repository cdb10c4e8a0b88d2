import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import type { CallRule } from '#sandbox/faults.ts'
import { paypalSignature } from '#sandbox/signatures.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { BadSignatureError, type PaymentOrder } from './payment-gateways.ts'
import { makePaypal } from './paypal.ts'

const START = Date.parse('2026-03-02T09:00:00Z')

const order: PaymentOrder = {
  paymentId: 'pay_00000000000000000000000001',
  bookingId: 'apt_00000000000000000000000001',
  amountMinor: 5_050,
  currency: 'GBP',
  email: 'jo@example.com',
  publicUrl: 'https://care.example',
  expiresAt: START + 36 * 60_000,
}

async function begin() {
  let clock = START
  const now = () => clock
  const bench = await startSandbox({ now })
  const gateway = makePaypal({
    access: async () => (await bench.connection.access()).paypal,
    now,
  })
  const advance = (ms: number) => {
    clock += ms
  }
  const fail = (...rules: CallRule[]) => bench.tell({ do: 'fail_calls', rules })
  return {
    bench,
    gateway,
    advance,
    now,
    fail,
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

test('an order is created once, however often it is requested', async () => {
  await using at = await begin()
  const first = await at.gateway.open(order)
  expect(first.session).toMatch(/^[0-9A-Z]{17}$/)
  expect(await at.gateway.open(order)).toEqual(first)
  expect(at.bench.sandbox.ctx.store.list('order')).toHaveLength(1)
})

test('the wallet gets the amount as text and our id, and nothing about the visit', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  expect(at.bench.sandbox.ctx.store.find('order', session)).toMatchObject({
    currency: 'GBP',
    value: '50.50',
    customId: order.paymentId,
    invoiceId: order.paymentId,
    description: 'Appointment',
  })
  expect(await at.gateway.read({ session, gwPayment: null })).toEqual({
    state: 'open',
    paymentId: order.paymentId,
    amountMinor: 5_050,
    currency: 'GBP',
    gwPayment: null,
    returnedMinor: 0,
    email: null,
  })
})

test('an order is paid once captured, not when approved', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.bench.approve(session)
  expect((await at.gateway.read({ session, gwPayment: null })).state).toBe('approved')
  const truth = await at.gateway.capture(session, order.paymentId)
  expect(truth).toMatchObject({ state: 'paid', amountMinor: 5_050, currency: 'GBP' })
  expect(truth.gwPayment).toMatch(/^[0-9A-Z]{17}$/)
  expect(await at.gateway.capture(session, order.paymentId)).toEqual(truth)
  expect(await at.gateway.read({ session, gwPayment: null })).toEqual(truth)
  expect(at.bench.sandbox.ctx.store.list('capture')).toHaveLength(1)
})

test('two concurrent captures are one call', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.bench.approve(session)
  const both = await Promise.all([
    at.gateway.capture(session, order.paymentId),
    at.gateway.capture(session, order.paymentId),
  ])
  expect(both.map(({ state }) => state)).toEqual(['paid', 'paid'])
})

test('an order captured under another key is read again, not treated as a failure', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.bench.approve(session)
  await at.gateway.capture(session, order.paymentId)
  // After six hours PayPal has dropped the idempotency key, but not the capture.
  at.advance(7 * 3_600_000)
  expect((await at.gateway.capture(session, order.paymentId)).state).toBe('paid')
})

test('an order cannot be captured before approval', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  expect((await at.gateway.capture(session, order.paymentId)).state).toBe('open')
})

test('a declined instrument is reported as declined', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.bench.approve(session, 'decline')
  expect((await at.gateway.capture(session, order.paymentId)).state).toBe('declined')
  expect(at.bench.sandbox.ctx.store.list('capture')).toEqual([])
})

test.each([
  ['pending_complete', 'paid'],
  ['pending_deny', 'declined'],
] as const)('money that is %s is pending first and %s later', async (outcome, end) => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.bench.approve(session, outcome)
  expect((await at.gateway.capture(session, order.paymentId)).state).toBe('pending')
  at.advance(10_000)
  at.bench.sandbox.tick()
  expect((await at.gateway.read({ session, gwPayment: null })).state).toBe(end)
})

test('one invoice is captured once, even through two orders', async () => {
  await using at = await begin()
  const first = await at.gateway.open(order)
  at.bench.approve(first.session)
  await at.gateway.capture(first.session, order.paymentId)
  at.advance(7 * 3_600_000)
  const second = await at.gateway.open(order)
  expect(second.session).not.toBe(first.session)
  at.bench.approve(second.session)
  const truth = await at.gateway.capture(second.session, 'pay_another')
  expect(truth.state).toBe('declined')
})

test('an order PayPal no longer knows is closed', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.advance(7 * 3_600_000)
  expect((await at.gateway.read({ session, gwPayment: null })).state).toBe('missing')
  expect((await at.gateway.capture(session, order.paymentId)).state).toBe('missing')
})

test('a refund is made once per key, and never beyond the amount paid', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.bench.approve(session)
  const { gwPayment } = await at.gateway.capture(session, order.paymentId)
  const refund = {
    paymentId: order.paymentId,
    key: 'slot_lost',
    keyRound: 0,
    gwPayment: gwPayment ?? '',
    amountMinor: 5_050,
    currency: 'GBP' as const,
  }
  const first = await at.gateway.refund(refund)
  expect(first.state).toBe('done')
  expect(await at.gateway.refund(refund)).toEqual(first)
  expect(await at.gateway.readRefund(first.id ?? '')).toEqual(first)
  await expect(at.gateway.refund({ ...refund, key: 'review' })).rejects.toMatchObject({
    name: 'GatewayRefusal',
    reason: 'CAPTURE_FULLY_REFUNDED',
  })
  expect(at.bench.sandbox.ctx.store.list('walletRefund')).toHaveLength(1)
  expect((await at.gateway.read({ session, gwPayment: null })).state).toBe('paid')
})

test('a refund never exceeds the amount paid', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  at.bench.approve(session)
  const { gwPayment } = await at.gateway.capture(session, order.paymentId)
  const refund = { paymentId: order.paymentId, key: 'x', keyRound: 0, gwPayment: gwPayment ?? '' }
  const asked = at.gateway.refund({ ...refund, amountMinor: 5_051, currency: 'GBP' })
  await expect(asked).rejects.toMatchObject({ name: 'GatewayRefusal' })
})

test.each(['drop_before', 'drop_after', 'error_500', 'conflict_409', 'too_many_429'] as const)(
  'a capture that gets one %s is retried under its key: the money moves once',
  async (fault) => {
    await using at = await begin()
    const { session } = await at.gateway.open(order)
    at.bench.approve(session)
    await at.fail({ path: '*/capture', fault, times: 1 })
    expect((await at.gateway.capture(session, order.paymentId)).state).toBe('paid')
    expect(at.bench.sandbox.ctx.store.list('capture')).toHaveLength(1)
  },
)

test('an unreachable wallet is an upstream error', async () => {
  await using at = await begin()
  await at.fail({ path: '/v', fault: 'drop_before', times: 100 })
  await expect(at.gateway.open(order)).rejects.toBeInstanceOf(UpstreamError)
  await expect(
    at.gateway.read({ session: '5O190127TN364715T', gwPayment: null }),
  ).rejects.toBeInstanceOf(UpstreamError)
})

test('a token is fetched once, and again when it has expired', async () => {
  await using at = await begin()
  const { session } = await at.gateway.open(order)
  await at.fail({ path: '/v1/oauth2/token', fault: 'error_500', times: 10 })
  expect((await at.gateway.read({ session, gwPayment: null })).state).toBe('open')
  at.advance(10 * 3_600_000)
  await expect(at.gateway.read({ session, gwPayment: null })).rejects.toBeInstanceOf(UpstreamError)
})

const body = JSON.stringify(
  {
    id: 'WH-1',
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    // Spacing and escapes that only the sender would produce: the signed checksum covers these exact bytes.
    resource: {
      id: '2GG279541U471931P',
      note: 'café "x"',
      supplementary_data: { related_ids: { order_id: '5O190127TN364715T' } },
    },
  },
  null,
  1,
)

async function readEvent(
  sent: string,
  change: (headers: Record<string, string>) => object = (all) => all,
) {
  await using at = await begin()
  const signed = paypalSignature(body, at.bench.sandbox.ctx.keys, at.now())
  const headers = new Headers(
    Object.entries(change(signed)).map(([name, value]) => [name, String(value)]),
  )
  return await at.gateway.readEvent(sent, headers)
}

test('an event is verified by its signature over the exact bytes, and names its order', async () => {
  expect(await readEvent(body)).toEqual({
    id: 'WH-1',
    type: 'PAYMENT.CAPTURE.COMPLETED',
    object: '5O190127TN364715T',
    isLive: false,
  })
})

test.each([
  ['one byte changed', body.replace('WH-1', 'WH-2')],
  ['a space taken out', body.replace(': ', ':')],
  ['no JSON in it', 'hello'],
])('an event with %s is refused', async (_what, sent) => {
  await expect(readEvent(sent)).rejects.toBeInstanceOf(BadSignatureError)
})

test.each<[string, (headers: Record<string, string>) => object]>([
  ['no signature', () => ({})],
  ['another time', (all) => ({ ...all, 'paypal-transmission-time': '2026-03-02T08:00:00Z' })],
  ['another id', (all) => ({ ...all, 'paypal-transmission-id': 'another' })],
  ['a certificate of its own', (all) => ({ ...all, 'paypal-cert-url': 'https://evil.example/c' })],
])('an event with %s is refused', async (_what, change) => {
  await expect(readEvent(body, change)).rejects.toBeInstanceOf(BadSignatureError)
})

test.each<[string, (headers: Record<string, string>) => object]>([
  ['another algorithm', (all) => ({ ...all, 'paypal-auth-algo': 'none' })],
  ['an id that is none', (all) => ({ ...all, 'paypal-transmission-id': 'a"b' })],
  ['a signature that is none', (all) => ({ ...all, 'paypal-transmission-sig': 'junk' })],
  ['a time that is none', (all) => ({ ...all, 'paypal-transmission-time': 'yesterday' })],
  ...[
    'https://evil.example/c',
    'http://api.paypal.com/c',
    'https://api.paypal.com.evil.example/c',
    'https://api.paypal.com@evil.example/c',
    'https://evilpaypal.com/c',
    'https://api.paypal.com:8443/c',
    '//api.paypal.com/c',
  ].map((url): [string, (headers: Record<string, string>) => object] => [
    `its certificate at ${url}`,
    (all) => ({ ...all, 'paypal-cert-url': url }),
  ]),
])('an event with %s is refused without asking PayPal', async (_what, change) => {
  await using at = await begin()
  let asked = 0
  const access = () => {
    asked += 1
    return at.bench.connection
      .access()
      .then(({ paypal }) => ({ ...paypal, base: 'http://127.0.0.1:1' }))
  }
  const gateway = makePaypal({ access, now: at.now, chance: () => 0 })
  const signed = paypalSignature(body, at.bench.sandbox.ctx.keys, at.now())
  const headersOf = (all: object) =>
    new Headers(Object.entries(all).map(([name, value]) => [name, String(value)]))
  await expect(gateway.readEvent(body, headersOf(change(signed)))).rejects.toBeInstanceOf(
    BadSignatureError,
  )
  expect(asked).toBeLessThan(2)
  // Unchanged, it would be sent to PayPal for verification.
  await expect(gateway.readEvent(body, headersOf(signed))).rejects.toBeInstanceOf(UpstreamError)
})

test('an event for another webhook is refused', async () => {
  await using at = await begin()
  const { paypal } = await at.bench.connection.access()
  const access = () => Promise.resolve({ ...paypal, webhookId: 'ANOTHER' })
  const gateway = makePaypal({ access, now: at.now })
  const headers = new Headers(paypalSignature(body, at.bench.sandbox.ctx.keys, at.now()))
  await expect(gateway.readEvent(body, headers)).rejects.toBeInstanceOf(BadSignatureError)
})

test('a redirect is an upstream failure and is not followed', async () => {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (url === '/v1/oauth2/token') response.end('{"access_token":"t","expires_in":3600}')
    else response.writeHead(302, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const gateway = makePaypal({
    access: () =>
      Promise.resolve({
        base: `http://127.0.0.1:${port}`,
        environment: 'sandbox',
        clientId: 'id',
        clientSecret: 'secret',
        webhookId: 'hook',
      }),
    now: () => START,
  })
  await expect(gateway.open(order)).rejects.toBeInstanceOf(UpstreamError)
  expect(asked).not.toContain('/elsewhere')
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})
