import { expect, test } from 'vitest'
import { AppError } from '#server/kernel/errors.ts'
import { isCommonPassword, makePasswords } from './passwords.ts'

const of = (phc: string | null) => () => Promise.resolve(phc)

test('a password matches its own hash and no other', async () => {
  const passwords = makePasswords()
  const phc = await passwords.hash('correct horse battery')
  expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)
  expect(await passwords.verify('correct horse battery', of(phc))).toBe(true)
  expect(await passwords.verify('correct horse batterz', of(phc))).toBe(false)
  expect(await passwords.verify('correct horse battery', of(null))).toBe(false)
})

test('hashing the same password twice gives different hashes', async () => {
  const passwords = makePasswords()
  expect(await passwords.hash('same password')).not.toBe(await passwords.hash('same password'))
})

test('letters composed in different ways are the same password', async () => {
  const passwords = makePasswords()
  const phc = await passwords.hash('caf\u00e9 au lait')
  expect(await passwords.verify('cafe\u0301 au lait', of(phc))).toBe(true)
})

test('two hash, eight wait, and the eleventh is refused', async () => {
  const passwords = makePasswords()
  const asked = Array.from({ length: 40 }, () => passwords.verify('whatever it is', of(null)))
  const settled = await Promise.allSettled(asked)
  const refused = settled
    .filter((one) => one.status === 'rejected')
    .map((one): unknown => one.reason)
  expect(refused).toHaveLength(30)
  for (const reason of refused) {
    expect(reason).toBeInstanceOf(AppError)
    expect(reason).toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 2 } })
  }
  expect(await passwords.verify('whatever it is', of(null))).toBe(false)
})

test('hashing does not block the main thread', async () => {
  const passwords = makePasswords()
  await passwords.hash('warm up first')
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  await Promise.all([passwords.hash('one of two'), passwords.hash('two of two')])
  clearInterval(timer)
  // Hashing on the main thread would block every timer until it ends.
  expect(turns).toBeGreaterThan(2)
})

test.each(['password', '12345678', 'PASSWORD', 'qwertyuiop', 'iloveyou'])(
  '%s is too common, whatever its case',
  (password) => {
    expect(isCommonPassword(password)).toBe(true)
  },
)

test('a sentence is not a common password', () => {
  expect(isCommonPassword('seven green bottles')).toBe(false)
})
