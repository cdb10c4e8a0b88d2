import { expect, test } from 'vitest'
import { readConfig } from '#server/kernel/config/config.ts'
import { contentPolicy } from './security-headers.ts'

type Policy = ReturnType<typeof contentPolicy>

const text = (policy: Policy) => JSON.stringify(policy)

test('with the sandbox nothing but our own origin runs, is framed or is called', () => {
  const policy = contentPolicy(readConfig({}))
  for (const directive of [
    'scriptSrc',
    'frameSrc',
    'connectSrc',
    'styleSrc',
    'defaultSrc',
  ] as const) {
    expect([directive, policy[directive]]).toEqual([directive, ["'self'"]])
  }
  expect(text(policy)).not.toMatch(/unsafe|stripe|paypal/)
})

test('with keys the gateway in use may run its script, and the other may not', () => {
  const config = readConfig({
    STRIPE_SECRET_KEY: 'sk_test_0123456789',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
  })
  const policy = contentPolicy(config)
  expect(policy.scriptSrc).toContain('https://js.stripe.com')
  expect(policy.frameSrc).toContain('https://hooks.stripe.com')
  expect(text(policy)).not.toMatch(/unsafe|paypal/)
})

test('with PayPal’s keys its script and windows may be used', () => {
  const config = readConfig({
    PAYPAL_CLIENT_ID: 'client',
    PAYPAL_CLIENT_SECRET: 'secret',
    PAYPAL_WEBHOOK_ID: 'webhook',
  })
  const policy = contentPolicy(config)
  for (const directive of ['scriptSrc', 'frameSrc', 'connectSrc'] as const) {
    expect(policy[directive]).toContain('https://*.paypal.com')
  }
  expect(text(policy)).not.toMatch(/unsafe|stripe/)
})
