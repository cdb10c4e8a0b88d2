import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { contentPolicy } from './content-policy.ts'

function sources(policy: string, directive: string): string[] {
  const found = policy.split('; ').find((one) => one.startsWith(`${directive} `))
  return found?.split(' ').slice(1) ?? []
}

test('with the sandbox nothing but our own origin runs, is framed or is called', () => {
  const policy = contentPolicy(readConfig({}))
  for (const directive of ['script-src', 'frame-src', 'connect-src', 'style-src', 'default-src']) {
    expect([directive, sources(policy, directive)]).toEqual([directive, ["'self'"]])
  }
  expect(policy).not.toMatch(/unsafe|stripe|paypal/)
})

test('with keys the gateway in use may run its script, and the other may not', () => {
  const config = readConfig({
    STRIPE_SECRET_KEY: 'sk_test_0123456789',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
  })
  const policy = contentPolicy(config)
  expect(sources(policy, 'script-src')).toContain('https://js.stripe.com')
  expect(sources(policy, 'frame-src')).toContain('https://hooks.stripe.com')
  expect(policy).not.toMatch(/unsafe|paypal/)
})

test('with PayPal’s keys its script and windows may be used', () => {
  const config = readConfig({
    PAYPAL_CLIENT_ID: 'client',
    PAYPAL_CLIENT_SECRET: 'secret',
    PAYPAL_WEBHOOK_ID: 'webhook',
  })
  const policy = contentPolicy(config)
  for (const directive of ['script-src', 'frame-src', 'connect-src']) {
    expect(sources(policy, directive)).toContain('https://*.paypal.com')
  }
  expect(policy).not.toMatch(/unsafe|stripe/)
})
