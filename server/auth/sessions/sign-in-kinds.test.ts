import { expect, test } from 'vitest'
import { SecondFactorSetup } from '#contract/auth-second-factor.ts'
import { totpCode } from '#server/kernel/security/totp.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const EMAIL = 'robin@mail.example'

/** Signs in as the page does, without saying as what. */
function signIn(browser: Browser, more: object = {}) {
  return browser.act('auth.signIn', { email: EMAIL, password: PASSWORD, ...more })
}

async function makeBoth(testApp: TestApp, patientsPassword = PASSWORD) {
  const patient = await makeAccount(testApp, {
    email: EMAIL,
    password_hash: await testApp.services.passwords.hash(patientsPassword),
  })
  const { account: provider } = await makeProviderAccount(testApp, { email: EMAIL })
  return { patient, provider }
}

test('a provider’s right password signs in, without saying that it is a provider’s', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp, { email: EMAIL })
  const { status, data } = await signIn(new Browser(testApp))
  expect([status, data]).toMatchObject([200, { user_id: account.id, me: { kind: 'provider' } }])
})

test('of two accounts with different passwords, the password says which is meant', async () => {
  await using testApp = await makeTestApp()
  const { patient, provider } = await makeBoth(testApp, 'ten yellow boats')
  const asPatient = await signIn(new Browser(testApp), { password: 'ten yellow boats' })
  expect(asPatient.data).toMatchObject({ user_id: patient.id })
  const asProvider = await signIn(new Browser(testApp))
  expect(asProvider.data).toMatchObject({ user_id: provider.id })
})

test('two accounts with one password are asked about, and only whoever knows it learns of them', async () => {
  await using testApp = await makeTestApp()
  const { patient, provider } = await makeBoth(testApp)
  const browser = new Browser(testApp)
  const wrong = await signIn(browser, { password: 'not this one' })
  expect([wrong.status, wrong.code]).toEqual([401, 'credentials_wrong'])
  const asked = await signIn(browser)
  expect([asked.status, asked.code]).toEqual([409, 'user_type_required'])
  expect(browser.jar.size).toBe(0)
  const asProvider = await signIn(browser, { user_type: 'provider' })
  expect(asProvider.data).toMatchObject({ user_id: provider.id })
  const asPatient = await signIn(new Browser(testApp), { user_type: 'patient' })
  expect(asPatient.data).toMatchObject({ user_id: patient.id })
})

test('with a kind named, as in the documented call, the other account’s password is wrong', async () => {
  await using testApp = await makeTestApp()
  await makeProviderAccount(testApp, { email: EMAIL })
  const refused = await signIn(new Browser(testApp), { user_type: 'patient' })
  expect([refused.status, refused.code]).toEqual([401, 'credentials_wrong'])
})

test('staff have a sign-in of their own', async () => {
  await using testApp = await makeTestApp()
  await makeAccount(testApp, { email: EMAIL, kind: 'staff', role: 'admin' })
  expect((await signIn(new Browser(testApp))).code).toBe('credentials_wrong')
})

test('an attempt counts once, whatever is named, and a right one not at all', async () => {
  await using testApp = await makeTestApp()
  await makeBoth(testApp)
  const browser = new Browser(testApp)
  // Not a burst: each is far from the next.
  const attempt = (more: object) => {
    testApp.advance(12_000)
    return signIn(browser, more)
  }
  for (let count = 0; count < 7; count += 1) {
    expect((await attempt({})).code).toBe('user_type_required')
  }
  for (const user_type of [undefined, 'patient', 'provider', undefined, undefined]) {
    expect((await attempt({ user_type, password: 'not this one' })).status).toBe(401)
  }
  for (const user_type of [undefined, 'patient', 'provider']) {
    expect((await attempt({ user_type })).code).toBe('rate_limited')
  }
})

test.each(['patient', 'provider'] as const)(
  'a %s whose address is not confirmed learns so, and whose email to send again',
  async (kind) => {
    await using testApp = await makeTestApp()
    const changes = { email: EMAIL, email_verified_at: null }
    if (kind === 'patient') await makeAccount(testApp, changes)
    else await makeProviderAccount(testApp, changes)
    const refused = await signIn(new Browser(testApp))
    expect([refused.code, refused.details]).toEqual(['email_unverified', { user_type: kind }])
  },
)

test('none, either or both accounts: a wrong password costs two hashes and one answer', async () => {
  await using testApp = await makeTestApp()
  const { passwords } = testApp.services
  let verified = 0
  testApp.services.passwords = {
    ...passwords,
    verify: (...given) => {
      verified += 1
      return passwords.verify(...given)
    },
  }
  const at = (name: string) => `${name}@mail.example`
  await makeAccount(testApp, { email: at('patient') })
  await makeProviderAccount(testApp, { email: at('provider') })
  await makeAccount(testApp, { email: at('both') })
  await makeProviderAccount(testApp, { email: at('both') })
  const answers = new Set<string>()
  for (const name of ['nobody', 'patient', 'provider', 'both']) {
    verified = 0
    const browser = new Browser(testApp)
    const { status, code, message, details, headers } = await signIn(browser, {
      email: at(name),
      password: 'not this one',
    })
    expect([name, verified]).toEqual([name, 2])
    answers.add(JSON.stringify([status, code, message, details, [...headers.keys()]]))
    testApp.advance(12_000)
  }
  expect(answers.size).toBe(1)
})

test('the second step is asked of the account that the password belongs to', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp, { email: EMAIL })
  const browser = new Browser(testApp)
  await signIn(browser)
  const { data } = await browser.act('auth.beginSecondFactor')
  const { secret } = SecondFactorSetup.parse(data)
  const code = () => totpCode(secret, testApp.services.now())
  await browser.act('auth.confirmSecondFactor', { code: code() })
  testApp.advance(60_000)
  const next = new Browser(testApp)
  expect((await signIn(next)).code).toBe('second_factor_required')
  const signedIn = await signIn(next, { second_factor: code() })
  expect(signedIn.data).toMatchObject({ user_id: account.id })
})

test('a forgotten password: each account of the address gets its link, which names the account', async () => {
  await using testApp = await makeTestApp()
  await makeBoth(testApp)
  const browser = new Browser(testApp)
  expect((await browser.act('auth.forgotPassword', { email: EMAIL })).status).toBe(200)
  await testApp.drainOutbox()
  const named = testApp.mails.map(({ text }) => /for your (\w+) account/.exec(text)?.[1])
  expect(named).toEqual(['patient', 'provider'])
  expect(testApp.mails.map(({ to }) => to)).toEqual([EMAIL, EMAIL])
  const tokens = testApp.mails.map(({ text }) => /reset-password\/([\w-]{43})/.exec(text)?.[1])
  const kinds: unknown[] = []
  for (const token of tokens) {
    const passwords = {
      new_password: 'a boat on the river',
      confirm_password: 'a boat on the river',
    }
    const { data } = await browser.act('auth.resetPassword', { token, ...passwords })
    kinds.push(data)
  }
  expect(kinds).toEqual([
    { status: true, user_type: 'patient' },
    { status: true, user_type: 'provider' },
  ])
})

test('a forgotten password: three requests an hour, whatever is named', async () => {
  await using testApp = await makeTestApp()
  await makeProviderAccount(testApp, { email: EMAIL })
  for (const userType of ['provider', undefined, 'provider', undefined, 'provider']) {
    await new Browser(testApp).act('auth.forgotPassword', { email: EMAIL, userType })
  }
  await testApp.drainOutbox()
  expect(testApp.mails).toHaveLength(3)
})
