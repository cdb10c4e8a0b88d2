import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { startSandbox, type TestSandbox } from '#tests/harness/servers/sandbox.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const seconds = (ms: number): number => Math.floor(ms / 1_000)

const Created = z.object({ id: z.string() })
const Token = z.object({ access_token: z.string() })

/** A call as it is sent over the wire, without a package that would refuse it first. */
type Wire = { status: number; body: string; headers: Headers }

async function send(url: string, init: RequestInit): Promise<Wire> {
  const response = await fetch(url, init)
  return { status: response.status, body: await response.text(), headers: response.headers }
}

const FORM = new URLSearchParams({
  mode: 'payment',
  ui_mode: 'embedded_page',
  'allowed_payment_method_types[0]': 'card',
  return_url: 'https://care.example/return?session_id={CHECKOUT_SESSION_ID}',
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': 'gbp',
  'line_items[0][price_data][unit_amount]': '5000',
  'line_items[0][price_data][product_data][name]': 'Appointment',
})

function stripeCall(bench: TestSandbox, form: URLSearchParams, more: Record<string, string> = {}) {
  return send(`${bench.baseUrl}/v1/checkout/sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bench.sandbox.ctx.keys.secretKey}`,
      'stripe-version': '2026-10-28.endive',
      'content-type': 'application/x-www-form-urlencoded',
      ...more,
    },
    body: form.toString(),
  })
}

function formWith(changes: Record<string, string | null>): URLSearchParams {
  const form = new URLSearchParams(FORM)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) form.delete(name)
    else form.set(name, value)
  }
  return form
}

test.each<[Record<string, string | null>, string, string | null]>([
  [{ ui_mode: 'embedded' }, 'ui_mode', null],
  [{ ui_mode: 'custom' }, 'ui_mode', null],
  [{ 'payment_method_types[0]': 'card' }, 'payment_method_types', 'parameter_unknown'],
  [{ colour: 'green' }, 'colour', 'parameter_unknown'],
  [{ mode: null }, 'mode', 'parameter_missing'],
  [{ return_url: null }, 'return_url', 'parameter_missing'],
  [{ return_url: 'soon' }, 'return_url', null],
  [
    { 'line_items[0][price_data][unit_amount]': '50.00' },
    'line_items[0][price_data][unit_amount]',
    'parameter_invalid_integer',
  ],
  [{ 'line_items[0][price_data][unit_amount]': '29' }, 'line_items', 'amount_too_small'],
  [{ 'line_items[0][price_data][currency]': 'GBP' }, 'line_items[0][price_data][currency]', null],
  [{ expires_at: String(seconds(START) + 1_799) }, 'expires_at', null],
  [{ expires_at: String(seconds(START) + 86_401) }, 'expires_at', null],
  [{ 'metadata[note]': 'x'.repeat(501) }, 'metadata[note]', null],
  [{ client_reference_id: 'x'.repeat(201) }, 'client_reference_id', null],
  [{ customer_email: 'nobody' }, 'customer_email', null],
])('a session with %o is refused as Stripe refuses it', async (changes, param, code) => {
  await using bench = await startSandbox({ now: () => START })
  const { status, body } = await stripeCall(bench, formWith(changes))
  expect(status).toBe(400)
  expect(JSON.parse(body)).toMatchObject({
    error: { type: 'invalid_request_error', param, ...(code === null ? {} : { code }) },
  })
  expect(bench.sandbox.ctx.store.list('session')).toEqual([])
})

test.each([1_800, 86_400])('a session may live for %d seconds', async (life) => {
  await using bench = await startSandbox({ now: () => START })
  const form = formWith({ expires_at: String(seconds(START) + life) })
  expect((await stripeCall(bench, form)).status).toBe(200)
})

test.each<[string, Record<string, string>, number]>([
  ['no key', { authorization: '' }, 401],
  ['a key of somebody else', { authorization: 'Bearer sk_test_somebody' }, 401],
  ['another version', { 'stripe-version': '2025-08-27.basil' }, 400],
])('a call with %s is refused', async (_what, headers, status) => {
  await using bench = await startSandbox({ now: () => START })
  expect((await stripeCall(bench, FORM, headers)).status).toBe(status)
})

test('a key returns the first response, refuses other parameters, and expires after a day', async () => {
  let now = START
  await using bench = await startSandbox({ now: () => now })
  const key = { 'idempotency-key': 'pay:1:create' }
  const first = await stripeCall(bench, FORM, key)
  const again = await stripeCall(bench, FORM, key)
  expect(again.body).toBe(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const other = await stripeCall(bench, formWith({ client_reference_id: 'x' }), key)
  expect(other.status).toBe(400)
  expect(JSON.parse(other.body)).toMatchObject({ error: { type: 'idempotency_error' } })
  now += 86_400_000
  expect((await stripeCall(bench, FORM, key)).body).not.toBe(first.body)
})

test('a call refused before execution is not stored under its key', async () => {
  await using bench = await startSandbox({ now: () => START })
  const key = { 'idempotency-key': 'pay:1:create' }
  expect((await stripeCall(bench, formWith({ mode: null }), key)).status).toBe(400)
  expect((await stripeCall(bench, FORM, key)).status).toBe(200)
})

test('a 500 after execution began is stored under its key', async () => {
  await using bench = await startSandbox({ now: () => START })
  const key = { 'idempotency-key': 'pay:1:create' }
  const rules = [{ path: '/v1/', fault: 'error_500_kept' as const, times: 1 }]
  await bench.tell({ do: 'fail_calls', rules })
  expect((await stripeCall(bench, FORM, key)).status).toBe(500)
  expect((await stripeCall(bench, FORM, key)).status).toBe(500)
})

test.each([
  '4000000000000002',
  '4000000000009995',
  '4000000000000069',
  '4000000000000127',
  '4000000000000119',
])('card %s is declined, the session stays open and a webhook reports it', async (number) => {
  await using bench = await startSandbox({ now: () => START })
  const { id } = Created.parse(JSON.parse((await stripeCall(bench, FORM)).body))
  expect(bench.payByCard(id, number).result).toBe('declined')
  const { store } = bench.sandbox.ctx
  expect(store.find('session', id)?.status).toBe('open')
  expect(store.list('event').map(({ type }) => type)).toEqual(['payment_intent.payment_failed'])
  expect(bench.payByCard(id).result).toBe('paid')
})

test.each([
  ['4000002500003155', true, 'paid'],
  ['4000002760003184', true, 'paid'],
  ['4000002500003155', false, 'declined'],
  ['4000008400001629', true, 'declined'],
] as const)(
  'card %s requires authentication; the result %s ends %s',
  async (number, isApproved, result) => {
    await using bench = await startSandbox({ now: () => START })
    const { id } = Created.parse(JSON.parse((await stripeCall(bench, FORM)).body))
    expect(bench.payByCard(id, number).result).toBe('challenge')
    expect(bench.sandbox.ctx.store.find('session', id)?.status).toBe('open')
    expect(bench.answerBank(id, isApproved).result).toBe(result)
  },
)

test('a real card number is declined, and no card number is stored', async () => {
  await using bench = await startSandbox({ now: () => START })
  const { id } = Created.parse(JSON.parse((await stripeCall(bench, FORM)).body))
  expect(bench.payByCard(id, '4539 1488 0343 6467').result).toBe('declined')
  expect(bench.payByCard(id, '4539 1488 0343 6468')).toMatchObject({
    message: 'Your card number is invalid.',
  })
  const { store } = bench.sandbox.ctx
  const stored = JSON.stringify([store.list('intent'), store.list('charge'), store.list('event')])
  expect(stored).not.toContain('453914880343')
})

test('a session is paid once, even when two cards are submitted at once', async () => {
  await using bench = await startSandbox({ now: () => START })
  const { id } = Created.parse(JSON.parse((await stripeCall(bench, FORM)).body))
  expect([bench.payByCard(id).result, bench.payByCard(id).result]).toEqual(['paid', 'over'])
  expect(bench.sandbox.ctx.store.list('charge')).toHaveLength(1)
})

const ORDER = {
  intent: 'CAPTURE',
  purchase_units: [{ custom_id: 'pay_1', amount: { currency_code: 'GBP', value: '50.00' } }],
}

async function paypalCall(bench: TestSandbox, body: unknown, more: Record<string, string> = {}) {
  const { clientId, clientSecret } = bench.sandbox.ctx.keys
  const token = await send(`${bench.baseUrl}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = Token.parse(JSON.parse(token.body))
  return send(`${bench.baseUrl}/v2/checkout/orders`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access_token}`,
      'content-type': 'application/json',
      ...more,
    },
    body: JSON.stringify(body),
  })
}

const withUnit = (unit: object) => ({ ...ORDER, purchase_units: [unit] })

test.each<[string, unknown, string]>([
  [
    'a number for an amount',
    withUnit({ amount: { currency_code: 'GBP', value: 50 } }),
    'INVALID_PARAMETER_SYNTAX',
  ],
  [
    'an amount without pence',
    withUnit({ amount: { currency_code: 'GBP', value: '50' } }),
    'INVALID_PARAMETER_VALUE',
  ],
  ['no amount', withUnit({ custom_id: 'x' }), 'MISSING_REQUIRED_PARAMETER'],
  [
    'a name in the wrong case',
    withUnit({ customId: 'x', amount: { currency_code: 'GBP', value: '50.00' } }),
    'UNKNOWN_PARAMETER',
  ],
  ['another intent', { ...ORDER, intent: 'AUTHORIZE' }, 'INVALID_PARAMETER_VALUE'],
  [
    'too long an id',
    withUnit({ ...ORDER.purchase_units[0], custom_id: 'x'.repeat(128) }),
    'INVALID_STRING_LENGTH',
  ],
])('an order with %s is refused as PayPal refuses it', async (_what, body, issue) => {
  await using bench = await startSandbox({ now: () => START })
  const answer = await paypalCall(bench, body)
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body)).toMatchObject({ name: 'INVALID_REQUEST', details: [{ issue }] })
})

test('an order for zero, a wrong token and a reused request id are refused', async () => {
  await using bench = await startSandbox({ now: () => START })
  const free = await paypalCall(
    bench,
    withUnit({ amount: { currency_code: 'GBP', value: '0.00' } }),
  )
  expect([free.status, free.body]).toEqual([
    422,
    expect.stringContaining('CANNOT_BE_ZERO_OR_NEGATIVE'),
  ])
  expect((await paypalCall(bench, ORDER, { authorization: 'Bearer x' })).status).toBe(401)
  const id = { 'paypal-request-id': 'pay:1:create' }
  expect((await paypalCall(bench, ORDER, id)).status).toBe(201)
  expect((await paypalCall(bench, ORDER, id)).status).toBe(200)
  const other = await paypalCall(
    bench,
    withUnit({ amount: { currency_code: 'GBP', value: '1.00' } }),
    id,
  )
  expect([other.status, other.body]).toEqual([422, expect.stringContaining('DUPLICATE_REQUEST_ID')])
})

test('PayPal’s own way to request a failure works here too', async () => {
  await using bench = await startSandbox({ now: () => START })
  const { id } = Created.parse(JSON.parse((await paypalCall(bench, ORDER)).body))
  bench.approve(id)
  const { paypal } = await bench.connection.access()
  const pair = btoa(`${paypal.clientId}:${paypal.clientSecret}`)
  const token = await send(`${bench.baseUrl}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${pair}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = Token.parse(JSON.parse(token.body))
  const refused = await send(`${bench.baseUrl}/v2/checkout/orders/${id}/capture`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access_token}`,
      'paypal-mock-response': '{"mock_application_codes":"INSTRUMENT_DECLINED"}',
    },
    body: '{}',
  })
  expect([refused.status, refused.body]).toEqual([
    422,
    expect.stringContaining('INSTRUMENT_DECLINED'),
  ])
})

/** Where these tests run: always against the sandbox, and against Stripe itself when a test key is set. */
function targets(bench: TestSandbox): Stripe[] {
  const { keys } = bench.sandbox.ctx
  const { port } = new URL(bench.baseUrl)
  const own = new Stripe(keys.secretKey, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
  })
  const key = process.env['STRIPE_SECRET_KEY'] ?? ''
  return key.startsWith('sk_test_') ? [own, new Stripe(key)] : [own]
}

test('a session can be created and expired once, in the sandbox as at Stripe', async () => {
  await using bench = await startSandbox({ now: Date.now })
  for (const stripe of targets(bench)) {
    const made = await stripe.checkout.sessions.create({
      mode: 'payment',
      ui_mode: 'embedded_page',
      allowed_payment_method_types: ['card'],
      return_url: 'https://care.example/return?session_id={CHECKOUT_SESSION_ID}',
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
    })
    expect(made).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 5_000 })
    expect((await stripe.checkout.sessions.expire(made.id)).status).toBe('expired')
    const again = stripe.checkout.sessions.expire(made.id)
    await expect(again).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
    const wrong = stripe.checkout.sessions.create({ mode: 'payment', ui_mode: 'embedded' })
    await expect(wrong).rejects.toMatchObject({ type: 'StripeInvalidRequestError' })
  }
})
