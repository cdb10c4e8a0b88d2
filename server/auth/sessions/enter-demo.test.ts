import { expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '#db/reference/demo.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

test('entering without an account sets the demo cookies and signs nobody in', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { data } = await browser.act('auth.enterDemo', { email: null })
  expect(data).toEqual({ status: true, me: null })
  expect([...browser.jar.keys()]).toEqual(['demo_access_token', 'demo_refresh_token'])
  expect(browser.jar.get('demo_access_token')?.attributes).not.toContain('HttpOnly')
  expect(browser.jar.get('demo_refresh_token')?.attributes).toContain('HttpOnly')
  expect((await browser.ask('auth.me')).data).toBeNull()
})

test('a visitor can enter as any demo account, and leaves without cookies', async () => {
  await using testApp = await makeTestApp()
  await makeAccount(testApp, { email: 'patient@demo.example' })
  await makeAccount(testApp, { email: 'author@demo.example', kind: 'staff', role: 'author' })
  const browser = new Browser(testApp)
  expect((await browser.ask('auth.demoAccounts')).data).toEqual(DEMO_ACCOUNTS)
  const patient = await browser.act('auth.enterDemo', { email: 'patient@demo.example' })
  expect(patient.data).toMatchObject({ me: { kind: 'patient' } })
  const author = await browser.act('auth.enterDemo', { email: 'author@demo.example' })
  expect(author.data).toMatchObject({ me: { kind: 'staff', role: 'author' } })
  expect((await browser.ask('auth.sessions')).status).toBe(200)
  const left = await browser.act('auth.leaveDemo')
  expect(left.data).toMatchObject({
    cookies: [
      'access_token',
      'refresh_token',
      'user_id',
      'demo_access_token',
      'demo_refresh_token',
    ],
  })
  expect(browser.jar.size).toBe(0)
})

test('entering the demo does not count as a step-up', async () => {
  await using testApp = await makeTestApp()
  await makeAccount(testApp, { email: 'patient@demo.example' })
  const browser = new Browser(testApp)
  await browser.act('auth.enterDemo', { email: 'patient@demo.example' })
  expect((await browser.act('auth.beginSecondFactor')).code).toBe('step_up_required')
})

test('only demo accounts can be entered, and only in a demo', async () => {
  await using demo = await makeTestApp()
  const account = await makeAccount(demo)
  const browser = new Browser(demo)
  expect((await browser.act('auth.enterDemo', { email: account.email })).status).toBe(404)
  await using real = await makeTestApp({ config: { demo: false } })
  await makeAccount(real, { email: 'patient@demo.example' })
  const stranger = new Browser(real)
  for (const email of ['patient@demo.example', null]) {
    expect((await stranger.act('auth.enterDemo', { email })).status).toBe(404)
  }
  expect((await stranger.ask('auth.demoAccounts')).data).toEqual([])
  expect((await stranger.act('auth.leaveDemo')).status).toBe(404)
  expect(stranger.jar.size).toBe(0)
})
