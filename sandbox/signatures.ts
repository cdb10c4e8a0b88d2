import { createHmac, createSign, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import * as z from 'zod/mini'
import { randomText } from '#server/kernel/ids.ts'
import { endOfString } from '#server/kernel/wire/input.ts'
import { paypalTime } from './paypal/paypal-objects.ts'
import type { Store } from './store.ts'

const Keys = z.object({
  secretKey: z.string(),
  publishableKey: z.string(),
  webhookSecret: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  webhookId: z.string(),
  /** PEM; signs wallet events as PayPal does. */
  signingKey: z.string(),
  verifyingKey: z.string(),
  /** Grants access to the control interface. */
  control: z.string(),
})
/** Credentials that the sandbox requires of its callers, generated at the first start. */
export type Keys = z.infer<typeof Keys>

function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** New keys; slow, because of the key pair. */
export function makeKeys(): Keys {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return {
    secretKey: `sk_test_sandbox${randomHex(24)}`,
    publishableKey: `pk_test_sandbox${randomHex(24)}`,
    webhookSecret: `whsec_${randomHex(24)}`,
    clientId: `sandbox-${randomHex(16)}`,
    clientSecret: randomHex(32),
    webhookId: `SANDBOX${randomHex(5).toUpperCase()}`,
    signingKey: pair.privateKey,
    verifyingKey: pair.publicKey,
    control: randomHex(24),
  }
}

/** The store's keys; generated for a new store. */
export function keysOf(store: Store): Keys {
  const stored = store.setting('keys')
  if (stored !== undefined) return Keys.parse(JSON.parse(stored))
  const keys = makeKeys()
  store.set('keys', JSON.stringify(keys))
  return keys
}

/** In place of a certificate URL; the sandbox verifies its own signatures. */
const CERT_URL =
  'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-sandbox'

/** `t=…,v1=…` over the body, as Stripe signs. `at` is epoch milliseconds. */
export function stripeSignature(body: string, secret: string, at: number): string {
  const t = Math.floor(at / 1_000)
  const mac = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return `t=${t},v1=${mac}`
}

export type Transmission = {
  transmission_id: string
  transmission_time: string
  transmission_sig: string
  cert_url: string
  auth_algo: string
  webhook_id: string
}

function signedText(transmission: Omit<Transmission, 'transmission_sig'>, body: string): string {
  const { transmission_id: id, transmission_time: time, webhook_id: webhook } = transmission
  return `${id}|${time}|${webhook}|${crc32(body)}`
}

/** The headers of a signed wallet event. */
export function paypalSignature(body: string, keys: Keys, at: number): Record<string, string> {
  const facts = {
    transmission_id: `${randomText(8)}-${randomText(4)}-11f0-${randomText(4)}-${randomText(12)}`,
    transmission_time: paypalTime(at),
    cert_url: CERT_URL,
    auth_algo: 'SHA256withRSA',
    webhook_id: keys.webhookId,
  }
  const signer = createSign('RSA-SHA256').update(signedText(facts, body))
  return {
    'paypal-transmission-id': facts.transmission_id,
    'paypal-transmission-time': facts.transmission_time,
    'paypal-transmission-sig': signer.sign(keys.signingKey, 'base64'),
    'paypal-cert-url': facts.cert_url,
    'paypal-auth-algo': facts.auth_algo,
  }
}

/** Whether the sandbox signed this body for this webhook. */
export function isPaypalSignature(transmission: Transmission, body: string, keys: Keys): boolean {
  if (transmission.webhook_id !== keys.webhookId || transmission.cert_url !== CERT_URL) return false
  if (transmission.auth_algo !== 'SHA256withRSA') return false
  return createVerify('RSA-SHA256')
    .update(signedText(transmission, body))
    .verify(keys.verifyingKey, transmission.transmission_sig, 'base64')
}

/**
 * The text of one member of a valid JSON object, byte for byte as in `json`; null when there is none.
 * Checksums cover these bytes, and JSON serialized again has others.
 */
export function rawMember(json: string, name: string): string | null {
  let depth = 0
  let at = 0
  while (at < json.length) {
    const char = json.charAt(at)
    if (char === '"') {
      const end = endOfString(json, at) + 1
      const isName = depth === 1 && /^\s*:/.test(json.slice(end))
      if (isName && json.slice(at, end) === JSON.stringify(name)) {
        return readValue(json, json.indexOf(':', end) + 1)
      }
      at = end
      continue
    }
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    at += 1
  }
  return null
}

function readValue(json: string, start: number): string {
  let depth = 0
  let at = start
  while (at < json.length) {
    const char = json.charAt(at)
    if (char === '"') {
      at = endOfString(json, at) + 1
      continue
    }
    if (depth === 0 && (char === ',' || char === '}')) break
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    at += 1
  }
  return json.slice(start, at).trim()
}
