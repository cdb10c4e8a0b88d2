import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** An encrypted text and the id of its key. */
export type Sealed = { keyId: string; sealed: string }

/** Encrypts what a copy of the database must not reveal, and binds it to its owner. */
export type Vault = {
  /** Id of the current encryption key. */
  readonly keyId: string
  /** AES-256-GCM with a new nonce; `owner` names the row and person, and is needed to decrypt. */
  seal(text: string, owner: string): Sealed
  /** Throws when the key is missing, the text was tampered with, or it was sealed for another owner. */
  open(sealed: Sealed, owner: string): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const ID_LENGTH = 12

function derive(secret: Uint8Array, what: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `apposite vault ${what}`, 32))
}

/** Says nothing about the key, and is the same in every process that has it. */
function nameOf(secret: Uint8Array): string {
  const hash = createHash('sha256').update(derive(secret, 'name')).digest('base64url')
  return hash.slice(0, ID_LENGTH)
}

/** A vault that encrypts with the first secret and decrypts with any of them, so that keys can be rotated. */
export function makeVault(secrets: readonly [Uint8Array, ...Uint8Array[]]): Vault {
  const keys = new Map(secrets.map((secret) => [nameOf(secret), derive(secret, 'key')]))
  const keyId = nameOf(secrets[0])
  const keyNamed = (name: string): Buffer => {
    const key = keys.get(name)
    if (key === undefined) throw new Error(`The key ${name} of the vault is not at hand.`)
    return key
  }
  return {
    keyId,
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyNamed(keyId), nonce)
      cipher.setAAD(Buffer.from(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
      return { keyId, sealed }
    },
    open({ keyId: name, sealed }, owner) {
      const bytes = Buffer.from(sealed, 'base64url')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', keyNamed(name), nonce, {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(owner))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
