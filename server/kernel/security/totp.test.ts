import { expect, test } from 'vitest'
import { acceptTotp, newTotpSecret, totpCode, totpStep, totpUri } from './totp.ts'

/** "12345678901234567890", the secret of RFC 6238's test vectors, in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('at second %i the code is the one of RFC 6238', (second, code) => {
  expect(totpCode(RFC_SECRET, second * 1_000)).toBe(code)
})

test('a code is valid in its step and one before or after, once', () => {
  const secret = newTotpSecret()
  const now = 1_772_442_000_000
  const code = totpCode(secret, now)
  const step = totpStep(now)
  for (const drift of [-30_000, 0, 30_000]) {
    expect(acceptTotp(secret, code, { now: now + drift, lastStep: 0 })).toBe(step)
  }
  expect(acceptTotp(secret, code, { now: now + 60_000, lastStep: 0 })).toBeNull()
  expect(acceptTotp(secret, code, { now: now - 60_000, lastStep: 0 })).toBeNull()
  expect(acceptTotp(secret, code, { now, lastStep: step })).toBeNull()
  expect(acceptTotp(secret, code, { now, lastStep: step - 1 })).toBe(step)
})

test('secrets have 160 bits and differ; the URI names the site and the account', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(secret)
  const uri = new URL(totpUri(secret, 'maya@mail.example'))
  expect(uri.protocol).toBe('otpauth:')
  expect(uri.searchParams.get('secret')).toBe(secret)
  expect(uri.searchParams.get('issuer')).toBe('Apposite')
})
