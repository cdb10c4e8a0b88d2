import { expect, test } from 'vitest'
import { readConfig } from '#server/kernel/config/config.ts'
import { bankSecrets } from './secret-key.ts'
import { makeVault } from './vault.ts'

const key = (byte: number) => Buffer.alloc(32, byte)
const vault = makeVault([key(1)])

test('what was sealed opens for the same owner only, and only unchanged', () => {
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

test('a new key seals, and the ones before it open', () => {
  const old = vault.seal('31415926', 'row 1')
  const changed = makeVault([key(2), key(1)])
  expect(changed.open(old, 'row 1')).toBe('31415926')
  const sealed = changed.seal('31415926', 'row 1')
  expect(sealed.keyId).not.toBe(old.keyId)
  expect(makeVault([key(2)]).open(sealed, 'row 1')).toBe('31415926')
  expect(() => makeVault([key(2)]).open(old, 'row 1')).toThrow(/not at hand/)
})

test('the name of a key is the same everywhere, and is not the key', () => {
  expect(makeVault([key(1)]).keyId).toBe(vault.keyId)
  expect(vault.keyId).toMatch(/^[\w-]{12}$/)
  expect(key(1).toString('base64url')).not.toContain(vault.keyId)
})

test('BANK_KEYS come before the master key, which still opens what it sealed', () => {
  const master = key(7)
  expect(bankSecrets(readConfig({}), master)).toEqual([master])
  const two = `${'n'.repeat(32)},${'o'.repeat(32)}`
  const secrets = bankSecrets(readConfig({ BANK_KEYS: two }), master)
  expect(secrets.map((one) => Buffer.from(one).toString('latin1')[0])).toEqual(['n', 'o', '\x07'])
  expect(() => readConfig({ BANK_KEYS: 'short' })).toThrow(/BANK_KEYS must be at least 32 bytes/)
})
