import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#server/kernel/config/config.ts'
import { bankSecrets, isSameSecret, makeSecrets, makeVault, readMasterKey } from './secrets.ts'

const secrets = makeSecrets(Buffer.alloc(32, 1))

test('a keyed hash depends on the key, the use and the text', () => {
  const hash = secrets.mac('access', 'token')
  expect(hash).toMatch(/^[\w-]{43}$/)
  expect(secrets.mac('access', 'token')).toBe(hash)
  expect(secrets.mac('refresh', 'token')).not.toBe(hash)
  expect(secrets.mac('access', 'tokem')).not.toBe(hash)
  expect(makeSecrets(Buffer.alloc(32, 2)).mac('access', 'token')).not.toBe(hash)
})

test('a sealed text can be decrypted for the same use, and only unaltered', () => {
  const sealed = secrets.seal('totp', 'JBSWY3DPEHPK3PXP')
  expect(secrets.open('totp', sealed)).toBe('JBSWY3DPEHPK3PXP')
  expect(secrets.seal('totp', 'JBSWY3DPEHPK3PXP')).not.toBe(sealed)
  expect(() => secrets.open('mail', sealed)).toThrow(/authenticate/)
  const bytes = Buffer.from(sealed, 'base64url')
  for (const at of [0, 15, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => secrets.open('totp', changed.toString('base64url'))).toThrow(/authenticate/)
  }
  expect(() => secrets.open('totp', '')).toThrow(/Invalid/)
})

test('tokens have 256 bits, codes six digits, and all digits occur', () => {
  expect(Buffer.from(secrets.token(), 'base64url')).toHaveLength(32)
  const digits = secrets.digits(2_000)
  expect(new Set(digits).size).toBe(10)
  expect(secrets.digits(6)).toMatch(/^[0-9]{6}$/)
})

test('comparing secrets of different lengths returns false', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true)
  expect(isSameSecret('abc', 'abcd')).toBe(false)
  expect(isSameSecret('', 'a')).toBe(false)
})

test('a demo generates its key once, however many processes start, readable by its owner only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-key-'))
  try {
    const config = readConfig({ DATA_DIR: join(folder, 'data') })
    const keys = await Promise.all(Array.from({ length: 8 }, () => readMasterKey(config)))
    const [first = new Uint8Array()] = keys
    expect(first).toHaveLength(32)
    for (const key of [...keys, await readMasterKey(config)]) expect(key).toEqual(first)
    expect(await readdir(config.dataDir)).toEqual(['secret.key'])
    expect((await stat(join(config.dataDir, 'secret.key'))).mode & 0o777).toBe(0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('SECRET_KEY is the key where set', async () => {
  const text = 'a secret of more than thirty-two bytes'
  const config = readConfig({ SECRET_KEY: text })
  expect(Buffer.from(await readMasterKey(config)).toString()).toBe(text)
})

const key = (byte: number) => Buffer.alloc(32, byte)
const vault = makeVault([key(1)])

test('a sealed text can be decrypted for the same owner only, and only unaltered', () => {
  const sealed = vault.seal('31415926', 'row 1')
  expect(vault.open(sealed, 'row 1')).toBe('31415926')
  expect(vault.seal('31415926', 'row 1').sealed).not.toBe(sealed.sealed)
  expect(() => vault.open(sealed, 'row 2')).toThrow(/authenticate/)
  const bytes = Buffer.from(sealed.sealed, 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    const seal = { ...sealed, sealed: changed.toString('base64url') }
    expect(() => vault.open(seal, 'row 1')).toThrow(/authenticate/)
  }
})

test('the newest key seals, and older ones can decrypt', () => {
  const old = vault.seal('31415926', 'row 1')
  const changed = makeVault([key(2), key(1)])
  expect(changed.open(old, 'row 1')).toBe('31415926')
  const sealed = changed.seal('31415926', 'row 1')
  expect(sealed.keyId).not.toBe(old.keyId)
  expect(makeVault([key(2)]).open(sealed, 'row 1')).toBe('31415926')
  expect(() => makeVault([key(2)]).open(old, 'row 1')).toThrow(/is missing/)
})

test('a key’s id is the same everywhere, and does not reveal the key', () => {
  expect(makeVault([key(1)]).keyId).toBe(vault.keyId)
  expect(vault.keyId).toMatch(/^[\w-]{12}$/)
  expect(key(1).toString('base64url')).not.toContain(vault.keyId)
})

test('BANK_KEYS take precedence over the master key, which can still decrypt', () => {
  const master = key(7)
  expect(bankSecrets(readConfig({}), master)).toEqual([master])
  const two = `${'n'.repeat(32)},${'o'.repeat(32)}`
  const keys = bankSecrets(readConfig({ BANK_KEYS: two }), master)
  expect(keys.map((one) => Buffer.from(one).toString('latin1')[0])).toEqual(['n', 'o', '\x07'])
  expect(() => readConfig({ BANK_KEYS: 'short' })).toThrow(/BANK_KEYS must be at least 32 bytes/)
})
