import { expect, test } from 'vitest'
import { readConfig } from '#server/kernel/config/config.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { makeGateways } from './make-gateways.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const common = { now: () => START }
const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
}
const paypal = {
  PAYPAL_CLIENT_ID: 'client',
  PAYPAL_CLIENT_SECRET: 'client-secret',
  PAYPAL_WEBHOOK_ID: 'webhook',
}

test('a demo’s checkout loads both sandbox scripts and gets no secret', async () => {
  await using bench = await startSandbox({ now: () => START })
  const { payments } = readConfig({})
  const gateways = makeGateways({ ...common, payments, sandbox: bench.connection })
  const options = await gateways.options()
  const { keys } = bench.sandbox.ctx
  expect(options).toEqual({
    stripe: { publishableKey: keys.publishableKey },
    paypal: { clientId: keys.clientId, environment: 'sandbox' },
    sandboxScripts: ['/sandbox/stripe.js', '/sandbox/paypal.js'],
  })
  const text = JSON.stringify(options)
  for (const secret of [keys.secretKey, keys.clientSecret, keys.webhookSecret, keys.webhookId]) {
    expect(text).not.toContain(secret)
  }
})

test('with real keys no sandbox script is loaded, which would silently replace the real one', async () => {
  const { payments } = readConfig({ ...stripe, ...paypal })
  const options = await makeGateways({ ...common, payments, sandbox: null }).options()
  expect(options.sandboxScripts).toEqual([])
  expect(options.stripe.publishableKey).toBe('pk_test_0123456789')
})

test('with the keys of one gateway the sandbox replaces only the other', async () => {
  await using bench = await startSandbox({ now: () => START })
  const { payments } = readConfig(stripe)
  const options = await makeGateways({ ...common, payments, sandbox: bench.connection }).options()
  expect(options.sandboxScripts).toEqual(['/sandbox/paypal.js'])
  expect(options.stripe.publishableKey).toBe('pk_test_0123456789')
})

test('without a sandbox and keys payments fail', async () => {
  const { payments } = readConfig({})
  const gateways = makeGateways({ ...common, payments, sandbox: null })
  await expect(gateways.options()).rejects.toBeInstanceOf(UpstreamError)
  await expect(
    gateways.stripe.read({ session: 'cs_test_1', gwPayment: null }),
  ).rejects.toBeInstanceOf(UpstreamError)
  await expect(gateways.paypal.read({ session: '1', gwPayment: null })).rejects.toBeInstanceOf(
    UpstreamError,
  )
})
