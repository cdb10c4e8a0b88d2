import { expect, test } from 'vitest'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { NEW_PASSWORD, requestReset, reset, resetToken } from '#tests/harness/reset-password.ts'
import { lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const change = {
  current_password: PASSWORD,
  new_password: NEW_PASSWORD,
  confirm_password: NEW_PASSWORD,
}

test('changing the password ends every other session and the old tokens of this one', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const phone = new Browser(testApp)
  const desk = new Browser(testApp)
  await phone.signIn(account)
  await desk.signIn(account)
  const before = desk.headers()
  expect((await desk.act('auth.changePassword', change)).data).toEqual({ status: true })
  expect((await phone.ask('auth.sessions')).status).toBe(401)
  expect((await desk.fetch('/trpc/auth.sessions', { headers: before })).status).toBe(401)
  expect((await desk.ask('auth.sessions')).data).toHaveLength(1)
  expect((await lastMailTo(testApp, account.email)).subject).toBe('Your password was changed')
  expect((await phone.signIn(account, { password: NEW_PASSWORD })).status).toBe(200)
})

test('it requires the current password, and guessing it is limited as at sign-in', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const guess = { ...change, current_password: 'not this one' }
  for (let count = 0; count < 3; count += 1) {
    expect((await browser.act('auth.changePassword', guess)).code).toBe('password_wrong')
  }
  expect((await browser.act('auth.changePassword', guess)).status).toBe(429)
})

test('an address changes when the new one is confirmed, and both are emailed', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const to = 'new@mail.example'
  const wrong = await browser.act('auth.changeEmail', { email: to, password: 'not this one' })
  expect(wrong.code).toBe('password_wrong')
  await browser.act('auth.changeEmail', { email: to, password: PASSWORD })
  const token = tokenIn(await lastMailTo(testApp, to), 'verify')
  expect((await lastMailTo(testApp, account.email)).subject).toBe(
    'Your email address is about to change',
  )
  expect((await browser.ask('auth.me')).data).toMatchObject({ email: account.email })
  expect((await browser.act('auth.verifyEmail', { token })).data).toMatchObject({ email: to })
  expect((await browser.ask('auth.me')).data).toMatchObject({ email: to })
  expect((await lastMailTo(testApp, account.email)).subject).toBe('Your email address was changed')
  expect((await lastMailTo(testApp, to)).subject).toBe('Your email address was changed')
})

test('a taken address gets the same response, and keeps its owner', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const owner = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const taken = await browser.act('auth.changeEmail', { email: owner.email, password: PASSWORD })
  expect([taken.status, taken.data]).toEqual([200, { status: true }])
  const mail = await lastMailTo(testApp, owner.email)
  expect(mail.subject).toBe('You already have an account')
  expect(tokenIn(mail, 'verify')).toBe('')
})

test('an address registered by somebody else before the link is followed is theirs', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await browser.act('auth.changeEmail', { email: 'new@mail.example', password: PASSWORD })
  const token = tokenIn(await lastMailTo(testApp, 'new@mail.example'), 'verify')
  await makeAccount(testApp, { email: 'new@mail.example' })
  expect((await browser.act('auth.verifyEmail', { token })).code).toBe('verify_link_invalid')
  expect((await browser.ask('auth.me')).data).toMatchObject({ email: account.email })
})

test('a new password is set through the emailed link, and every session ends', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const desk = new Browser(testApp)
  await desk.signIn(account)
  const token = await resetToken(testApp, account.email)
  expect((await reset(testApp, token)).data).toEqual({ status: true, user_type: 'patient' })
  expect((await desk.ask('auth.sessions')).status).toBe(401)
  expect((await desk.act('auth.refresh')).code).toBe('session_ended')
  expect((await desk.signIn(account, { password: PASSWORD })).code).toBe('credentials_wrong')
  expect((await desk.signIn(account, { password: NEW_PASSWORD })).status).toBe(200)
  expect((await lastMailTo(testApp, account.email)).subject).toBe('Your password was changed')
})

test('a used, an old and an unknown link do nothing', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const old = await resetToken(testApp, account.email)
  testApp.advance(30 * 60_000)
  const used = await resetToken(testApp, account.email)
  expect((await reset(testApp, used)).status).toBe(200)
  for (const token of [old, used, 'A'.repeat(43), 'short', '']) {
    const { status, message } = await reset(testApp, token, 'something else entirely')
    expect([status, message]).toEqual([400, 'This reset link has expired or was already used.'])
    const asked = await new Browser(testApp).act('auth.checkResetLink', { token })
    expect([asked.status, asked.message]).toEqual([status, message])
  }
  expect((await new Browser(testApp).signIn(account, { password: NEW_PASSWORD })).status).toBe(200)
})

test('the account’s address is refused as its password', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const token = await resetToken(testApp, account.email)
  const { status, issues } = await reset(testApp, token, account.email.toUpperCase())
  const message = 'Choose a password that is not your email address.'
  expect([status, issues]).toEqual([400, [{ path: 'new_password', message }]])
})

test('checking a link does not use it up', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const token = await resetToken(testApp, account.email)
  for (const _time of [1, 2]) {
    const { data } = await new Browser(testApp).act('auth.checkResetLink', { token })
    expect(data).toEqual({ status: true })
  }
  expect((await reset(testApp, token)).status).toBe(200)
})

test('passwords that differ or are common are refused, and the link still works', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const token = await resetToken(testApp, account.email)
  const differing = await reset(testApp, token, NEW_PASSWORD, 'a boat on the sea')
  expect([differing.status, differing.issues]).toEqual([
    400,
    [{ path: 'confirm_password', message: 'Passwords do not match.' }],
  ])
  expect((await reset(testApp, token, 'password1')).issues[0]?.path).toBe('new_password')
  expect((await new Browser(testApp).signIn(account)).status).toBe(200)
  expect((await reset(testApp, token)).status).toBe(200)
})

describeEngines('resetting', (makeDatabase) => {
  test('ten concurrent uses of one link set one password', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const account = await makeAccount(testApp)
    const token = await resetToken(testApp, account.email)
    const asked = Array.from({ length: 10 }, (_, at) =>
      reset(testApp, token, `boat number ${at} sails`),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})

test('a reset request does not reveal whether there is an account, and emails at most three times an hour', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const unknown = await requestReset(testApp, 'nobody@mail.example')
  for (let count = 0; count < 5; count += 1) {
    const known = await requestReset(testApp, account.email)
    expect([known.status, known.data]).toEqual([unknown.status, unknown.data])
    expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()])
  }
  await testApp.drainOutbox()
  expect(testApp.mails.map(({ to }) => to)).toEqual(Array.from({ length: 3 }, () => account.email))
})

test('the link leads to the configured address, whatever the Host header', async () => {
  await using testApp = await makeTestApp({
    config: { demo: false, publicUrl: 'https://apposite.example' },
  })
  const account = await makeAccount(testApp)
  const request = new Request('http://evil.example/trpc/auth.forgotPassword', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    },
    body: JSON.stringify({ email: account.email, userType: 'patient' }),
  })
  expect((await testApp.app.fetch(request)).status).toBe(200)
  const mail = await lastMailTo(testApp, account.email)
  expect(mail.text).toContain('https://apposite.example/reset-password/')
  expect(mail.text + mail.html).not.toContain('evil')
})

test('neither tables nor logs contain the token, and a sent email is stored without it', async () => {
  const sent: string[] = []
  await using testApp = await makeTestApp({
    mail: {
      send: (mail) => {
        sent.push(mail.text)
        return Promise.resolve('sent')
      },
    },
  })
  const account = await makeAccount(testApp)
  await requestReset(testApp, account.email)
  await testApp.drainOutbox()
  const token = /reset-password\/([\w-]{43})/.exec(sent[0] ?? '')?.[1] ?? ''
  expect(token).toHaveLength(43)
  const tables = await Promise.all(
    (['links', 'outbox', 'mails', 'audit', 'attempts'] as const).map((table) =>
      testApp.database.db.selectFrom(table).selectAll().execute(),
    ),
  )
  expect(JSON.stringify(tables)).not.toContain(token)
  expect(JSON.stringify(testApp.logged)).not.toContain(token)
  expect((await reset(testApp, token)).status).toBe(200)
})
