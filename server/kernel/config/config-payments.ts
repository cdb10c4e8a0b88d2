import { isLoopbackHost } from '#server/kernel/limits/network.ts'
import { type Reader, urlOf } from './config-reader.ts'

/** Stripe connection settings. */
export type StripeAccess = {
  /** `http://127.0.0.1:4010` for a sandbox; null for Stripe's own host. */
  base: string | null
  secretKey: string
  publishableKey: string
  /** One secret, or two during rotation. */
  webhookSecrets: string[]
  isLive: boolean
}

/** PayPal connection settings. */
export type PaypalAccess = {
  /** Without a trailing slash. */
  base: string
  environment: 'sandbox' | 'production'
  clientId: string
  clientSecret: string
  webhookId: string
}

/** Null uses the sandbox, which is allowed only in a demo. */
export type PaymentsConfig = { stripe: StripeAccess | null; paypal: PaypalAccess | null }

const STRIPE_KEYS = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']
const PAYPAL_KEYS = ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID']

const PAYPAL_HOSTS = {
  sandbox: 'https://api-m.sandbox.paypal.com',
  production: 'https://api-m.paypal.com',
} as const

/** Whether all of the names are set. Reports the missing ones when only some are set, or outside a demo. */
function areSet(read: Reader, names: string[], demo: boolean): boolean {
  const missing = names.filter((name) => read.text(name) === null)
  if (missing.length === 0) return true
  if (!demo || missing.length < names.length) {
    for (const name of missing) read.refuse(`${name} is missing.`)
  }
  return false
}

/** Keys and payments must not cross a network unencrypted. */
function readBase(read: Reader, name: string): string | null {
  const value = read.url(name, 'https:', 'http:')
  if (value === null) return null
  const url = new URL(value)
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    read.refuse(`${name} must start with https://, unless the host is this machine.`)
  }
  if (url.pathname !== '/' || url.search !== '') {
    read.refuse(`${name} must be the address of a host, without a path.`)
  }
  return url.origin
}

/** `live` or `test` from the format of a Stripe key; null for anything else. */
function modeOf(key: string, kinds: string): 'live' | 'test' | null {
  const mode = new RegExp(`^(?:${kinds})_(live|test)_\\w{8,}$`).exec(key)?.[1]
  return mode === 'live' || mode === 'test' ? mode : null
}

function readStripe(read: Reader, demo: boolean): StripeAccess | null {
  const base = readBase(read, 'STRIPE_API_BASE')
  if (!areSet(read, STRIPE_KEYS, demo)) {
    if (base !== null) read.refuse('STRIPE_API_BASE needs the STRIPE_ keys of that host.')
    return null
  }
  const secretKey = read.text('STRIPE_SECRET_KEY') ?? ''
  const publishableKey = read.text('STRIPE_PUBLISHABLE_KEY') ?? ''
  const webhookSecrets = read.list('STRIPE_WEBHOOK_SECRET')
  const mode = modeOf(secretKey, 'sk|rk')
  const shown = modeOf(publishableKey, 'pk')
  if (mode === null) read.refuse('STRIPE_SECRET_KEY must start with sk_live_, sk_test_ or rk_.')
  if (shown === null) read.refuse('STRIPE_PUBLISHABLE_KEY must start with pk_live_ or pk_test_.')
  if (mode !== null && shown !== null && mode !== shown) {
    read.refuse('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live or both be test.')
  }
  if (webhookSecrets.length > 2 || !webhookSecrets.every((one) => /^whsec_\S{8,}$/.test(one))) {
    read.refuse('STRIPE_WEBHOOK_SECRET must be one or two secrets that start with whsec_.')
  }
  if (mode === 'live' && base !== null && base !== 'https://api.stripe.com') {
    read.refuse('STRIPE_API_BASE must not be set with a live key: it would be sent to that host.')
  }
  return { base, secretKey, publishableKey, webhookSecrets, isLive: mode === 'live' }
}

function readPaypal(read: Reader, demo: boolean): PaypalAccess | null {
  const environment = read.choice('PAYPAL_ENV', ['sandbox', 'production'], 'sandbox')
  const customBase = readBase(read, 'PAYPAL_API_BASE')
  if (!areSet(read, PAYPAL_KEYS, demo)) {
    if (customBase !== null) read.refuse('PAYPAL_API_BASE needs the PAYPAL_ keys of that host.')
    if (environment === 'production' && demo) {
      read.refuse('PAYPAL_ENV=production needs the PAYPAL_ keys.')
    }
    return null
  }
  const own: string = PAYPAL_HOSTS[environment]
  const base = customBase ?? own
  const isPaypal = urlOf(base, 'https:')?.hostname.endsWith('.paypal.com') ?? false
  if (base !== own && (environment === 'production' || isPaypal)) {
    read.refuse(`PAYPAL_API_BASE must be ${own} when PAYPAL_ENV is ${environment}.`)
  }
  return {
    base,
    environment,
    clientId: read.text('PAYPAL_CLIENT_ID') ?? '',
    clientSecret: read.text('PAYPAL_CLIENT_SECRET') ?? '',
    webhookId: read.text('PAYPAL_WEBHOOK_ID') ?? '',
  }
}

/**
 * Payment settings: keys from the environment or, in a demo without them, the sandbox. Live and test
 * mode never mix.
 */
export function readPayments(read: Reader, demo: boolean): PaymentsConfig {
  const stripe = readStripe(read, demo)
  const paypal = readPaypal(read, demo)
  const isCardLive = stripe?.isLive === true
  const isWalletLive = paypal?.environment === 'production'
  if (demo && isCardLive) read.refuse('STRIPE_SECRET_KEY is a live key, and this is a demo.')
  if (demo && isWalletLive) read.refuse('PAYPAL_ENV is production, and this is a demo.')
  if (!demo && stripe !== null && paypal !== null && isCardLive !== isWalletLive) {
    read.refuse('Stripe and PayPal must both be live, or both be for tests.')
  }
  return { stripe, paypal }
}
