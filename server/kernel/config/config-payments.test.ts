import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const live = {
  DEMO_MODE: 'off',
  SECRET_KEY: 'x'.repeat(32),
  PUBLIC_URL: 'https://care.example',
  SMTP_URL: 'smtps://user:pass@mail.example',
  MAIL_FROM: 'Apposite <no-reply@care.example>',
  SUPPORT_EMAIL: 'help@care.example',
  COMPANY_NAME: 'Care Ltd',
  COMPANY_REGISTRATION: 'England and Wales 01234567',
  COMPANY_ADDRESS: '2 High Street, Leeds, LS1 4AP',
  TRUSTED_PROXIES: 'none',
  STRIPE_SECRET_KEY: 'sk_live_0123456789',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789, whsec_9876543210',
  PAYPAL_ENV: 'production',
  PAYPAL_CLIENT_ID: 'client',
  PAYPAL_CLIENT_SECRET: 'client-secret',
  PAYPAL_WEBHOOK_ID: 'webhook',
}

const testStripe = {
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
}
const testPaypal = {
  PAYPAL_CLIENT_ID: 'client',
  PAYPAL_CLIENT_SECRET: 'client-secret',
  PAYPAL_WEBHOOK_ID: 'webhook',
}

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('a demo without keys leaves both gateways to the sandbox', () => {
  expect(readConfig({}).payments).toEqual({ stripe: null, paypal: null })
})

test('live keys are enough to go live', () => {
  expect(readConfig(live).payments).toEqual({
    stripe: {
      base: null,
      secretKey: 'sk_live_0123456789',
      publishableKey: 'pk_live_0123456789',
      webhookSecrets: ['whsec_0123456789', 'whsec_9876543210'],
      isLive: true,
    },
    paypal: {
      base: 'https://api-m.paypal.com',
      environment: 'production',
      clientId: 'client',
      clientSecret: 'client-secret',
      webhookId: 'webhook',
    },
  })
})

test('a demo may try one gateway with test keys and leave the other to the sandbox', () => {
  expect(readConfig(testStripe).payments).toMatchObject({
    stripe: { base: null, isLive: false },
    paypal: null,
  })
  expect(readConfig(testPaypal).payments).toMatchObject({
    stripe: null,
    paypal: { base: 'https://api-m.sandbox.paypal.com', environment: 'sandbox' },
  })
})

test.each([
  [
    { STRIPE_API_BASE: 'http://127.0.0.1:4010' },
    'STRIPE_API_BASE must not be set with a live key: it would be sent to that host.',
  ],
  [
    { STRIPE_API_BASE: 'https://stripe.example' },
    'STRIPE_API_BASE must not be set with a live key: it would be sent to that host.',
  ],
  [
    { PAYPAL_API_BASE: 'http://127.0.0.1:4010' },
    'PAYPAL_API_BASE must be https://api-m.paypal.com when PAYPAL_ENV is production.',
  ],
  [
    { PAYPAL_API_BASE: 'https://api-m.sandbox.paypal.com' },
    'PAYPAL_API_BASE must be https://api-m.paypal.com when PAYPAL_ENV is production.',
  ],
  [{ PAYPAL_ENV: 'sandbox' }, 'Stripe and PayPal must both be live, or both be for tests.'],
  [testStripe, 'Stripe and PayPal must both be live, or both be for tests.'],
  [
    { STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789' },
    'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live or both be test.',
  ],
  [
    { STRIPE_SECRET_KEY: 'pk_live_0123456789' },
    'STRIPE_SECRET_KEY must start with sk_live_, sk_test_ or rk_.',
  ],
  [
    { STRIPE_PUBLISHABLE_KEY: 'sk_live_0123456789' },
    'STRIPE_PUBLISHABLE_KEY must start with pk_live_ or pk_test_.',
  ],
  [
    { STRIPE_WEBHOOK_SECRET: 'secret' },
    'STRIPE_WEBHOOK_SECRET must be one or two secrets that start with whsec_.',
  ],
])('live keys and %o do not start', (env, problem) => {
  expect(problemsOf({ ...live, ...env })).toContain(problem)
})

test.each([
  [
    {
      STRIPE_SECRET_KEY: live.STRIPE_SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: live.STRIPE_PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: live.STRIPE_WEBHOOK_SECRET,
    },
    ['STRIPE_SECRET_KEY is a live key, and this is a demo.'],
  ],
  [{ ...testPaypal, PAYPAL_ENV: 'production' }, ['PAYPAL_ENV is production, and this is a demo.']],
  [{ PAYPAL_ENV: 'production' }, ['PAYPAL_ENV=production needs the PAYPAL_ keys.']],
  [
    { STRIPE_SECRET_KEY: 'sk_test_0123456789' },
    ['STRIPE_PUBLISHABLE_KEY is missing.', 'STRIPE_WEBHOOK_SECRET is missing.'],
  ],
  [
    { STRIPE_API_BASE: 'http://127.0.0.1:4010' },
    ['STRIPE_API_BASE needs the STRIPE_ keys of that host.'],
  ],
  [
    { PAYPAL_API_BASE: 'http://127.0.0.1:4010' },
    ['PAYPAL_API_BASE needs the PAYPAL_ keys of that host.'],
  ],
  [
    { ...testStripe, STRIPE_API_BASE: 'http://payments.example' },
    ['STRIPE_API_BASE must start with https://, unless the host is this machine.'],
  ],
  [
    { ...testStripe, STRIPE_API_BASE: 'https://payments.example/v1' },
    ['STRIPE_API_BASE must be the address of a host, without a path.'],
  ],
  [
    { ...testPaypal, PAYPAL_API_BASE: 'https://api-m.paypal.com' },
    ['PAYPAL_API_BASE must be https://api-m.sandbox.paypal.com when PAYPAL_ENV is sandbox.'],
  ],
])('a demo with %o does not start', (env, problems) => {
  expect(problemsOf(env)).toEqual(problems)
})

test('the keys of another host on this machine may be used in a demo', () => {
  const env = { ...testStripe, STRIPE_API_BASE: 'http://127.0.0.1:4010' }
  expect(readConfig(env).payments.stripe?.base).toBe('http://127.0.0.1:4010')
})
