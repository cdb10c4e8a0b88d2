import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'

/** What a derived key is for; each use has a key of its own. */
export type KeyUse =
  | 'access'
  | 'refresh'
  | 'personal'
  | 'child'
  | 'link'
  | 'code'
  | 'recovery'
  | 'attempt'
  | 'network'
  | 'visitor'
  | 'mail'
  | 'totp'
  | 'audit'
  | 'captcha'
  | 'document'
  | 'idempotency'
  | 'bank'
  | 'ahead'
  | 'unsubscribe'
  | 'feed'
  | 'visit'
  | 'claim'
  | 'outside'
  | 'busy'
  | 'desk'

/** Everything that needs the master key or secure random values. */
export type Secrets = {
  /** Keyed hash of a text, 43 characters of base64url. */
  mac(use: KeyUse, text: string): string
  /** Encrypts a text (AES-256-GCM, a new nonce each time). */
  seal(use: KeyUse, text: string): string
  /** Decrypts a sealed text; throws when it was tampered with. */
  open(use: KeyUse, sealed: string): string
  /** `seal` for bytes, such as a file. */
  sealBytes(use: KeyUse, bytes: Uint8Array): Buffer
  openBytes(use: KeyUse, sealed: Uint8Array): Buffer
  /** 256 random bits, 43 characters of base64url. */
  token(): string
  /** `length` random decimal digits. */
  digits(length: number): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Derives the secrets of an installation from its master key. */
export function makeSecrets(master: Uint8Array): Secrets {
  const keys = new Map<KeyUse, Buffer>()
  const keyFor = (use: KeyUse): Buffer => {
    const known = keys.get(use)
    if (known !== undefined) return known
    const key = Buffer.from(hkdfSync('sha256', master, '', `apposite ${use}`, 32))
    keys.set(use, key)
    return key
  }
  const sealBytes = (use: KeyUse, bytes: Uint8Array): Buffer => {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', keyFor(use), nonce)
    const body = Buffer.concat([cipher.update(bytes), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }
  const openBytes = (use: KeyUse, sealed: Uint8Array): Buffer => {
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', keyFor(use), nonce, {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ])
  }
  return {
    sealBytes,
    openBytes,
    mac: (use, text) => createHmac('sha256', keyFor(use)).update(text).digest('base64url'),
    seal: (use, text) => sealBytes(use, Buffer.from(text, 'utf8')).toString('base64url'),
    open: (use, sealed) => openBytes(use, Buffer.from(sealed, 'base64url')).toString('utf8'),
    token: () => randomBytes(32).toString('base64url'),
    digits: (length) => {
      let text = ''
      for (let at = 0; at < length; at += 1) text += String(randomInt(10))
      return text
    },
  }
}

/** Whether two texts are equal, compared in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}
