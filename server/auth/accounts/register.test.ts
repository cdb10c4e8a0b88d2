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

test('a patient registers, follows the emailed link and signs in', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { status, data } = await browser.act('auth.registerPatient', {
    ...person,
    temp_distance: 25,
  })
  expect(status).toBe(200)
  expect(data).toEqual({ status: true, auth_token: aHandle })
  const rows = await testApp.database.db.selectFrom('accounts').selectAll().execute()
  expect(rows).toMatchObject([
    {
      kind: 'patient',
      first_name: 'Ngozi',
      last_name: 'Adichie-Obi',
      email: 'ngozi@mail.example',
      default_radius: 25,
      email_verified_at: null,
    },
  ])
  expect(JSON.stringify(rows)).not.toContain(person.password)
  const mail = await lastMailTo(testApp, 'ngozi@mail.example')
  expect(mail.subject).toBe('Confirm your email address')
  const token = tokenIn(mail, 'verify')
  const verified = await browser.act('auth.verifyEmail', { token })
  expect(verified.data).toEqual({
    status: true,
    user_type: 'patient',
    email: 'ngozi@mail.example',
  })
  const again = await browser.act('auth.verifyEmail', { token })
  expect([again.status, again.message]).toEqual([400, 'This link has expired or was already used.'])
  const signedIn = await browser.signIn(
    { email: person.email, kind: 'patient' },
    { password: person.password },
  )
  expect(signedIn.status).toBe(200)
})

test('the pending handle grants nothing by itself', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { data } = await browser.act('auth.registerPatient', person)
  const { auth_token: handle } = RegisterResponse.parse(data)
  expect(browser.jar.size).toBe(0)
  expect((await browser.act('auth.verifyEmail', { token: handle })).status).toBe(400)
  browser.jar.set('access_token', { value: handle, attributes: [] })
  browser.jar.set('refresh_token', { value: handle, attributes: [] })
  expect((await browser.ask('auth.sessions')).status).toBe(401)
  expect((await browser.act('auth.refresh')).status).toBe(401)
})

test.each(['Łukasz', 'José María', "O'Brien-Smith", '陳大文', 'Jose\u0301', 'מֹשֶׁה', 'Nguyễn'])(
  'the name %s is accepted',
  async (name) => {
    await using testApp = await makeTestApp()
    const input = { ...person, first_name: name }
    expect((await new Browser(testApp).act('auth.registerPatient', input)).status).toBe(200)
  },
)

test('a verification link works for a day', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  await browser.act('auth.registerPatient', person)
  const token = tokenIn(await lastMailTo(testApp, 'ngozi@mail.example'), 'verify')
  testApp.advance(24 * 3_600_000)
  expect((await browser.act('auth.verifyEmail', { token })).code).toBe('verify_link_invalid')
})

test.each([
  ['is_admin', true],
  ['role', 'superuser'],
  ['provider_id', 1],
  ['status', 'Verified'],
])('an unknown field such as %s is refused and nothing is written', async (key, value) => {
  await using testApp = await makeTestApp()
  const { status, message } = await new Browser(testApp).act('auth.registerPatient', {
    ...person,
    [key]: value,
  })
  expect([status, message]).toEqual([400, 'Unknown field.'])
  expect(await testApp.database.db.selectFrom('accounts').selectAll().execute()).toEqual([])
})

test('nobody can register with the placeholder of an erased address', async () => {
  await using testApp = await makeTestApp()
  const erased = await makeAccount(testApp, { erased_at: 1, email: 'usr_x@erased.invalid' })
  const browser = new Browser(testApp)
  const { status, code, issues } = await browser.act('auth.registerPatient', {
    ...person,
    email: erased.email,
  })
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
  expect(await testApp.database.db.selectFrom('accounts').selectAll().execute()).toEqual([])
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
  await using testApp = await makeTestApp()
  const { status, issues } = await new Browser(testApp).act('auth.registerPatient', {
    ...person,
    email,
  })
  expect(status).toBe(400)
  expect(issues).toEqual([
    {
      path: 'email',
      message: email === '' ? 'Enter your email address.' : 'Enter a valid email address.',
    },
  ])
})

const hidden = ['\u3164', '\u115f\u1160', '\uffa0', 'Ng\u034fozi', 'Ng\u180bozi', 'Ng\ufe0fozi']
const stackedAccents = `Z${'\u0335'.repeat(30)}algo`

test.each([
  [' '.repeat(12), 'Your password can’t be only spaces.'],
  ['\u3000'.repeat(12), 'Your password can’t be only spaces.'],
  ['NGOZI.adeyemi@mail.example', 'Choose a password that is not your email address.'],
])('the password "%s" is refused', async (password, message) => {
  await using testApp = await makeTestApp()
  const email = 'ngozi.adeyemi@mail.example'
  const browser = new Browser(testApp)
  const { status, issues } = await browser.act('auth.registerPatient', {
    ...person,
    email,
    password,
  })
  expect([status, issues]).toEqual([400, [{ path: 'password', message }]])
})

test('registering without the terms works, and the pages ask for them until they are accepted', async () => {
  await using testApp = await makeTestApp()
  const { terms: _, ...payload } = person
  const browser = new Browser(testApp)
  expect((await browser.act('auth.registerPatient', payload)).status).toBe(200)
  const email = payload.email.toLowerCase()
  const token = tokenIn(await lastMailTo(testApp, email), 'verify')
  await browser.act('auth.verifyEmail', { token })
  const me = async () => (await browser.ask('auth.me')).data
  await browser.signIn({ email, kind: 'patient' }, { password: payload.password })
  expect(await me()).toMatchObject({ must_accept_terms: true })
  const own = (await browser.act('profiles.exportData')).data
  expect(own).toMatchObject({ account: { terms_accepted_at: null } })
  expect((await browser.act('auth.acceptTerms', { terms: false })).status).toBe(400)
  for (let count = 0; count < 2; count += 1) {
    expect((await browser.act('auth.acceptTerms', { terms: true })).status).toBe(200)
  }
  expect(await me()).toMatchObject({ must_accept_terms: false })
  const rows = await testApp.database.db
    .selectFrom('accounts')
    .select('terms_accepted_at')
    .execute()
  expect(rows).toEqual([{ terms_accepted_at: testApp.services.now() }])
  const audit = testApp.database.db.selectFrom('audit').select('entity')
  expect(await audit.where('action', '=', 'account.terms_accepted').execute()).toHaveLength(1)
})

test.each([
  'Ng\u200bozi',
  '\u202eizogN',
  'Ngozi\u0000',
  'Ng0zi',
  '<b>Ngozi</b>',
  ...hidden,
  stackedAccents,
])('the name %j is refused', async (name) => {
  await using testApp = await makeTestApp()
  const { status, issues } = await new Browser(testApp).act('auth.registerPatient', {
    ...person,
    first_name: name,
  })
  expect(status).toBe(400)
  expect(issues).toEqual([
    { path: 'first_name', message: 'Use letters, spaces, apostrophes and hyphens only.' },
  ])
})

test.each([
  ['seven ch', 'seven c', 'Use at least 8 characters.'],
  ['long', 'x'.repeat(129), 'Use 128 characters or fewer.'],
  ['common', 'Password', 'This is one of the most common passwords. Choose another one.'],
])('a password that is too %s is refused with the rule', async (_what, password, message) => {
  await using testApp = await makeTestApp()
  const { status, issues } = await new Browser(testApp).act('auth.registerPatient', {
    ...person,
    password,
  })
  expect([status, issues]).toEqual([400, [{ path: 'password', message }]])
  expect(await testApp.database.db.selectFrom('accounts').selectAll().execute()).toEqual([])
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
])('the birthday %s is refused: %s', async (birthday, message, more) => {
  await using testApp = await makeTestApp()
  const { status, issues } = await new Browser(testApp).act('auth.registerPatient', {
    ...person,
    ...more,
    date_of_birth: birthday,
  })
  expect([status, issues]).toEqual([400, [{ path: 'date_of_birth', message }]])
})

test.each([
  ['2010-03-02', 'uk'],
  ['2008-03-02', 'usa'],
])('somebody born on %s is old enough today (%s)', async (birthday, selectedRegion) => {
  await using testApp = await makeTestApp()
  const wish = { ...person, selectedRegion, date_of_birth: birthday }
  expect((await new Browser(testApp).act('auth.registerPatient', wish)).status).toBe(200)
})

test('a known address gets the same response, its owner an email, and its account is unchanged', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp, { email: 'ngozi@mail.example' })
  const read = () => testApp.database.db.selectFrom('accounts').selectAll().execute()
  const before = await read()
  const known = await new Browser(testApp).act('auth.registerPatient', person)
  const fresh = await new Browser(testApp).act('auth.registerPatient', {
    ...person,
    email: 'other@mail.example',
  })
  expect(known.status).toBe(fresh.status)
  expect([...known.headers.keys()]).toEqual([...fresh.headers.keys()])
  const shape = { status: true, auth_token: aHandle }
  expect([known.data, fresh.data]).toEqual([shape, shape])
  expect((await read()).find(({ no }) => no === account.no)).toEqual(before[0])
  const mail = await lastMailTo(testApp, 'ngozi@mail.example')
  expect(mail.subject).toBe('You already have an account')
  // Only the owner can sign in through the link of that email.
  expect(tokenIn(mail, 'reset-password')).toHaveLength(43)
})

test('emails to the owner are limited, however often their address is registered', async () => {
  await using testApp = await makeTestApp()
  await makeAccount(testApp, { email: 'ngozi@mail.example' })
  for (let count = 0; count < 6; count += 1) {
    expect((await new Browser(testApp).act('auth.registerPatient', person)).status).toBe(200)
  }
  await testApp.drainOutbox()
  expect(testApp.mails).toHaveLength(3)
})

test('the verification email can be requested again, without revealing accounts', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  await browser.act('auth.registerPatient', person)
  await testApp.drainOutbox()
  const ask = (email: string) =>
    browser.act('auth.resendVerification', { email, user_type: 'patient' })
  const known = await ask('ngozi@mail.example')
  const unknown = await ask('nobody@mail.example')
  expect([known.status, known.data]).toEqual([unknown.status, unknown.data])
  await testApp.drainOutbox()
  expect(testApp.mails.map(({ to }) => to)).toEqual(['ngozi@mail.example', 'ngozi@mail.example'])
  const token = tokenIn(await lastMailTo(testApp, 'ngozi@mail.example'), 'verify')
  expect((await browser.act('auth.verifyEmail', { token })).status).toBe(200)
})

describeEngines('registering', (makeDatabase) => {
  test('concurrent registrations of one address make one account, with the same response', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => new Browser(testApp).act('auth.registerPatient', person)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await testApp.database.db.selectFrom('accounts').selectAll().execute()).toHaveLength(1)
  })
  test('ten concurrent uses of a link confirm once', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    await new Browser(testApp).act('auth.registerPatient', person)
    const token = tokenIn(await lastMailTo(testApp, 'ngozi@mail.example'), 'verify')
    const asked = Array.from({ length: 10 }, () =>
      new Browser(testApp).act('auth.verifyEmail', { token }),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 400)).toHaveLength(9)
    const { db } = testApp.database
    const rows = await db
      .selectFrom('audit')
      .select('id')
      .where('action', '=', 'account.email_verified')
      .execute()
    expect(rows).toHaveLength(1)
  })
})

/** The address of `person`, as it is stored. */
const EMAIL = 'ngozi@mail.example'
const NEXT = '/appointment/prv_01?region=uk&date=2026-03-03&time=09%3A00'

async function register(testApp: TestApp, browser: Browser, more: object = {}) {
  const { data } = await browser.act('auth.registerPatient', { ...person, ...more })
  const { auth_token: handle } = RegisterResponse.parse(data)
  const email = 'email' in more ? String(more.email) : EMAIL
  const mail = await lastMailTo(testApp, email)
  return { handle, mail, token: tokenIn(mail, 'verify') }
}

test('the browser that registered is signed in by the link of the email', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { handle, token } = await register(testApp, browser)
  const { data } = await browser.act('auth.verifyEmail', { token, auth_token: handle })
  const { me, tokens } = VerifyEmailResponse.parse(data)
  expect(me).toMatchObject({ email: EMAIL, kind: 'patient', stepped_up_until: null })
  expect(tokens).toBeUndefined()
  expect((await browser.ask('auth.me')).data).toMatchObject({ email: EMAIL })
})

test('in another browser the link confirms the address without signing in', async () => {
  await using testApp = await makeTestApp()
  const { token } = await register(testApp, new Browser(testApp))
  const phone = new Browser(testApp, '198.51.100.7')
  const { data } = await phone.act('auth.verifyEmail', { token })
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
  const { data } = await victim.act('auth.verifyEmail', {
    token: planted.token,
    auth_token: theirs.handle,
  })
  expect(VerifyEmailResponse.parse(data).me).toBeUndefined()
  expect(victim.jar.size).toBe(0)
})

test('a handle does not work once the address is confirmed, after a day, or for suspended accounts', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const first = await register(testApp, browser)
  await browser.act('auth.resendVerification', { email: EMAIL, user_type: 'patient' })
  const second = tokenIn(await lastMailTo(testApp, EMAIL), 'verify')
  await new Browser(testApp).act('auth.verifyEmail', { token: first.token })
  const late = await browser.act('auth.verifyEmail', { token: second, auth_token: first.handle })
  expect(late.code).toBe('verify_link_invalid')
  expect(browser.jar.size).toBe(0)

  const other = await register(testApp, browser, { email: 'obi@mail.example' })
  await testApp.database.db
    .updateTable('accounts')
    .set({ suspended_at: 1 })
    .where('email', '=', 'obi@mail.example')
    .execute()
  const { data } = await browser.act('auth.verifyEmail', {
    token: other.token,
    auth_token: other.handle,
  })
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
  const registered = await browser.act('auth.registerPatient', { ...person, next })
  expect([registered.status, registered.issues]).toEqual([
    400,
    [{ path: 'next', message: 'Enter a path of this site.' }],
  ])
  const again = { email: EMAIL, user_type: 'patient', next }
  expect((await browser.act('auth.resendVerification', again)).status).toBe(400)
  expect(await testApp.database.db.selectFrom('accounts').selectAll().execute()).toEqual([])
})

describeEngines('two tabs confirming concurrently', (makeDatabase) => {
  test('open one session, and the other request learns that the link was used', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = new Browser(testApp)
    const { handle, token } = await register(testApp, browser)
    const both = await Promise.all([
      browser.act('auth.verifyEmail', { token, auth_token: handle }),
      browser.act('auth.verifyEmail', { token, auth_token: handle }),
    ])
    expect(new Set(both.map(({ code }) => code))).toEqual(new Set(['verify_link_invalid', null]))
    const sessions = await testApp.database.db.selectFrom('sessions').select('id').execute()
    expect(sessions).toHaveLength(1)
    expect((await browser.ask('auth.me')).data).toMatchObject({ email: EMAIL })
  })
})
