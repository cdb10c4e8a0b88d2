import { type Challenge, type Solution, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, test } from 'vitest'
import { Browser } from '#tests/harness/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const on = { config: { captcha: true } }

const person = {
  first_name: 'Ngozi',
  last_name: 'Adichie',
  email: 'ngozi@mail.example',
  password: 'under the mango tree',
  phone_number: '+44 20 7946 0123',
  date_of_birth: '1990-02-28',
  terms: true,
}

async function challenge(browser: Browser): Promise<Challenge> {
  const response = await browser.fetch('/captcha')
  expect(response.headers.get('cache-control')).toBe('no-store')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the widget does
  return (await response.json()) as Challenge
}

type Solved = { challenge: Challenge; solution: Solution }

let solved: Promise<Solved> | undefined

/**
 * A challenge solved as the widget does. Solving takes a second, so it happens once: all test apps have the same key
 * and clock, and each has a database of its own, in which the solution is unused.
 */
function solveOnce(): Promise<Solved> {
  return (solved ??= (async () => {
    await using testApp = await makeTestApp(on)
    const one = await challenge(new Browser(testApp))
    const solution = await solveChallenge({ challenge: one, deriveKey })
    if (solution === null) throw new Error('The challenge has no solution.')
    return { challenge: one, solution }
  })())
}

const wrap = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** The value that the widget sends. */
const solve = async () => wrap(await solveOnce())

function register(browser: Browser, captchaValue?: string) {
  return browser.act('auth.registerPatient', {
    ...person,
    ...(captchaValue === undefined ? {} : { captchaValue }),
  })
}

function accounts(testApp: TestApp) {
  return testApp.database.db.selectFrom('accounts').select('no').execute()
}

test('a solved challenge allows exactly one registration', async () => {
  await using testApp = await makeTestApp(on)
  const browser = new Browser(testApp)
  const bare = await register(browser)
  expect([bare.status, bare.code]).toEqual([429, 'captcha_required'])
  const value = await solve()
  expect((await register(browser, value)).status).toBe(200)
  const again = await register(browser, value)
  expect([again.status, again.code]).toEqual([400, 'captcha_invalid'])
  expect(await accounts(testApp)).toHaveLength(1)
})

test('the same solution sent twice concurrently works once', async () => {
  await using testApp = await makeTestApp(on)
  const browser = new Browser(testApp)
  const value = await solve()
  const answers = await Promise.all([register(browser, value), register(browser, value)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
})

test('a challenge is valid for an hour', async () => {
  await using testApp = await makeTestApp(on)
  const browser = new Browser(testApp)
  const value = await solve()
  testApp.advance(60 * 60_000)
  expect((await register(browser, value)).code).toBe('captcha_invalid')
})

test('invented, altered and foreign solutions are refused', async () => {
  await using testApp = await makeTestApp(on)
  const browser = new Browser(testApp)
  const { challenge: one, solution } = await solveOnce()
  const easier = { ...one, parameters: { ...one.parameters, data: { until: 9e15 } } }
  const values = [
    'x',
    '%%%',
    wrap(null),
    wrap({ challenge: one }),
    wrap({ challenge: one, solution: { counter: 0, derivedKey: '00'.repeat(32) } }),
    wrap({ challenge: one, solution: { counter: -1, derivedKey: 'zz' } }),
    wrap({ challenge: { ...one, signature: '00'.repeat(32) }, solution }),
    wrap({ challenge: easier, solution }),
    wrap({ challenge: { ...one, parameters: { ...one.parameters, __proto__: 1 } }, solution: 1 }),
  ]
  for (const value of values) {
    const { status, code } = await register(browser, value)
    expect([status, code]).toEqual([400, 'captcha_invalid'])
  }
  expect((await register(browser, 'x'.repeat(4_001))).code).toBe('captcha_invalid')
  expect(await accounts(testApp)).toEqual([])
  expect((await register(browser, wrap({ challenge: one, solution }))).status).toBe(200)
})

test('the contact form requires one too', async () => {
  await using testApp = await makeTestApp(on)
  const browser = new Browser(testApp)
  const message = { ...person, message: 'Can you see my son on Friday?' }
  const { first_name, last_name, email } = person
  const form = { first_name, last_name, email, message: message.message }
  expect((await browser.act('messages.contact', form)).code).toBe('captcha_required')
  const captchaValue = await solve()
  expect((await browser.act('messages.contact', { ...form, captchaValue })).status).toBe(200)
})

test('a network that searches a lot solves one CAPTCHA, and continues', async () => {
  await using testApp = await makeTestApp(on)
  const browser = new Browser(testApp)
  const search = () => browser.ask('search.map', { postcode: '' })
  for (let count = 0; count < 120; count += 1) {
    expect((await search()).code).not.toBe('captcha_required')
  }
  const full = await search()
  expect([full.status, full.code]).toEqual([429, 'captcha_required'])
  expect(full.retryAfter).toBeGreaterThan(0)
  const elsewhere = await new Browser(testApp, '198.51.100.7').ask('search.map', { postcode: '' })
  expect(elsewhere.status).not.toBe(429)
  expect((await browser.act('search.prove', { captchaValue: 'x' })).code).toBe('captcha_invalid')
  const captchaValue = await solve()
  expect((await browser.act('search.prove', { captchaValue })).data).toEqual({ status: true })
  expect((await search()).status).not.toBe(429)
  testApp.advance(15 * 60_000)
  for (let count = 0; count < 120; count += 1) await search()
  expect((await search()).code).toBe('captcha_required')
})

test('a CAPTCHA solved at one process counts at the others', async () => {
  await using testApp = await makeTestApp(on)
  await using other = await makeTestApp({ ...on, database: testApp.database })
  const [here, there] = [new Browser(testApp), new Browser(other)]
  const search = (browser: Browser) => browser.ask('search.map', { postcode: '' })
  for (const browser of [here, there]) {
    for (let count = 0; count < 120; count += 1) await search(browser)
    expect((await search(browser)).code).toBe('captcha_required')
  }
  const captchaValue = await solve()
  expect((await here.act('search.prove', { captchaValue })).data).toEqual({ status: true })
  expect((await search(here)).status).not.toBe(429)
  // Each process looks for such proofs at most once a second.
  other.advance(1_000)
  expect((await search(there)).status).not.toBe(429)
  const elsewhere = new Browser(other, '198.51.100.7')
  for (let count = 0; count < 120; count += 1) await search(elsewhere)
  expect((await search(elsewhere)).code).toBe('captcha_required')
})

test('a CAPTCHA solved at one process counts at the others, also where a whole IPv6 site has searched a lot', async () => {
  await using testApp = await makeTestApp(on)
  await using other = await makeTestApp({ ...on, database: testApp.database })
  const search = (browser: Browser) => browser.ask('search.map', { postcode: '' })
  for (let n = 1; n <= 8; n += 1) {
    const neighbour = new Browser(other, `2001:db8:7:${n}::1`)
    for (let count = 0; count < 120; count += 1) await search(neighbour)
  }
  const own = '2001:db8:7:9::1'
  const [here, there] = [new Browser(testApp, own), new Browser(other, own)]
  expect((await search(there)).code).toBe('captcha_required')
  const captchaValue = await solve()
  expect((await here.act('search.prove', { captchaValue })).status).toBe(200)
  other.advance(1_000)
  expect((await search(there)).status).not.toBe(429)
})

test('challenges themselves are limited', async () => {
  await using testApp = await makeTestApp(on)
  const browser = new Browser(testApp)
  const statuses = new Set<number>()
  for (let count = 0; count < 61; count += 1) {
    statuses.add((await browser.fetch('/captcha')).status)
  }
  expect([...statuses]).toEqual([200, 429])
})
