import { createHmac, createSign, createVerify } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { paypalTime } from '#sandbox/paypal/paypal-objects.ts'
import { randomText } from '#server/kernel/ids.ts'
import type { Keys } from './keys.ts'

/** Where the certificate of a signature would be; the sandbox verifies its own signatures. */
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
