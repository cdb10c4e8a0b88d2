import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/kernel/config/config.ts'
import { makeFolder } from '#server/kernel/make-folder.ts'

/** Name of the key's file in the data folder of a demo without SECRET_KEY. */
export const KEY_FILE = 'secret.key'
const KEY_BYTES = 32

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** Two processes may start at once: the file is created atomically, and the first one wins. */
async function createOnce(folder: string, file: string): Promise<void> {
  await makeFolder(folder)
  const draft = join(folder, `${KEY_FILE}.${process.pid}.${randomBytes(4).toString('hex')}`)
  await writeFile(draft, randomBytes(KEY_BYTES).toString('base64url'), { mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if (!isTaken(error)) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * The master key: SECRET_KEY or, in a demo without one, a key generated once and stored in the data folder,
 * readable by its owner only.
 */
export async function readMasterKey(config: Config): Promise<Uint8Array> {
  if (config.secretKey !== null) return Buffer.from(config.secretKey, 'utf8')
  const file = join(config.dataDir, KEY_FILE)
  const read = () => readFile(file, 'utf8').catch(() => null)
  let text = await read()
  if (text === null) {
    await createOnce(config.dataDir, file)
    text = await read()
  }
  const key = Buffer.from(text ?? '', 'base64url')
  if (key.length !== KEY_BYTES) throw new Error(`${file} is not a key. Remove it to get a new one.`)
  return key
}

/**
 * The encryption keys of bank accounts, newest first. The master key stays last, so that accounts encrypted
 * before there were other keys can still be decrypted.
 */
export function bankSecrets(
  { bankKeys }: Pick<Config, 'bankKeys'>,
  master: Uint8Array,
): [Uint8Array, ...Uint8Array[]] {
  const [first, ...rest] = bankKeys.map((key) => Buffer.from(key, 'utf8'))
  return first === undefined ? [master] : [first, ...rest, master]
}

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
  | 'stopped_mail'
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

/** AES-256-GCM with a new nonce each time: nonce, tag, then the text. `owner` is needed to decrypt. */
function encrypt(key: Buffer, bytes: Uint8Array, owner = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function decrypt(key: Buffer, sealed: Uint8Array, owner = ''): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, options)
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const body = sealed.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()])
}

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
  const sealBytes: Secrets['sealBytes'] = (use, bytes) => encrypt(keyFor(use), bytes)
  const openBytes: Secrets['openBytes'] = (use, sealed) => decrypt(keyFor(use), sealed)
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

const ID_LENGTH = 12

function derive(secret: Uint8Array, what: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `apposite vault ${what}`, 32))
}

/** Id of a key: a hash of a value derived from it, which reveals nothing and is the same in every process. */
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
    if (key === undefined) throw new Error(`The key ${name} of the vault is missing.`)
    return key
  }
  return {
    keyId,
    seal(text, owner) {
      const bytes = encrypt(keyNamed(keyId), Buffer.from(text, 'utf8'), owner)
      return { keyId, sealed: bytes.toString('base64url') }
    },
    open({ keyId: name, sealed }, owner) {
      return decrypt(keyNamed(name), Buffer.from(sealed, 'base64url'), owner).toString('utf8')
    },
  }
}
