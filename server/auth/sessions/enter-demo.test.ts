import { expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '#db/reference/demo.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

test('looking around opens the door and signs nobody in', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const { data } = await browser.act('auth.enterDemo', { email: null })
  expect(data).toEqual({ status: true, me: null })
  expect([...browser.jar.keys()]).toEqual(['demo_access_token', 'demo_refresh_token'])
  expect(browser.jar.get('demo_access_token')?.attributes).not.toContain('HttpOnly')
  expect(browser.jar.get('demo_refresh_token')?.attributes).toContain('HttpOnly')
  expect((await browser.ask('auth.me')).data).toBeNull()
})

test('one comes in as any of the demo accounts, and leaves without a trace', async () => {
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

test('coming in through the door is no proof of who one is', async () => {
  await using testApp = await makeTestApp()
  await makeAccount(testApp, { email: 'patient@demo.example' })
  const browser = new Browser(testApp)
  await browser.act('auth.enterDemo', { email: 'patient@demo.example' })
  expect((await browser.act('auth.beginSecondFactor')).code).toBe('step_up_required')
})

test('the door leads to demo accounts only, and is not there in a real installation', async () => {
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
