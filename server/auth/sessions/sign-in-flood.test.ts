import { expect, test } from 'vitest'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const NETWORKS = 20
/** Attempts per network at once: 220 from all of them. */
const TRIES = 11

const unknownAccount = (name: string) => ({ email: `${name}@mail.example`, kind: 'patient' })

function flood(testApp: TestApp, round: number) {
  return Array.from({ length: NETWORKS * TRIES }, (_, n) =>
    new Browser(testApp, `203.0.113.${n % NETWORKS}`).signIn(unknownAccount(`junk-${round}-${n}`)),
  )
}

test('220 concurrent wrong sign-ins from 20 networks do not block others’ right passwords', async () => {
  await using testApp = await makeTestApp()
  const people = await Promise.all(Array.from({ length: 5 }, () => makeAccount(testApp)))
  for (let round = 0; round < 3; round += 1) {
    const junk = flood(testApp, round)
    const answers = await Promise.all(
      people.map((person, n) => new Browser(testApp, `198.51.100.${n}`).signIn(person)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (const { status } of await Promise.all(junk)) expect([401, 429]).toContain(status)
  }
})

test('an exhausted network causes neither hashing nor queries', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  for (let count = 0; count < 20; count += 1) await browser.signIn(unknownAccount(`person${count}`))
  const first = await browser.signIn(account)
  expect([first.status, first.code]).toEqual([429, 'rate_limited'])
  const { database, passwords } = testApp.services
  let cost = 0
  testApp.services.passwords = {
    ...passwords,
    verify: (...given) => {
      cost += 1
      return passwords.verify(...given)
    },
  }
  testApp.services.database = {
    ...database,
    transaction: (work) => {
      cost += 1
      return database.transaction(work)
    },
  }
  const again = await browser.signIn(account)
  expect([again.status, again.retryAfter, cost]).toEqual([429, first.retryAfter, 0])
  // A concurrent correct password may have given its attempt back.
  testApp.advance(5_000)
  expect((await browser.signIn(account)).status).toBe(429)
  expect(cost).toBe(1)
})

test('an attempt refused by the queue does not count as a wrong password', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const wrong = Array.from({ length: 20 }, (_, n) =>
    new Browser(testApp).signIn(unknownAccount(`p${n}`)),
  )
  const codes = (await Promise.all(wrong)).map(({ code }) => code)
  expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThan(5)
  expect((await new Browser(testApp).signIn(account)).status).toBe(200)
})

test('one IPv6 site has 160 wrong attempts in fifteen minutes across its networks', async () => {
  await using testApp = await makeTestApp()
  testApp.services.passwords = {
    ...testApp.services.passwords,
    verify: () => Promise.resolve(false),
  }
  const from = (network: number) => new Browser(testApp, `2001:db8:1:${network.toString(16)}::1`)
  const statuses: number[] = []
  for (let n = 0; n < 165; n += 1) {
    statuses.push((await from(n).signIn(unknownAccount(`site-${n}`))).status)
  }
  expect(statuses).toEqual([...Array<number>(160).fill(401), ...Array<number>(5).fill(429)])
  expect((await new Browser(testApp, '2001:db8:2::1').signIn(unknownAccount('else'))).status).toBe(
    401,
  )
})

test('guesses from many networks slow each of them down, and lock nobody out', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const { passwords } = testApp.services
  testApp.services.passwords = {
    ...passwords,
    verify: (password, ...more) =>
      password === 'a guess' ? Promise.resolve(false) : passwords.verify(password, ...more),
  }
  const guess = (network: number) =>
    new Browser(testApp, `203.0.113.${network}`).signIn(account, { password: 'a guess' })
  for (let n = 0; n < 30; n += 1) expect((await guess(n)).status).toBe(401)
  // From now on a network has one guess, not five.
  expect([(await guess(100)).status, (await guess(100)).status]).toEqual([401, 429])
  const home = new Browser(testApp, '198.51.100.7')
  for (let count = 0; count < 3; count += 1) expect((await home.signIn(account)).status).toBe(200)
  testApp.advance(90 * 60_000)
  expect([(await guess(100)).status, (await guess(100)).status]).toEqual([401, 401])
})
