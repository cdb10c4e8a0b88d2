import { generateKeyPairSync, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
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

function secret(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** New keys. Generating the key pair takes a tenth of a second. */
export function makeKeys(): Keys {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return {
    secretKey: `sk_test_sandbox${secret(24)}`,
    publishableKey: `pk_test_sandbox${secret(24)}`,
    webhookSecret: `whsec_${secret(24)}`,
    clientId: `sandbox-${secret(16)}`,
    clientSecret: secret(32),
    webhookId: `SANDBOX${secret(5).toUpperCase()}`,
    signingKey: pair.privateKey,
    verifyingKey: pair.publicKey,
    control: secret(24),
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
