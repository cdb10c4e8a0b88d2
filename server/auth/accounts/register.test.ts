import { expect, test } from 'vitest'
import { RegisterResponse, VerifyEmailResponse } from '#contract/auth.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const aHandle: unknown = expect.stringMatching(/^[\w-]{43}$/)

const person = {
  first_name: 'ngozi',
  last_name: 'adichie-Obi',
  email: 'Ngozi@Mail.Example',
  password: 'under the mango tree',
  phone_number: '+44 20 7946 0123',
  date_of_birth: '1990-02-28',
  terms: true,
}

/** The address of `person`, as it is stored. */
const EMAIL = 'ngozi@mail.example'

/** Sends the form as `person` fills it in, with changes. */
function sendForm(testApp: TestApp, changes: object = {}, browser = new Browser(testApp)) {
  return browser.act('auth.registerPatient', { ...person, ...changes })
}

/** Registers `person`, with changes, and reads the email about it. */
async function register(testApp: TestApp, browser: Browser, changes: object = {}) {
  const { data } = await sendForm(testApp, changes, browser)
  const { auth_token: handle } = RegisterResponse.parse(data)
  const mail = await lastMailTo(testApp, 'email' in changes ? String(changes.email) : EMAIL)
  return { handle, mail, token: tokenIn(mail, 'verify') }
}

function readAccounts({ database: { db } }: TestApp) {
  return db.selectFrom('accounts').selectAll().execute()
}

/** The response to a form, and what was stored. */
async function tryForm(changes: object) {
  await using testApp = await makeTestApp()
  const { status, issues } = await sendForm(testApp, changes)
  return { status, issues, stored: await readAccounts(testApp) }
}

/** A form refused with a message beside one field, of which nothing is stored. */
const refused = (path: string, message: string) => ({
  status: 400,
  issues: [{ path, message }],
  stored: [],
})

/** Follows the link of the email, in the browser with that handle where one is given. */
function followLink(browser: Browser, token: string, handle?: string) {
  return browser.act('auth.verifyEmail', { token, ...(handle && { auth_token: handle }) })
}

test('a patient registers, follows the emailed link and signs in', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { status, data } = await sendForm(testApp, { temp_distance: 25 }, browser)
  expect(status).toBe(200)
  expect(data).toEqual({ status: true, auth_token: aHandle })
  const rows = await readAccounts(testApp)
  expect(rows).toMatchObject([
    {
      kind: 'patient',
      first_name: 'Ngozi',
      last_name: 'Adichie-Obi',
      email: EMAIL,
      default_radius: 25,
      email_verified_at: null,
    },
  ])
  expect(JSON.stringify(rows)).not.toContain(person.password)
  const mail = await lastMailTo(testApp, EMAIL)
  expect(mail.subject).toBe('Confirm your email address')
  const token = tokenIn(mail, 'verify')
  const verified = await followLink(browser, token)
  expect(verified.data).toEqual({ status: true, user_type: 'patient', email: EMAIL })
  const again = await followLink(browser, token)
  expect([again.status, again.message]).toEqual([400, 'This link has expired or was already used.'])
  const { email, password } = person
  const signedIn = await browser.signIn({ email, kind: 'patient' }, { password })
  expect(signedIn.status).toBe(200)
})

test('the pending handle grants nothing by itself', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { handle } = await register(testApp, browser)
  expect(browser.jar.size).toBe(0)
  expect((await followLink(browser, handle)).status).toBe(400)
  browser.jar.set('access_token', { value: handle, attributes: [] })
  browser.jar.set('refresh_token', { value: handle, attributes: [] })
  expect((await browser.ask('auth.sessions')).status).toBe(401)
  expect((await browser.act('auth.refresh')).status).toBe(401)
})

test('a verification link works for a day', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { token } = await register(testApp, browser)
  testApp.advance(24 * 3_600_000)
  expect((await followLink(browser, token)).code).toBe('verify_link_invalid')
})

test.each([
  ['is_admin', true],
  ['role', 'superuser'],
  ['provider_id', 1],
  ['status', 'Verified'],
])('an unknown field such as %s is refused and nothing is written', async (key, value) => {
  await using testApp = await makeTestApp()
  const { status, message } = await sendForm(testApp, { [key]: value })
  expect([status, message]).toEqual([400, 'Unknown field.'])
  expect(await readAccounts(testApp)).toEqual([])
})

test('nobody can register with the placeholder of an erased address', async () => {
  await using testApp = await makeTestApp()
  const erased = await makeAccount(testApp, { erased_at: 1, email: 'usr_x@erased.invalid' })
  const { status, code, issues } = await sendForm(testApp, { email: erased.email })
  expect([status, code]).toEqual([400, 'invalid_input'])
  expect(issues).toEqual([{ path: 'email', message: 'Enter a valid email address.' }])
})

test('the key __proto__ is refused as an unknown field', async () => {
  await using testApp = await makeTestApp()
  const body = JSON.stringify(person).replace('{', '{"__proto__":{"role":"superuser"},')
  const response = await new Browser(testApp).fetch('/trpc/auth.registerPatient', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(response.status).toBe(400)
  expect(await readAccounts(testApp)).toEqual([])
})

test.each([
  ['a Kelvin sign', 'in\u212Aind@mail.example'],
  ['a dotless i', 'ng\u0131zi@mail.example'],
  ['a full-width at', 'ngozi\uff20mail.example'],
  ['a zero-width space', 'ngo\u200bzi@mail.example'],
  ['a right-to-left mark', 'ngozi\u200f@mail.example'],
  ['two addresses', 'a@mail.example, b@mail.example'],
  ['a line break', 'a@mail.example\r\nBcc: b@mail.example'],
  ['nothing', ''],
])('an address with %s is refused', async (_what, email) => {
  const message = email === '' ? 'Enter your email address.' : 'Enter a valid email address.'
  expect(await tryForm({ email })).toEqual(refused('email', message))
})

test.each([
  [' '.repeat(12), 'Your password can’t be only spaces.'],
  ['\u3000'.repeat(12), 'Your password can’t be only spaces.'],
  ['NGOZI.adeyemi@mail.example', 'Choose a password that is not your email address.'],
  ['seven c', 'Use at least 8 characters.'],
  ['x'.repeat(129), 'Use 128 characters or fewer.'],
  ['Password', 'This is one of the most common passwords. Choose another one.'],
])('the password "%s" is refused with the rule', async (password, message) => {
  const email = 'ngozi.adeyemi@mail.example'
  expect(await tryForm({ email, password })).toEqual(refused('password', message))
})

test('registering without the terms works, and the pages ask for them until they are accepted', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  // JSON leaves out what is undefined.
  const { token } = await register(testApp, browser, { terms: undefined })
  await followLink(browser, token)
  const me = async () => (await browser.ask('auth.me')).data
  await browser.signIn({ email: EMAIL, kind: 'patient' }, { password: person.password })
  expect(await me()).toMatchObject({ must_accept_terms: true })
  const own = (await browser.act('profiles.exportData')).data
  expect(own).toMatchObject({ account: { terms_accepted_at: null } })
  expect((await browser.act('auth.acceptTerms', { terms: false })).status).toBe(400)
  for (let count = 0; count < 2; count += 1) {
    expect((await browser.act('auth.acceptTerms', { terms: true })).status).toBe(200)
  }
  expect(await me()).toMatchObject({ must_accept_terms: false })
  const accepted = { terms_accepted_at: testApp.services.now() }
  expect(await readAccounts(testApp)).toMatchObject([accepted])
  const audit = testApp.database.db.selectFrom('audit').select('entity')
  expect(await audit.where('action', '=', 'account.terms_accepted').execute()).toHaveLength(1)
})

test.each([
  ['2026-03-02', 'Your date of birth must be in the past.', {}],
  ['2090-02-28', 'Your date of birth must be in the past.', {}],
  ['1899-12-31', 'Check the year of your date of birth.', {}],
  ['1990-02-30', 'Enter your date of birth.', {}],
  ['28/02/1990', 'Enter your date of birth.', {}],
  ['tomorrow', 'Enter your date of birth.', {}],
  ['2010-03-03', 'You must be 16 or over to have an account.', {}],
  ['2008-03-03', 'You must be 18 or over to have an account.', { selectedRegion: 'usa' }],
])('the birthday %s is refused: %s', async (date_of_birth, message, more) => {
  expect(await tryForm({ date_of_birth, ...more })).toEqual(refused('date_of_birth', message))
})

test.each([
  ['2010-03-02', 'uk'],
  ['2008-03-02', 'usa'],
])('somebody born on %s is old enough today (%s)', async (date_of_birth, selectedRegion) => {
  await using testApp = await makeTestApp()
  expect((await sendForm(testApp, { selectedRegion, date_of_birth })).status).toBe(200)
})

test('a known address gets the same response, its owner an email, and its account is unchanged', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp, { email: EMAIL })
  const before = await readAccounts(testApp)
  const known = await sendForm(testApp)
  const fresh = await sendForm(testApp, { email: 'other@mail.example' })
  expect(known.status).toBe(fresh.status)
  expect([...known.headers.keys()]).toEqual([...fresh.headers.keys()])
  const shape = { status: true, auth_token: aHandle }
  expect([known.data, fresh.data]).toEqual([shape, shape])
  expect((await readAccounts(testApp)).find(({ no }) => no === account.no)).toEqual(before[0])
  const mail = await lastMailTo(testApp, EMAIL)
  expect(mail.subject).toBe('You already have an account')
  // Only the owner can sign in through the link of that email.
  expect(tokenIn(mail, 'reset-password')).toHaveLength(43)
})

test('emails to the owner are limited, however often their address is registered', async () => {
  await using testApp = await makeTestApp()
  await makeAccount(testApp, { email: EMAIL })
  for (let count = 0; count < 6; count += 1) {
    expect((await sendForm(testApp)).status).toBe(200)
  }
  await testApp.drainOutbox()
  expect(testApp.mails).toHaveLength(3)
})

test('the verification email can be requested again, without revealing accounts', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  await sendForm(testApp, {}, browser)
  await testApp.drainOutbox()
  const ask = (email: string) =>
    browser.act('auth.resendVerification', { email, user_type: 'patient' })
  const known = await ask(EMAIL)
  const unknown = await ask('nobody@mail.example')
  expect([known.status, known.data]).toEqual([unknown.status, unknown.data])
  await testApp.drainOutbox()
  expect(testApp.mails.map(({ to }) => to)).toEqual([EMAIL, EMAIL])
  const token = tokenIn(await lastMailTo(testApp, EMAIL), 'verify')
  expect((await followLink(browser, token)).status).toBe(200)
})

describeEngines('registering', (makeDatabase) => {
  test('concurrent registrations of one address make one account, with the same response', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const answers = await Promise.all(Array.from({ length: 4 }, () => sendForm(testApp)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await readAccounts(testApp)).toHaveLength(1)
  })
  test('ten concurrent uses of a link confirm once', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { token } = await register(testApp, new Browser(testApp))
    const asked = Array.from({ length: 10 }, () => followLink(new Browser(testApp), token))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 400)).toHaveLength(9)
    const audit = testApp.database.db.selectFrom('audit').select('id')
    expect(await audit.where('action', '=', 'account.email_verified').execute()).toHaveLength(1)
  })
})

const NEXT = '/appointment/prv_01?region=uk&date=2026-03-03&time=09%3A00'

test('the browser that registered is signed in by the link of the email', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { handle, token } = await register(testApp, browser)
  const { data } = await followLink(browser, token, handle)
  const { me, tokens } = VerifyEmailResponse.parse(data)
  expect(me).toMatchObject({ email: EMAIL, kind: 'patient', stepped_up_until: null })
  expect(tokens).toBeUndefined()
  expect((await browser.ask('auth.me')).data).toMatchObject({ email: EMAIL })
})

test('in another browser the link confirms the address without signing in', async () => {
  await using testApp = await makeTestApp()
  const { token } = await register(testApp, new Browser(testApp))
  const phone = new Browser(testApp, '198.51.100.7')
  const { data } = await followLink(phone, token)
  expect(data).toEqual({ status: true, user_type: 'patient', email: EMAIL })
  expect(phone.jar.size).toBe(0)
  expect((await phone.ask('auth.me')).data).toBeNull()
})

test('the handle of another registration signs in to neither account', async () => {
  await using testApp = await makeTestApp()
  const victim = new Browser(testApp)
  const theirs = await register(testApp, victim)
  const planted = await register(testApp, new Browser(testApp), { email: 'mallory@mail.example' })
  // A link sent to somebody else, opened in the browser where the victim registers.
  const { data } = await followLink(victim, planted.token, theirs.handle)
  expect(VerifyEmailResponse.parse(data).me).toBeUndefined()
  expect(victim.jar.size).toBe(0)
})

test('a handle does not work once the address is confirmed, after a day, or for suspended accounts', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const first = await register(testApp, browser)
  await browser.act('auth.resendVerification', { email: EMAIL, user_type: 'patient' })
  const second = tokenIn(await lastMailTo(testApp, EMAIL), 'verify')
  await followLink(new Browser(testApp), first.token)
  const late = await followLink(browser, second, first.handle)
  expect(late.code).toBe('verify_link_invalid')
  expect(browser.jar.size).toBe(0)

  const other = await register(testApp, browser, { email: 'obi@mail.example' })
  await testApp.database.db
    .updateTable('accounts')
    .set({ suspended_at: 1 })
    .where('email', '=', 'obi@mail.example')
    .execute()
  const { data } = await followLink(browser, other.token, other.handle)
  expect(VerifyEmailResponse.parse(data).me).toBeUndefined()
})

test('the emailed link leads on to the page the person came from, also when resent', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { mail, token } = await register(testApp, browser, { next: NEXT })
  const link = `http://localhost:3000/verify/${token}?${new URLSearchParams({ next: NEXT })}`
  expect(mail.text).toContain(link)
  // The provider a patient was about to book must not be stored in plain text in any table.
  const waiting = await testApp.database.db.selectFrom('outbox').select('payload').execute()
  expect(JSON.stringify(waiting)).not.toContain('prv_01')
  const again = { email: EMAIL, user_type: 'patient', next: NEXT }
  await browser.act('auth.resendVerification', again)
  expect((await lastMailTo(testApp, EMAIL)).text).toContain(new URLSearchParams({ next: NEXT }))
})

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/verify/x',
  'x',
  '/x/..//y',
])('the email never leads to %s', async (next) => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const registered = await sendForm(testApp, { next }, browser)
  expect([registered.status, registered.issues]).toEqual([
    400,
    [{ path: 'next', message: 'Enter a path of this site.' }],
  ])
  const again = { email: EMAIL, user_type: 'patient', next }
  expect((await browser.act('auth.resendVerification', again)).status).toBe(400)
  expect(await readAccounts(testApp)).toEqual([])
})

describeEngines('two tabs confirming concurrently', (makeDatabase) => {
  test('open one session, and the other request learns that the link was used', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = new Browser(testApp)
    const { handle, token } = await register(testApp, browser)
    const both = await Promise.all([
      followLink(browser, token, handle),
      followLink(browser, token, handle),
    ])
    expect(new Set(both.map(({ code }) => code))).toEqual(new Set(['verify_link_invalid', null]))
    const sessions = await testApp.database.db.selectFrom('sessions').select('id').execute()
    expect(sessions).toHaveLength(1)
    expect((await browser.ask('auth.me')).data).toMatchObject({ email: EMAIL })
  })
})
