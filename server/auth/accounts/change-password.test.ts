import { expect, test } from 'vitest'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const NEW = 'a boat on the river'
const change = { current_password: PASSWORD, new_password: NEW, confirm_password: NEW }

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
  expect((await phone.signIn(account, { password: NEW })).status).toBe(200)
})

test('it takes the current password, and guessing it is limited as at the sign-in', async () => {
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

test('an address changes when the new one is confirmed, and both hear of it', async () => {
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

test('a taken address gets the same answer, and stays whose it is', async () => {
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
