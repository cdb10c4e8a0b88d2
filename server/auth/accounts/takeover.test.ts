import { expect, test } from 'vitest'
import { recoverSuperuser } from '#server/auth/accounts/accounts.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { NEW_PASSWORD, reset, resetToken } from '#tests/harness/reset-password.ts'
import { lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInNewStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const MINUTE = 60_000

function audited(testApp: TestApp, action: string) {
  return testApp.database.db.selectFrom('audit').selectAll().where('action', '=', action).execute()
}

/** An attacker's browser with the same cookies. */
function thiefOf(testApp: TestApp, browser: Browser): Browser {
  const thief = new Browser(testApp, '198.51.100.7')
  for (const [name, cookie] of browser.jar) thief.jar.set(name, cookie)
  return thief
}

async function signedIn(testApp: TestApp) {
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  return { account, browser }
}

/** Runs `act` while a correct password is being verified. */
function duringPasswordCheck(testApp: TestApp, act: () => Promise<unknown>): void {
  const { passwords } = testApp.services
  let isDone = false
  testApp.services.passwords = {
    ...passwords,
    verify: async (password, find) => {
      const isRight = await passwords.verify(password, find)
      if (!isDone) {
        isDone = true
        await act()
      }
      return isRight
    },
  }
}

test('signing out after the access token has expired ends the refresh token too', async () => {
  await using testApp = await makeTestApp()
  const { account, browser } = await signedIn(testApp)
  const thief = thiefOf(testApp, browser)
  testApp.advance(11 * MINUTE)
  const access = browser.jar.get('access_token')
  expect((await browser.ask('auth.sessions')).status).toBe(401)
  expect((await browser.act('auth.signOut')).status).toBe(200)
  expect(access).toBeDefined()
  expect((await thief.act('auth.refresh')).code).toBe('session_ended')
  expect(await audited(testApp, 'session.signed_out')).toMatchObject([
    { actor_id: account.id, actor_kind: 'patient' },
  ])
})

test('signing out with only the refresh cookie left ends its family', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await signedIn(testApp)
  const thief = thiefOf(testApp, browser)
  browser.jar.delete('access_token')
  await browser.act('auth.signOut')
  expect((await thief.ask('auth.sessions')).status).toBe(401)
  expect((await thief.act('auth.refresh')).code).toBe('session_ended')
})

test('signing out without a session succeeds and ends nothing', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await signedIn(testApp)
  expect((await new Browser(testApp).act('auth.signOut')).status).toBe(200)
  expect((await browser.ask('auth.sessions')).status).toBe(200)
})

test('signing in again in the same browser ends its previous session', async () => {
  await using testApp = await makeTestApp()
  const { account, browser } = await signedIn(testApp)
  const thief = thiefOf(testApp, browser)
  await browser.signIn(account)
  expect((await thief.ask('auth.sessions')).status).toBe(401)
  expect((await thief.act('auth.refresh')).code).toBe('session_ended')
  expect((await browser.ask('auth.sessions')).data).toHaveLength(1)
  const phone = new Browser(testApp)
  await phone.signIn(account)
  expect((await browser.ask('auth.sessions')).data).toHaveLength(2)
})

test.each(['reset', 'change'] as const)(
  'a %s of the password voids a change of address that somebody else began',
  async (way) => {
    await using testApp = await makeTestApp()
    const { account, browser } = await signedIn(testApp)
    const attacker = 'attacker@mail.example'
    await browser.act('auth.changeEmail', { email: attacker, password: PASSWORD })
    const token = tokenIn(await lastMailTo(testApp, attacker), 'verify')
    if (way === 'reset') await reset(testApp, await resetToken(testApp, account.email))
    else {
      await browser.act('auth.changePassword', {
        current_password: PASSWORD,
        new_password: NEW_PASSWORD,
        confirm_password: NEW_PASSWORD,
      })
    }
    expect((await new Browser(testApp).act('auth.verifyEmail', { token })).code).toBe(
      'verify_link_invalid',
    )
    expect((await browser.signIn(account, { password: NEW_PASSWORD })).status).toBe(200)
  },
)

test('changing the password voids a reset link somebody else asked for', async () => {
  await using testApp = await makeTestApp()
  const { account, browser } = await signedIn(testApp)
  const token = await resetToken(testApp, account.email)
  await browser.act('auth.changePassword', {
    current_password: PASSWORD,
    new_password: 'something of my own',
    confirm_password: 'something of my own',
  })
  expect((await reset(testApp, token)).code).toBe('reset_link_invalid')
})

describeEngines('a password reset while the old one is being verified', (makeDatabase) => {
  async function resetMeanwhile() {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { account, browser } = await signedIn(testApp)
    const token = await resetToken(testApp, account.email)
    duringPasswordCheck(testApp, () => reset(testApp, token))
    return { testApp, account, browser }
  }

  test('accepts nobody with the old one', async () => {
    const { testApp, account } = await resetMeanwhile()
    const thief = new Browser(testApp)
    expect((await thief.signIn(account)).code).toBe('credentials_wrong')
    expect(thief.jar.size).toBe(0)
  })

  test('is not undone by a change with the old one', async () => {
    const { testApp, account, browser } = await resetMeanwhile()
    const changed = await browser.act('auth.changePassword', {
      current_password: PASSWORD,
      new_password: 'the password of a thief',
      confirm_password: 'the password of a thief',
    })
    expect(changed.code).toBe('password_wrong')
    expect((await new Browser(testApp).signIn(account, { password: NEW_PASSWORD })).status).toBe(
      200,
    )
  })
})

test('an account suspended while its password is verified is not signed in', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const suspend = { suspended_at: testApp.services.now() }
  duringPasswordCheck(testApp, () =>
    testApp.database.db.updateTable('accounts').set(suspend).execute(),
  )
  expect((await new Browser(testApp).signIn(account)).code).toBe('account_suspended')
  expect(await audited(testApp, 'session.refused')).toMatchObject([
    {
      outcome: 'failed',
      entity: account.id,
      details: '{"kind":"patient","code":"account_suspended"}',
    },
  ])
})

test('the owner of an address is emailed at most three times an hour, however many accounts want it', async () => {
  await using testApp = await makeTestApp()
  const owner = await makeAccount(testApp)
  for (let count = 0; count < 3; count += 1) {
    const { browser } = await signedIn(testApp)
    for (let asked = 0; asked < 2; asked += 1) {
      const answer = await browser.act('auth.changeEmail', {
        email: owner.email,
        password: PASSWORD,
      })
      expect(answer.data).toEqual({ status: true })
    }
  }
  await testApp.drainOutbox()
  expect(testApp.mails.filter(({ to }) => to === owner.email)).toHaveLength(3)
})

test('an unused address gets at most three confirmation emails an hour, too', async () => {
  await using testApp = await makeTestApp()
  const target = 'someone-else@mail.example'
  for (let count = 0; count < 5; count += 1) {
    const { browser } = await signedIn(testApp)
    const answer = await browser.act('auth.changeEmail', { email: target, password: PASSWORD })
    expect(answer.data).toEqual({ status: true })
  }
  await testApp.drainOutbox()
  expect(testApp.mails.filter(({ to }) => to === target)).toHaveLength(3)
})

test('a network may cause thirty account emails an hour, and is told how long to wait', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const forget = (count: number) =>
    browser.act('auth.forgotPassword', { email: `p${count}@mail.example`, userType: 'patient' })
  const resend = (count: number) =>
    browser.act('auth.resendVerification', {
      email: `p${count}@mail.example`,
      user_type: 'patient',
    })
  for (let count = 0; count < 15; count += 1) {
    expect((await forget(count)).status).toBe(200)
    expect((await resend(count)).status).toBe(200)
  }
  for (const refused of [await forget(99), await resend(99)]) {
    expect([refused.status, refused.code]).toEqual([429, 'rate_limited'])
    expect(refused.retryAfter).toBeGreaterThan(60)
  }
})

test('a network may try sixty codes an hour with invented handles', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const guess = (count: number) => {
    const auth_token = String(count).padStart(43, 'A')
    return browser.act('auth.confirmEmail', { auth_token, otp: '123456' })
  }
  for (let count = 0; count < 60; count += 1) {
    expect((await guess(count)).data).toEqual({ status: false, me: null })
  }
  const refused = await guess(60)
  expect([refused.status, refused.code]).toEqual([429, 'code_locked'])
  expect(refused.retryAfter).toBeGreaterThan(60)
  const kept = await testApp.database.db.selectFrom('attempts').select('key').execute()
  expect(kept.filter(({ key }) => key.startsWith('pending_code'))).toHaveLength(60)
})

test('a name that looks like a URL is not a link in our emails', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp, {
    first_name: 'Visit evil.example now',
    last_name: 'J.R.R.',
  })
  await new Browser(testApp).act('auth.forgotPassword', {
    email: account.email,
    userType: 'patient',
  })
  const mail = await lastMailTo(testApp, account.email)
  expect(mail.text).toContain('Hello Visit evil. example now,')
  expect(mail.text + mail.html).not.toContain('evil.example')
})

test('recovering a superuser voids a change of address that a thief has begun', async () => {
  await using testApp = await makeTestApp()
  const { browser, account } = await signInNewStaff(testApp, 'superuser')
  const email = 'thief@mail.example'
  await browser.act('auth.changeEmail', { email, password: PASSWORD })
  const token = tokenIn(await lastMailTo(testApp, email), 'verify')
  await recoverSuperuser(testApp.services, account.email)
  const late = await new Browser(testApp, '198.51.100.7').act('auth.verifyEmail', { token })
  expect(late.code).toBe('verify_link_invalid')
})
