import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#server/kernel/config/config.ts'
import { readMasterKey } from './secret-key.ts'
import { isSameSecret, makeSecrets } from './secrets.ts'

const secrets = makeSecrets(Buffer.alloc(32, 1))

test('a keyed hash depends on the key, the use and the text', () => {
  const hash = secrets.mac('access', 'token')
  expect(hash).toMatch(/^[\w-]{43}$/)
  expect(secrets.mac('access', 'token')).toBe(hash)
  expect(secrets.mac('refresh', 'token')).not.toBe(hash)
  expect(secrets.mac('access', 'tokem')).not.toBe(hash)
  expect(makeSecrets(Buffer.alloc(32, 2)).mac('access', 'token')).not.toBe(hash)
})

test('what was sealed opens again, for the same use, and only unchanged', () => {
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

test('tokens have 256 bits, codes six digits, and all of the digits occur', () => {
  expect(Buffer.from(secrets.token(), 'base64url')).toHaveLength(32)
  const digits = secrets.digits(2_000)
  expect(new Set(digits).size).toBe(10)
  expect(secrets.digits(6)).toMatch(/^[0-9]{6}$/)
})

test('secrets of different lengths are different, not a failure', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true)
  expect(isSameSecret('abc', 'abcd')).toBe(false)
  expect(isSameSecret('', 'a')).toBe(false)
})

test('a demo makes its key once, however many processes start, and only its owner may read it', async () => {
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

test('SECRET_KEY is the key where it is given', async () => {
  const text = 'a secret of more than thirty-two bytes'
  const config = readConfig({ SECRET_KEY: text })
  expect(Buffer.from(await readMasterKey(config)).toString()).toBe(text)
})
