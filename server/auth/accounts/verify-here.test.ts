import { expect, test } from 'vitest'
import { RegisterResponse, VerifyEmailResponse } from '#contract/auth.ts'
import { lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const person = {
  first_name: 'Ngozi',
  last_name: 'Adichie',
  email: 'ngozi@mail.example',
  password: 'under the mango tree',
  phone_number: '+44 20 7946 0123',
  date_of_birth: '1990-02-28',
  terms: true,
}
const NEXT = '/appointment/prv_01?region=uk&date=2026-03-03&time=09%3A00'

async function register(testApp: TestApp, browser: Browser, more: object = {}) {
  const { data } = await browser.act('auth.registerPatient', { ...person, ...more })
  const { auth_token: handle } = RegisterResponse.parse(data)
  const email = 'email' in more ? String(more.email) : person.email
  const mail = await lastMailTo(testApp, email)
  return { handle, mail, token: tokenIn(mail, 'verify') }
}

test('the browser that registered is signed in by the link of the email', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { handle, token } = await register(testApp, browser)
  const { data } = await browser.act('auth.verifyEmail', { token, auth_token: handle })
  const { me, tokens } = VerifyEmailResponse.parse(data)
  expect(me).toMatchObject({ email: person.email, kind: 'patient', stepped_up_until: null })
  expect(tokens).toBeUndefined()
  expect((await browser.ask('auth.me')).data).toMatchObject({ email: person.email })
})

test('elsewhere the link confirms the address and signs nobody in', async () => {
  await using testApp = await makeTestApp()
  const { token } = await register(testApp, new Browser(testApp))
  const phone = new Browser(testApp, '198.51.100.7')
  const { data } = await phone.act('auth.verifyEmail', { token })
  expect(data).toEqual({ status: true, user_type: 'patient', email: person.email })
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

test('a handle is of no use once the address is confirmed, or after a day, or to the suspended', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const first = await register(testApp, browser)
  await browser.act('auth.resendVerification', { email: person.email, user_type: 'patient' })
  const second = tokenIn(await lastMailTo(testApp, person.email), 'verify')
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

test('the link of the email leads on to where the person was going, also when it is sent again', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { mail, token } = await register(testApp, browser, { next: NEXT })
  const link = `http://localhost:3000/verify/${token}?${new URLSearchParams({ next: NEXT })}`
  expect(mail.text).toContain(link)
  // The provider a patient is on the way to must not be stored in plain text in any table.
  const waiting = await testApp.database.db.selectFrom('outbox').select('payload').execute()
  expect(JSON.stringify(waiting)).not.toContain('prv_01')
  const again = { email: person.email, user_type: 'patient', next: NEXT }
  await browser.act('auth.resendVerification', again)
  expect((await lastMailTo(testApp, person.email)).text).toContain(
    new URLSearchParams({ next: NEXT }),
  )
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
  const again = { email: person.email, user_type: 'patient', next }
  expect((await browser.act('auth.resendVerification', again)).status).toBe(400)
  expect(await testApp.database.db.selectFrom('accounts').selectAll().execute()).toEqual([])
})

describeEngines('two tabs that confirm at once', (makeDatabase) => {
  test('open one session, and the other is told that the link was used', async () => {
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
    expect((await browser.ask('auth.me')).data).toMatchObject({ email: person.email })
  })
})
