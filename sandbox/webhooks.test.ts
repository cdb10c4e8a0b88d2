import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { makePaypal } from '#server/gateways/paypal.ts'
import { makeStripe } from '#server/gateways/stripe.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import type { WebhookFault } from './faults.ts'

const START = Date.parse('2026-03-02T09:00:00Z')

const order = {
  paymentId: 'pay_1',
  bookingId: 'apt_1',
  amountMinor: 5_000,
  currency: 'GBP' as const,
  email: 'jo@example.com',
  publicUrl: 'https://care.example',
  expiresAt: START + 36 * 60_000,
}

type Sent = { path: string; headers: Headers; body: string }

/** A sandbox, and a listener that responds as configured and records what it receives. */
async function begin() {
  let clock = START
  const now = () => clock
  const heard: Sent[] = []
  const answering = { status: 200 }
  const bench = await startSandbox({
    now,
    deliver: async (request) => {
      const { pathname } = new URL(request.url)
      heard.push({ path: pathname, headers: request.headers, body: await request.text() })
      return new Response(null, { status: answering.status })
    },
  })
  const { stripe, paypal } = await bench.connection.access()
  const common = { now }
  const card = makeStripe({ ...common, access: () => Promise.resolve(stripe) })
  const wallet = makePaypal({ ...common, access: () => Promise.resolve(paypal) })
  return {
    bench,
    heard,
    answering,
    card,
    wallet,
    now,
    /** The types of the events received, in order. */
    types: () =>
      heard.map(({ body }) => {
        const event: unknown = JSON.parse(body)
        if (!(event instanceof Object)) return ''
        return 'type' in event ? event.type : 'event_type' in event ? event.event_type : ''
      }),
    break: (fault: WebhookFault) => bench.tell({ do: 'fail_webhooks', fault }),
    advance: (ms: number) => {
      clock += ms
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

test('a card payment sends three signed events, each to the card webhook’s address', async () => {
  await using at = await begin()
  const { session } = await at.card.open(order)
  at.bench.payByCard(session)
  await at.bench.deliverDue()
  expect(at.types()).toEqual([
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ])
  expect(at.heard.every(({ path }) => path === '/webhooks/stripe')).toBe(true)
  for (const { body, headers } of at.heard) {
    expect((await at.card.readEvent(body, headers)).isLive).toBe(false)
  }
})

test('the package itself verifies every event, and none with a byte changed', async () => {
  await using at = await begin()
  const { session } = await at.card.open(order)
  at.bench.payByCard(session, '4000000000000259')
  await at.bench.deliverDue()
  const { webhookSecret } = at.bench.sandbox.ctx.keys
  expect(at.heard).toHaveLength(4)
  for (const { body, headers } of at.heard) {
    const header = headers.get('stripe-signature') ?? ''
    const check = (text: string) =>
      Stripe.webhooks.constructEvent(text, header, webhookSecret, 300, undefined, at.now())
    expect(check(body).object).toBe('event')
    for (const place of [0, Math.floor(body.length / 2), body.length - 1]) {
      const other = body.charAt(place) === 'x' ? 'y' : 'x'
      expect(() => check(body.slice(0, place) + other + body.slice(place + 1))).toThrow(Error)
    }
  }
})

test('the protocol’s verification accepts wallet events, and none with a byte changed', async () => {
  await using at = await begin()
  const { session } = await at.wallet.open(order)
  at.bench.approve(session)
  await at.wallet.capture(session, order.paymentId)
  await at.bench.deliverDue()
  expect(at.types()).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED'])
  for (const { body, headers, path } of at.heard) {
    expect(path).toBe('/webhooks/paypal')
    expect((await at.wallet.readEvent(body, headers)).object).toBe(session)
    const changed = body.replace('50.00', '60.00')
    expect(changed).not.toBe(body)
    await expect(at.wallet.readEvent(changed, headers)).rejects.toThrow('signature')
  }
})

test('a delivery that fails is retried with growing delays until accepted', async () => {
  await using at = await begin()
  at.answering.status = 500
  const { session } = await at.card.open(order)
  await at.card.close(session)
  await at.bench.deliverDue()
  await at.bench.deliverDue()
  expect(at.heard).toHaveLength(1)
  for (const wait of [1_000, 2_000, 4_000]) {
    at.advance(wait - 1)
    await at.bench.deliverDue()
    const before = at.heard.length
    at.advance(1)
    await at.bench.deliverDue()
    expect(at.heard).toHaveLength(before + 1)
  }
  at.answering.status = 200
  at.advance(8_000)
  await at.bench.deliverDue()
  at.advance(3_600_000)
  await at.bench.deliverDue()
  expect(at.heard).toHaveLength(5)
  // Always the same event: a receiver that stores ids can tell.
  expect(new Set(at.heard.map(({ body }) => body)).size).toBe(1)
})

test('each fault does what its name says', async () => {
  await using at = await begin()
  const happen = async () => {
    at.heard.length = 0
    const { session } = await at.card.open({ ...order, paymentId: `pay_${crypto.randomUUID()}` })
    await at.card.close(session)
    await at.bench.deliverDue()
  }
  await at.break('duplicate')
  await happen()
  expect(at.heard).toHaveLength(2)
  expect(at.heard[0]?.body).toBe(at.heard[1]?.body)

  for (const fault of ['bad_signature', 'old_timestamp'] as const) {
    await at.break(fault)
    await happen()
    const [sent] = at.heard
    const read = at.card.readEvent(sent?.body ?? '', sent?.headers ?? new Headers())
    await expect(read).rejects.toThrow('signature')
  }

  await at.break('delay')
  await happen()
  expect(at.heard).toHaveLength(0)
  at.advance(5_000)
  await at.bench.deliverDue()
  expect(at.heard).toHaveLength(1)

  await at.break('never')
  await happen()
  at.advance(3_600_000)
  await at.break('none')
  await at.bench.deliverDue()
  expect(at.heard).toHaveLength(0)
})

test('held events are released in order or reversed', async () => {
  await using at = await begin()
  const made = ['charge.succeeded', 'payment_intent.succeeded', 'checkout.session.completed']
  for (const [way, expected] of [
    ['fifo', made],
    ['lifo', made.toReversed()],
  ] as const) {
    at.heard.length = 0
    await at.break('hold')
    const { session } = await at.card.open({ ...order, paymentId: `pay_${way}` })
    at.bench.payByCard(session)
    await at.bench.deliverDue()
    expect(at.heard).toHaveLength(0)
    await at.bench.tell({ do: 'release_webhooks', order: way })
    expect(at.types()).toEqual(expected)
  }
})

test('an event can be resent, byte for byte', async () => {
  await using at = await begin()
  const { session } = await at.card.open(order)
  await at.card.close(session)
  await at.bench.deliverDue()
  const [event] = at.bench.sandbox.ctx.store.list('event')
  for (let again = 0; again < 3; again += 1) {
    await at.bench.tell({ do: 'resend', event: event?.id ?? '' })
    await at.bench.deliverDue()
  }
  expect(at.heard).toHaveLength(4)
  expect(new Set(at.heard.map(({ body }) => body)).size).toBe(1)
})

test('nothing is lost while the listener is down', async () => {
  let clock = START
  await using bench = await startSandbox({ now: () => clock })
  const { stripe } = await bench.connection.access()
  const card = makeStripe({
    access: () => Promise.resolve(stripe),
    now: () => clock,
  })
  const { session } = await card.open(order)
  await card.close(session)
  clock += 86_400_000
  await bench.deliverDue()
  const due = bench.sandbox.ctx.store.dueDeliveries(clock)
  expect(due.map(({ tries }) => tries)).toEqual([0])
})

test('a registered endpoint receives the events it asked for, signed with its own secret', async () => {
  await using at = await begin()
  const { keys } = at.bench.sandbox.ctx
  const { port } = new URL(at.bench.baseUrl)
  const host = { host: '127.0.0.1', port, protocol: 'http' as const, telemetry: false }
  const made = await new Stripe(keys.secretKey, host).webhookEndpoints.create({
    url: 'http://localhost:3000/books',
    enabled_events: ['checkout.session.completed'],
  })
  const { session } = await at.card.open(order)
  at.bench.payByCard(session)
  await at.bench.deliverDue()
  const [sent, ...more] = at.heard.filter(({ path }) => path === '/books')
  expect(more).toEqual([])
  const header = sent?.headers.get('stripe-signature') ?? ''
  const check = (secret: string) =>
    Stripe.webhooks.constructEvent(sent?.body ?? '', header, secret, 300, undefined, at.now())
  expect(check(made.secret ?? '').type).toBe('checkout.session.completed')
  expect(() => check(keys.webhookSecret)).toThrow('signature')
})
