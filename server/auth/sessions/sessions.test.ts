import { expect, test } from 'vitest'
import { UNATTENDED_HEADER } from '#contract/base/unattended.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const SECOND = 1_000

describeEngines('refreshing a session', (makeDatabase) => {
  async function signedIn() {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const account = await makeAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn(account)
    return { testApp, account, browser }
  }

  test('a refresh token is exchanged for the next pair, and the old access token stays valid', async () => {
    const { testApp, browser } = await signedIn()
    const before = browser.cookie('refresh_token')
    testApp.advance(11 * 60 * SECOND)
    expect((await browser.ask('auth.sessions')).status).toBe(401)
    expect((await browser.act('auth.refresh')).data).toEqual({ status: true })
    expect(browser.cookie('refresh_token')).not.toBe(before)
    expect((await browser.ask('auth.sessions')).status).toBe(200)
  })

  test('fifty concurrent refreshes create one new pair', async () => {
    const { testApp, browser } = await signedIn()
    const headers = browser.headers()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        browser.fetch('/trpc/auth.refresh', {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: '{}',
        }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const children = answers.map(({ headers: sent }) =>
      sent.getSetCookie().find((one) => one.startsWith('refresh_token=')),
    )
    expect(new Set(children).size).toBe(1)
    const tokens = await testApp.database.db
      .selectFrom('tokens')
      .select('hash')
      .where('kind', '=', 'refresh')
      .execute()
    expect(tokens).toHaveLength(2)
  })

  test('within ten seconds the old token returns the same new pair', async () => {
    const { testApp, browser } = await signedIn()
    const parent = new Map(browser.jar)
    await browser.act('auth.refresh')
    const child = browser.cookie('refresh_token')
    testApp.advance(10 * SECOND)
    const tab = new Browser(testApp)
    for (const [name, cookie] of parent) tab.jar.set(name, cookie)
    expect((await tab.act('auth.refresh')).status).toBe(200)
    expect(tab.cookie('refresh_token')).toBe(child)
    expect((await tab.ask('auth.sessions')).status).toBe(200)
  })

  test('reuse of an old refresh token ends the whole family at once', async () => {
    const { testApp, browser, account } = await signedIn()
    const thief = new Browser(testApp, '198.51.100.7')
    for (const [name, cookie] of browser.jar) thief.jar.set(name, cookie)
    await browser.act('auth.refresh')
    await browser.act('auth.refresh')
    const { status, code, message, headers } = await thief.act('auth.refresh')
    expect([status, code, message]).toEqual([
      401,
      'session_ended',
      'Your session has ended. Please sign in again.',
    ])
    expect(headers.getSetCookie().every((one) => one.includes('Max-Age=0'))).toBe(true)
    // The newest tokens of the family have ended as well.
    expect((await browser.ask('auth.sessions')).status).toBe(401)
    expect((await browser.act('auth.refresh')).code).toBe('session_ended')
    const rows = await testApp.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'session.token_reused')
      .execute()
    expect(rows).toMatchObject([
      { outcome: 'denied', actor_id: account.id, network: '198.51.100.7' },
    ])
  })

  test('after ten seconds the previous token counts as old', async () => {
    const { testApp, browser } = await signedIn()
    const tab = new Browser(testApp)
    for (const [name, cookie] of browser.jar) tab.jar.set(name, cookie)
    await browser.act('auth.refresh')
    testApp.advance(10 * SECOND + 1)
    expect((await tab.act('auth.refresh')).code).toBe('session_ended')
    expect((await browser.act('auth.refresh')).code).toBe('session_ended')
  })

  test('invented tokens, access tokens and no token refresh nothing', async () => {
    const { testApp, browser } = await signedIn()
    const access = browser.cookie('access_token') ?? ''
    for (const token of ['', 'x', 'A'.repeat(43), access, 'eyJhbGciOiJub25lIn0.e30.']) {
      const stranger = new Browser(testApp)
      if (token !== '') stranger.jar.set('refresh_token', { value: token, attributes: [] })
      const { status, code } = await stranger.act('auth.refresh')
      expect([status, code]).toEqual([401, 'session_ended'])
    }
    expect((await browser.act('auth.refresh')).status).toBe(200)
  })

  test('a page that refreshes itself with nobody at it keeps no session alive', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { account } = await makeProviderAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn(account)
    const poll = async (more: Record<string, string>) => {
      const ask = () => browser.fetch('/trpc/auth.sessions', { headers: more })
      const { status } = await ask()
      if (status !== 401) return status
      await browser.act('auth.refresh', {}, more)
      return (await ask()).status
    }
    const pollFor = async (minutes: number, more: Record<string, string> = {}) => {
      let status = 200
      for (let minute = 0; minute < minutes && status === 200; minute += 1) {
        testApp.advance(60 * SECOND)
        status = await poll(more)
      }
      return status
    }
    // Half an hour is the limit of a provider.
    expect(await pollFor(40)).toBe(200)
    expect(await pollFor(29, { [UNATTENDED_HEADER]: '1' })).toBe(200)
    expect(await pollFor(1)).toBe(200)
    expect(await pollFor(32, { [UNATTENDED_HEADER]: '1' })).toBe(401)
    expect((await browser.act('auth.refresh')).code).toBe('session_ended')
  })

  test('the tables contain no token', async () => {
    const { testApp, browser } = await signedIn()
    await browser.act('auth.refresh')
    const tables = await Promise.all(
      (['tokens', 'sessions', 'audit', 'outbox'] as const).map((table) =>
        testApp.database.db.selectFrom(table).selectAll().execute(),
      ),
    )
    const dump = JSON.stringify(tables)
    for (const name of ['access_token', 'refresh_token']) {
      expect(dump).not.toContain(browser.cookie(name))
    }
    expect(JSON.stringify(testApp.logged)).not.toContain(browser.cookie('refresh_token'))
  })
})
