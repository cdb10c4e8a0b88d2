import { expect, test } from 'vitest'
import { paypalSignature, stripeSignature } from '#sandbox/signatures.ts'
import { limits } from '#server/kernel/limits/rate-limit.ts'
import { processEvents } from '#server/payments/events/process-events.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { strangerDenials } from '#tests/harness/test-app.ts'

// security.md, section 7 D: lines 30 to 33 and 36.

type Sent = { body: string; at?: number; secret?: string; from?: string }

async function secretOf({ sandbox }: PaymentFixture): Promise<string> {
  const { stripe } = await sandbox.connection.access()
  return stripe.webhookSecrets[0] ?? ''
}

async function send(
  fixture: PaymentFixture,
  { body, at, secret, from = '127.0.0.1' }: Sent,
): Promise<Response> {
  const { now } = fixture.testApp.services
  const key = secret ?? (await secretOf(fixture))
  return fixture.testApp.app.fetch(
    new Request('http://localhost:3000/webhooks/stripe', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': stripeSignature(body, key, at ?? now()),
      },
      body,
    }),
    from,
  )
}

/** An event as the gateway sends it, with only the fields we read: its id, type and object. */
function eventOf(session: string, id = 'evt_1', type = 'checkout.session.completed'): string {
  return JSON.stringify({
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: 1_772_442_000,
    type,
    livemode: false,
    data: { object: { id: session, object: 'checkout.session' } },
  })
}

async function storedEvents({ testApp }: PaymentFixture) {
  return testApp.database.db.selectFrom('gateway_events').selectAll().execute()
}

async function states({ testApp }: PaymentFixture): Promise<string[]> {
  const rows = await testApp.database.db.selectFrom('bookings').select('state').execute()
  return rows.map(({ state }) => state)
}

test('30: a bad or missing signature is refused, changes nothing and is counted', async () => {
  await using fixture = await makePaymentFixture()
  const session = await fixture.card(await fixture.hold())
  fixture.sandbox.payByCard(session)
  const bad = await send(fixture, { body: eventOf(session), secret: 'whsec_wrong' })
  expect(bad.status).toBe(400)
  expect(await bad.json()).toMatchObject({ status: false, error: 'Invalid signature.' })
  const bare = await fixture.testApp.app.fetch(
    new Request('http://localhost:3000/webhooks/stripe', { method: 'POST', body: '{}' }),
    '127.0.0.1',
  )
  expect(bare.status).toBe(400)
  expect(await storedEvents(fixture)).toEqual([])
  expect(await states(fixture)).toEqual(['held'])
  expect(await strangerDenials(fixture.testApp)).toEqual([
    { network: '127.0.0.1', path: '/webhooks/stripe', code: 'signature_invalid', count: 2 },
  ])
  const { badSignatures } = fixture.testApp.services.metrics
  expect((await badSignatures.get()).values).toEqual([
    { labels: { gateway: 'stripe' }, value: 2 },
    { labels: { gateway: 'paypal' }, value: 0 },
  ])
})

test('30: at most sixty bad signatures a minute of one network are checked, and leave one row', async () => {
  await using fixture = await makePaymentFixture()
  const body = eventOf('cs_test_none')
  const bad = async () => (await send(fixture, { body, secret: 'whsec_wrong' })).status
  for (let count = 0; count < limits.bad_signature.calls; count += 1) expect(await bad()).toBe(400)
  expect(await bad()).toBe(429)
  // Further events of that network are not checked; those of other networks are.
  expect((await send(fixture, { body })).status).toBe(429)
  expect((await send(fixture, { body, from: '203.0.113.9' })).status).toBe(200)
  expect(await strangerDenials(fixture.testApp)).toMatchObject([{ count: 60 }])
  expect(await fixture.testApp.database.db.selectFrom('audit').select('no').execute()).toEqual([])
  fixture.testApp.advance(70_000)
  expect((await send(fixture, { body: eventOf('cs_test_none', 'evt_2') })).status).toBe(200)
})

const origins: [what: string, from: (n: number) => string, most: number][] = [
  ['of one network', () => '203.0.113.7', 60],
  ['of an IPv6 site with many networks', (n) => `2001:db8:7:${n.toString(16)}::1`, 8 * 60],
]

test.each(origins)(
  '30: bad signatures %s that arrive at once are not all checked',
  async (_what, from, most) => {
    await using fixture = await makePaymentFixture()
    const body = eventOf('cs_test_none')
    const one = (n: number) => send(fixture, { body, secret: 'whsec_wrong', from: from(n) })
    const sent = await Promise.all(Array.from({ length: 700 }, (_, n) => one(n)))
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([400, 429]))
    const { values } = await fixture.testApp.services.metrics.badSignatures.get()
    expect(values[0]?.value).toBeGreaterThanOrEqual(most)
    expect(values[0]?.value).toBeLessThan(most + 20)
  },
)

test('31: a valid signature of 301 seconds ago is refused', async () => {
  await using fixture = await makePaymentFixture()
  const session = await fixture.card(await fixture.hold())
  const old = fixture.testApp.services.now() - 301_000
  expect((await send(fixture, { body: eventOf(session), at: old })).status).toBe(400)
  expect((await send(fixture, { body: eventOf(session), at: old + 2_000 })).status).toBe(200)
})

test('32: the same event sent a hundred times is acknowledged each time and processed once', async () => {
  await using fixture = await makePaymentFixture()
  const session = await fixture.card(await fixture.hold())
  fixture.sandbox.payByCard(session)
  for (let round = 0; round < 100; round += 1) {
    expect((await send(fixture, { body: eventOf(session) })).status).toBe(200)
    if (round % 25 === 0) await processEvents(fixture.testApp.services)
  }
  await processEvents(fixture.testApp.services)
  expect(await storedEvents(fixture)).toHaveLength(1)
  expect(await states(fixture)).toEqual(['confirmed'])
  const emails = await fixture.testApp.database.db
    .selectFrom('outbox')
    .select('id')
    .where('topic', '=', 'booking.confirmed')
    .execute()
  expect(emails).toHaveLength(1)
})

test('33: an event ahead of our own row is stored, and processed within ten seconds of it', async () => {
  await using fixture = await makePaymentFixture()
  const session = await fixture.card(await fixture.hold())
  fixture.sandbox.payByCard(session)
  const { db } = fixture.testApp.database
  const row = { gw_session: session }
  await db.updateTable('payments').set({ gw_session: null, state: 'creating' }).execute()
  expect((await send(fixture, { body: eventOf(session) })).status).toBe(200)
  await processEvents(fixture.testApp.services)
  expect(await states(fixture)).toEqual(['held'])
  await db
    .updateTable('payments')
    .set({ ...row, state: 'open' })
    .execute()
  for (let second = 0; second < 10; second += 1) {
    fixture.testApp.advance(1_000)
    await processEvents(fixture.testApp.services)
  }
  expect(await states(fixture)).toEqual(['confirmed'])
})

test('36: unknown types are accepted and ignored, huge bodies and broken JSON are refused', async () => {
  await using fixture = await makePaymentFixture()
  const odd = await send(fixture, { body: eventOf('cs_test_none', 'evt_2', 'invoice.sent') })
  expect(odd.status).toBe(200)
  const huge = await send(fixture, { body: `{"pad":"${'x'.repeat(2_000_000)}"}` })
  expect(huge.status).toBe(413)
  expect((await send(fixture, { body: '{"id":' })).status).toBe(400)
  expect(await storedEvents(fixture)).toHaveLength(1)
})

const THIN_EVENT = {
  id: 'evt_3',
  object: 'v2.core.event',
  type: 'v1.charge.failed',
  livemode: false,
}

test.each([
  ['not JSON', '{"id":'],
  ['null', 'null'],
  ['a text', '"evt_1"'],
  ['an object of no form', '{"livemode":false}'],
  ['an event without data', '{"id":"evt_3","type":"charge.failed","livemode":false}'],
  [
    'an event whose object is a text',
    eventOf('cs_1').replace(/"data":.*$/, '"data":{"object":"x"}}'),
  ],
  ['a thin event of /v2', JSON.stringify(THIN_EVENT)],
])(
  'a signed Stripe body that is %s is permanently refused, and not counted as forged',
  async (_what, body) => {
    await using fixture = await makePaymentFixture()
    const response = await send(fixture, { body })
    expect([response.status, response.headers.get('retry-after')]).toEqual([400, null])
    expect(await storedEvents(fixture)).toEqual([])
    const { db } = fixture.testApp.database
    expect(await db.selectFrom('audit').select('no').execute()).toEqual([])
    expect(fixture.testApp.logged.map(({ msg }) => msg)).toContain(
      'a signed webhook is not an event',
    )
  },
)

test.each([
  ['an object of no form', '{}'],
  ['an event of a number', '{"id":"WH-1","event_type":1}'],
])(
  'a signed PayPal body that is %s is permanently refused, and not counted as forged',
  async (_what, body) => {
    await using fixture = await makePaymentFixture()
    const { app, services, logged } = fixture.testApp
    const headers = paypalSignature(body, fixture.sandbox.sandbox.ctx.keys, services.now())
    const request = new Request('http://localhost:3000/webhooks/paypal', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    expect((await app.fetch(request, '127.0.0.1')).status).toBe(400)
    expect(await storedEvents(fixture)).toEqual([])
    expect(logged.map(({ msg }) => msg)).toContain('a signed webhook is not an event')
  },
)
