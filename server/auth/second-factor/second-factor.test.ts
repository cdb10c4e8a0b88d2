import { expect, test } from 'vitest'
import { RecoveryCodes, SecondFactorSetup } from '#contract/auth-second-factor.ts'
import { totpCode } from '#server/kernel/security/totp.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { NEW_PASSWORD, reset, resetToken } from '#tests/harness/reset-password.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, readAudit, type TestApp } from '#tests/harness/test-app.ts'

const STEP = 30_000
const real = { config: { demo: false, publicUrl: 'http://localhost:3000' } }

async function enrol(testApp: TestApp, browser: Browser) {
  const { data } = await browser.act('auth.beginSecondFactor')
  const { secret, uri } = SecondFactorSetup.parse(data)
  const confirmed = await browser.act('auth.confirmSecondFactor', {
    code: totpCode(secret, testApp.services.now()),
  })
  const { recovery_codes: codes } = RecoveryCodes.parse(confirmed.data)
  return { secret, uri, codes }
}

async function makeEnrolledPatient(testApp: TestApp) {
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  return { account, browser, ...(await enrol(testApp, browser)) }
}

test('once set up, signing in requires the app’s code, and each code works once', async () => {
  await using testApp = await makeTestApp()
  const { account, secret, uri } = await makeEnrolledPatient(testApp)
  expect(uri).toMatch(/^otpauth:\/\/totp\/Apposite:.*secret=/)
  const browser = new Browser(testApp)
  const bare = await browser.signIn(account)
  expect([bare.status, bare.code]).toEqual([401, 'second_factor_required'])
  expect(browser.jar.size).toBe(0)
  testApp.advance(STEP)
  const code = totpCode(secret, testApp.services.now())
  expect((await browser.signIn(account, { second_factor: code })).status).toBe(200)
  const again = await new Browser(testApp).signIn(account, { second_factor: code })
  expect([again.status, again.code]).toEqual([401, 'second_factor_wrong'])
  expect((await lastMailTo(testApp, account.email)).subject).toBe(
    'Signing in now needs your authenticator app',
  )
})

test('a wrong code at the set-up is audited, like one at sign-in', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await browser.act('auth.beginSecondFactor')
  const wrong = await browser.act('auth.confirmSecondFactor', { code: '000000' })
  expect(wrong.code).toBe('second_factor_wrong')
  expect(await readAudit(testApp, 'second_factor.refused')).toMatchObject([
    { outcome: 'failed', actor_kind: 'patient', actor_id: account.id },
  ])
})

test('the code that set it up cannot sign in as well', async () => {
  await using testApp = await makeTestApp()
  const { account, secret } = await makeEnrolledPatient(testApp)
  const code = totpCode(secret, testApp.services.now())
  const answer = await new Browser(testApp).signIn(account, { second_factor: code })
  expect(answer.code).toBe('second_factor_wrong')
})

test('a wrong password with a right code is refused as a wrong password', async () => {
  await using testApp = await makeTestApp()
  const { account, secret } = await makeEnrolledPatient(testApp)
  testApp.advance(STEP)
  const second_factor = totpCode(secret, testApp.services.now())
  const answer = await new Browser(testApp).signIn(account, { password: 'not this', second_factor })
  expect(answer.code).toBe('credentials_wrong')
})

test('a recovery code replaces the app once, with or without its dash', async () => {
  await using testApp = await makeTestApp()
  const { account, codes } = await makeEnrolledPatient(testApp)
  expect(new Set(codes).size).toBe(10)
  const [one = '', two = ''] = codes
  const browser = new Browser(testApp)
  expect((await browser.signIn(account, { second_factor: one.toUpperCase() })).status).toBe(200)
  expect((await browser.signIn(account, { second_factor: one })).code).toBe('second_factor_wrong')
  const undashed = two.replace('-', '')
  expect((await browser.signIn(account, { second_factor: undashed })).status).toBe(200)
  expect((await lastMailTo(testApp, account.email)).subject).toBe('A recovery code was used')
  const rows = await testApp.database.db.selectFrom('recovery_codes').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(one)
})

test('at most ten wrong codes an hour, across networks', async () => {
  await using testApp = await makeTestApp()
  const { account, secret } = await makeEnrolledPatient(testApp)
  testApp.advance(STEP)
  for (let count = 0; count < 10; count += 1) {
    const browser = new Browser(testApp, `198.51.100.${count}`)
    const answer = await browser.signIn(account, { second_factor: '000000' })
    expect(answer.code).toBe('second_factor_wrong')
  }
  const code = totpCode(secret, testApp.services.now())
  const answer = await new Browser(testApp).signIn(account, { second_factor: code })
  expect([answer.status, answer.code]).toEqual([429, 'rate_limited'])
})

test('wrong app codes do not block recovery codes', async () => {
  await using testApp = await makeTestApp()
  const { account, codes } = await makeEnrolledPatient(testApp)
  const browser = new Browser(testApp)
  for (let count = 0; count < 11; count += 1) {
    await browser.signIn(account, { second_factor: '000000' })
  }
  expect((await browser.signIn(account, { second_factor: '000000' })).status).toBe(429)
  expect((await browser.signIn(account, { second_factor: codes[0] })).status).toBe(200)
  for (let count = 0; count < 10; count += 1) {
    const wrong = await browser.signIn(account, { second_factor: 'aaaaa-aaaaa' })
    expect(wrong.code).toBe('second_factor_wrong')
  }
  expect((await browser.signIn(account, { second_factor: codes[1] })).status).toBe(429)
})

test('a recovery code works however often the app was tried in vain, and each try is audited', async () => {
  await using testApp = await makeTestApp()
  const { account, codes } = await makeEnrolledPatient(testApp)
  const browser = new Browser(testApp)
  const answers: (string | null)[] = []
  for (let count = 0; count < 16; count += 1) {
    const { code } = await browser.signIn(account, { second_factor: '000000' })
    answers.push(code)
    testApp.advance(STEP)
  }
  expect(answers.slice(9, 11)).toEqual(['second_factor_wrong', 'rate_limited'])
  expect((await browser.signIn(account, { second_factor: codes[0] })).status).toBe(200)
  const refused = await readAudit(testApp, 'second_factor.refused')
  expect(refused).toHaveLength(16)
  expect(refused.at(-1)).toMatchObject({
    outcome: 'failed',
    actor_id: account.id,
    details: '{"verdict":"locked"}',
  })
})

test('resetting the password does not bypass the app', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeEnrolledPatient(testApp)
  const browser = new Browser(testApp)
  await reset(testApp, await resetToken(testApp, account.email))
  expect((await browser.signIn(account, { password: NEW_PASSWORD })).code).toBe(
    'second_factor_required',
  )
})

test('a wrong first code does not enable it', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await browser.act('auth.beginSecondFactor')
  const wrong = await browser.act('auth.confirmSecondFactor', { code: '000000' })
  expect(wrong.code).toBe('second_factor_wrong')
  expect((await new Browser(testApp).signIn(account)).status).toBe(200)
})

test('changing it requires a step-up with the app within five minutes, not the password', async () => {
  await using testApp = await makeTestApp()
  const { account, browser, secret } = await makeEnrolledPatient(testApp)
  testApp.advance(5 * 60_000)
  for (const path of ['auth.removeSecondFactor', 'auth.beginSecondFactor']) {
    const { status, code } = await browser.act(path)
    expect([status, code]).toEqual([403, 'step_up_required'])
  }
  const byPassword = await browser.act('auth.stepUp', { password: PASSWORD })
  expect(byPassword.code).toBe('second_factor_required')
  const second_factor = totpCode(secret, testApp.services.now())
  const proved = await browser.act('auth.stepUp', { second_factor })
  expect(proved.data).toEqual({ stepped_up_until: '2026-03-02T09:10:00.000Z' })
  expect((await browser.act('auth.removeSecondFactor')).status).toBe(200)
  expect((await new Browser(testApp).signIn(account)).status).toBe(200)
})

test('without an app the password is the step-up', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  await browser.signIn(await makeAccount(testApp))
  testApp.advance(5 * 60_000)
  expect((await browser.act('auth.stepUp', { password: 'not this' })).code).toBe('password_wrong')
  expect((await browser.act('auth.stepUp', { password: PASSWORD })).status).toBe(200)
  // There is nothing to remove, and no email says that there was.
  expect((await browser.act('auth.removeSecondFactor')).status).toBe(200)
  await testApp.drainOutbox()
  expect(testApp.mails.filter(({ text }) => text.includes('app was removed'))).toEqual([])
  expect((await browser.act('auth.beginSecondFactor')).status).toBe(200)
})

test('in a real installation a provider counts as a visitor until it is set up, and may not remove it', async () => {
  await using testApp = await makeTestApp(real)
  const { account } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  const { data } = await browser.signIn(account)
  expect(data).toMatchObject({ me: { must_set_second_factor: true } })
  const own = [await browser.ask('auth.sessions'), await browser.act('profiles.exportData')]
  for (const { status, code } of own) {
    expect([status, code]).toEqual([403, 'second_factor_setup_required'])
  }
  expect((await browser.ask('search.specialities')).status).toBe(200)
  await enrol(testApp, browser)
  expect((await browser.ask('auth.sessions')).status).toBe(200)
  expect((await browser.act('auth.removeSecondFactor')).code).toBe('second_factor_mandatory')
})

test('a patient may do without it in a real installation', async () => {
  await using testApp = await makeTestApp(real)
  const browser = new Browser(testApp)
  await browser.signIn(await makeAccount(testApp))
  expect((await browser.ask('auth.sessions')).status).toBe(200)
})

test('the secret is stored encrypted', async () => {
  await using testApp = await makeTestApp()
  const { secret } = await makeEnrolledPatient(testApp)
  const rows = await testApp.database.db.selectFrom('accounts').selectAll().execute()
  expect(rows[0]?.totp_secret).not.toBeNull()
  expect(JSON.stringify(rows)).not.toContain(secret)
})

describeEngines('setting it up', (makeDatabase) => {
  test('of concurrent confirmations one hands out recovery codes, which work', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const account = await makeAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn(account)
    const { secret } = SecondFactorSetup.parse((await browser.act('auth.beginSecondFactor')).data)
    const code = totpCode(secret, testApp.services.now())
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => browser.act('auth.confirmSecondFactor', { code })),
    )
    const confirmed = answers.filter(({ status }) => status === 200)
    expect(confirmed).toHaveLength(1)
    const { recovery_codes: codes } = RecoveryCodes.parse(confirmed[0]?.data)
    const phone = new Browser(testApp)
    expect((await phone.signIn(account, { second_factor: codes[0] })).status).toBe(200)
  })
})
