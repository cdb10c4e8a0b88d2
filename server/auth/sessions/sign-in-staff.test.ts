import { expect, test } from 'vitest'
import { RecoveryCodes, SecondFactorSetup } from '#contract/auth-second-factor.ts'
import type { EndReason } from '#db/tables/auth.ts'
import { totpCode } from '#server/kernel/security/totp.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const real = { config: { demo: false, publicUrl: 'http://localhost:3000' } }

function signIn(browser: Browser, email: string, more: object = {}) {
  return browser.act('auth.signInStaff', { email, password: PASSWORD, ...more })
}

function change(testApp: TestApp, no: number, to: object) {
  return testApp.database.db.updateTable('accounts').set(to).where('no', '=', no).execute()
}

describeEngines('staff who sign in', (makeDatabase) => {
  async function open() {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const account = await makeStaff(testApp, 'admin')
    const browser = new Browser(testApp)
    return { testApp, account, browser }
  }

  test('sign in with their email in any case, and get cookies instead of tokens', async () => {
    const { testApp, account, browser } = await open()
    await using _ = testApp
    const { status, data } = await signIn(browser, ` ${account.email.toUpperCase()} `)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      status: true,
      user_id: account.id,
      is_admin: true,
      me: { kind: 'staff', role: 'admin' },
    })
    expect(data).not.toHaveProperty('tokens')
    expect(browser.jar.get('access_token')?.attributes).toContain('HttpOnly')
  })

  test('learn of a new role with the next poll, and lose what it does not allow', async () => {
    const { testApp, account, browser } = await open()
    await using _ = testApp
    await signIn(browser, account.email)
    expect((await browser.ask('auth.sessionStatus')).data).toEqual({ role: 'admin', over: null })
    await change(testApp, account.no, { role: 'author' })
    expect((await browser.ask('auth.sessionStatus')).data).toEqual({ role: 'author', over: null })
    expect((await browser.ask('auth.me')).data).toMatchObject({ role: 'author' })
    const decision = { providerId: `prv_${'0'.repeat(26)}`, verification_status: 'Unverified' }
    const refused = await browser.act('verification.decide', {
      ...decision,
      reason: 'No entry.',
      seen: '',
    })
    expect([refused.status, refused.code]).toEqual([403, 'admins_only'])
  })

  test('are told why the session ended, also by the response that refuses new tokens', async () => {
    const { testApp, account, browser } = await open()
    await using _ = testApp
    await signIn(browser, account.email)
    const ended = (reason: EndReason | null) =>
      testApp.database.db
        .updateTable('sessions')
        .set({ ended_at: reason && testApp.services.now(), end_reason: reason })
        .execute()
    const reasons: [EndReason, string][] = [
      ['role', 'role'],
      ['ended', 'elsewhere'],
      ['everywhere', 'elsewhere'],
      ['password', 'password'],
      ['signed_out', 'signed_out'],
      ['replaced', 'signed_out'],
      ['reuse', 'reuse'],
      ['email', 'ended'],
    ]
    for (const [reason, over] of reasons) {
      await ended(reason)
      expect((await browser.ask('auth.sessionStatus')).data).toEqual({ role: null, over })
    }
    await ended(null)
    await change(testApp, account.no, { suspended_at: testApp.services.now() })
    expect((await browser.ask('auth.sessionStatus')).data).toEqual({ role: null, over: 'closed' })
    await change(testApp, account.no, { suspended_at: null })
    testApp.advance(15 * MINUTE + 1)
    expect((await browser.ask('auth.sessionStatus')).data).toEqual({ role: null, over: 'idle' })
    const refused = await browser.fetch('/trpc/auth.refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ error: { data: { details: { why: 'idle' } } } })
    expect((await new Browser(testApp).ask('auth.sessionStatus')).data).toEqual({
      role: null,
      over: 'ended',
    })
  })
})

test('polling by an open page does not keep its session alive', async () => {
  await using testApp = await makeTestApp()
  const account = await makeStaff(testApp, 'admin')
  const browser = new Browser(testApp)
  await signIn(browser, account.email)
  for (let minute = 1; minute <= 15; minute += 1) {
    testApp.advance(MINUTE)
    expect((await browser.ask('auth.sessionStatus')).data).toEqual({ role: 'admin', over: null })
  }
  testApp.advance(1)
  expect((await browser.ask('auth.sessionStatus')).data).toEqual({ role: null, over: 'idle' })
  expect(await browser.act('auth.refresh')).toMatchObject({ status: 401, code: 'session_ended' })
})

test('a session of staff ends after 15 minutes without use, and after 8 hours whatever is done', async () => {
  await using testApp = await makeTestApp()
  const account = await makeStaff(testApp, 'admin')
  const browser = new Browser(testApp)
  await signIn(browser, account.email)
  for (let quarter = 1; quarter < 32; quarter += 1) {
    testApp.advance(15 * MINUTE - 1_000)
    expect((await browser.act('auth.refresh')).status, `quarter ${quarter}`).toBe(200)
  }
  testApp.advance(8 * HOUR - 31 * (15 * MINUTE - 1_000))
  expect((await browser.act('auth.refresh')).status).toBe(401)
})

test('patients and providers cannot sign in as staff, nor staff as them', async () => {
  await using testApp = await makeTestApp()
  const patient = await makeAccount(testApp)
  const staff = await makeStaff(testApp, 'admin')
  const browser = new Browser(testApp)
  for (const outcome of [
    await signIn(browser, patient.email),
    await signIn(browser, 'nobody@mail.example'),
    await browser.signIn({ ...staff, kind: 'patient' }),
  ]) {
    expect([outcome.status, outcome.code, outcome.message]).toEqual([
      401,
      'credentials_wrong',
      'Email or password is incorrect.',
    ])
  }
  expect(browser.jar.size).toBe(0)
})

test('after five wrong passwords in fifteen minutes even the right one has to wait', async () => {
  await using testApp = await makeTestApp()
  const account = await makeStaff(testApp, 'admin')
  const browser = new Browser(testApp)
  for (let tried = 0; tried < 5; tried += 1) {
    testApp.advance(11_000)
    const wrong = await signIn(browser, account.email, { password: 'eight green bottles' })
    expect(wrong.code).toBe('credentials_wrong')
  }
  testApp.advance(11_000)
  const limited = await signIn(browser, account.email)
  expect([limited.status, limited.code]).toEqual([429, 'rate_limited'])
  expect(limited.retryAfter).toBeGreaterThan(0)
})

test('email and password are required, and the email has to be one', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const messages = async (input: object) =>
    (await browser.act('auth.signInStaff', input)).issues.map(({ path, message }) => [
      path,
      message,
    ])
  expect(await messages({ email: '', password: '' })).toEqual([
    ['email', 'Enter your email address.'],
    ['password', 'Enter your password.'],
  ])
  expect(await messages({ email: 'superuser', password: 'x' })).toEqual([
    ['email', 'Enter a valid email address.'],
  ])
  const odd = await browser.act('auth.signInStaff', {
    email: 'a@b.example',
    password: 'x',
    role: 'superuser',
  })
  expect([odd.status, odd.code]).toEqual([400, 'unknown_field'])
})

test('outside a demo staff must first set up an authenticator app, and need it from then on', async () => {
  await using testApp = await makeTestApp(real)
  const account = await makeStaff(testApp, 'superuser')
  const browser = new Browser(testApp)
  expect((await signIn(browser, account.email)).data).toMatchObject({
    me: { must_set_second_factor: true },
  })
  const early = await browser.ask('auth.sessions')
  expect([early.status, early.code]).toEqual([403, 'second_factor_setup_required'])
  const setup = SecondFactorSetup.parse((await browser.act('auth.beginSecondFactor')).data)
  const code = totpCode(setup.secret, testApp.services.now())
  const codes = RecoveryCodes.parse((await browser.act('auth.confirmSecondFactor', { code })).data)
  expect(codes.recovery_codes).toHaveLength(10)
  expect((await browser.ask('auth.sessions')).status).toBe(200)
  const bare = await signIn(new Browser(testApp), account.email)
  expect([bare.status, bare.code]).toEqual([401, 'second_factor_required'])
  testApp.advance(30_000)
  const second_factor = totpCode(setup.secret, testApp.services.now())
  expect((await signIn(new Browser(testApp), account.email, { second_factor })).status).toBe(200)
})
