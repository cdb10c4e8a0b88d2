import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AccessToken } from '#contract/access-tokens.ts'
import { type MadeAccount, makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser, makeToken, scriptWith } from '#tests/harness/browser.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeStaff, signInStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const DAY = 24 * 3_600_000
const NEW_PASSWORD = 'eight blue kettles'

async function signInAs(
  testApp: TestApp,
  account: MadeAccount,
  address?: string,
): Promise<Browser> {
  const browser = new Browser(testApp, address)
  expect((await browser.signIn(account)).status).toBe(200)
  return browser
}

async function listed(browser: Browser) {
  return z.array(AccessToken).parse((await browser.ask('accessTokens.list')).data)
}

function auditOf({ database }: TestApp, action: string) {
  return database.db.selectFrom('audit').selectAll().where('action', '=', action).execute()
}

describeEngines('an access token', (makeDatabase) => {
  test('is shown once, and works within its scopes without cookies or an origin', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { account } = await makeProviderAccount(testApp)
    const browser = await signInAs(testApp, account)
    const { secret, token } = await makeToken(browser, ['availability:write'], { name: 'Hours' })
    expect(secret).toMatch(/^apo_[\w-]{43}$/)
    expect(token).toEqual({
      id: token.id,
      name: 'Hours',
      last4: secret.slice(-4),
      scopes: ['availability:write'],
      createdAt: '2026-03-02T09:00:00.000Z',
      expiresAt: '2026-05-31T09:00:00.000Z',
      isExpired: false,
      lastUsedAt: null,
      lastNetwork: null,
    })
    const script = scriptWith(testApp, secret)
    expect((await script.ask('availability.mine')).status).toBe(200)
    const absence = { version: 0, placeId: null, from: '2026-04-06', to: '2026-04-10' }
    expect((await script.act('availability.addAbsence', absence)).data).toMatchObject({
      saved: true,
    })
    expect([...script.jar]).toEqual([])
    const beyond = await script.ask('payments.earnings')
    expect([beyond.status, beyond.code, beyond.message]).toEqual([
      403,
      'access_token_scope',
      'This access token can’t do that: it lacks payments:read.',
    ])
    const never = await script.act('auth.changePassword', {
      current_password: 'x',
      new_password: NEW_PASSWORD,
      confirm_password: NEW_PASSWORD,
    })
    expect([never.status, never.code]).toEqual([403, 'access_token_never'])
    expect((await script.act('accessTokens.create', {})).code).toBe('access_token_never')
    expect((await script.ask('search.specialities')).status).toBe(200)
    expect(JSON.stringify(await listed(browser))).not.toContain(secret)
    const rows = await testApp.database.db.selectFrom('access_tokens').selectAll().execute()
    expect(JSON.stringify([rows, testApp.logged])).not.toContain(secret)
  })

  test('requires a step-up, is announced by email, and is audited without its name', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const account = await makeAccount(testApp)
    const browser = await signInAs(testApp, account)
    testApp.advance(6 * 60_000)
    const input = { name: 'Nightly export', scopes: ['visits:read', 'account:read'], days: 30 }
    expect((await browser.act('accessTokens.create', input)).code).toBe('step_up_required')
    await browser.act('auth.stepUp', { password: 'seven green bottles' })
    const { status } = await browser.act('accessTokens.create', input)
    expect(status).toBe(200)
    await testApp.drainOutbox()
    expect(testApp.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [account.email, 'An access token was created'],
    ])
    const [mail] = testApp.mails
    expect(mail?.text).toContain('Nightly export')
    expect(mail?.text).toContain('See your name, address and profile; See your visits')
    expect(mail?.text).toContain('1 April 2026')
    const [token] = await listed(browser)
    expect(await auditOf(testApp, 'access_token.created')).toMatchObject([
      {
        entity: token?.id,
        actor_id: account.id,
        details: JSON.stringify({ scopes: 'account:read visits:read', days: 30 }),
      },
    ])
  })

  test('shows when and from which network it was last used, to the minute', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = await signInAs(testApp, await makeAccount(testApp))
    const { secret } = await makeToken(browser, ['account:read'])
    testApp.advance(1_000)
    await scriptWith(testApp, secret).ask('auth.me')
    testApp.advance(59_000)
    await scriptWith(testApp, secret).ask('auth.me')
    const seen = async () => (await listed(browser)).map((one) => [one.lastUsedAt, one.lastNetwork])
    expect(await seen()).toEqual([['2026-03-02T09:00:01.000Z', '198.51.100.7']])
    await scriptWith(testApp, secret, '203.0.113.9').ask('auth.me')
    expect(await seen()).toEqual([['2026-03-02T09:01:00.000Z', '203.0.113.9']])
  })

  test('fails with the next call once revoked, and each attempt is audited', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const account = await makeAccount(testApp)
    const browser = await signInAs(testApp, account)
    const { secret, token } = await makeToken(browser, ['account:read'])
    const script = scriptWith(testApp, secret)
    expect((await script.ask('auth.me')).data).toMatchObject({ user_id: account.id })
    const other = await signInAs(testApp, await makeAccount(testApp), '192.0.2.2')
    expect((await other.act('accessTokens.revoke', { id: token.id })).code).toBe('not_found')
    expect((await browser.act('accessTokens.revoke', { id: token.id })).status).toBe(200)
    expect((await browser.act('accessTokens.revoke', { id: token.id })).code).toBe('not_found')
    const refused = await script.ask('search.specialities')
    expect([refused.status, refused.code, refused.message]).toEqual([
      401,
      'access_token_invalid',
      'This access token no longer works. Create another one in your account.',
    ])
    expect(await listed(browser)).toEqual([])
    expect(await auditOf(testApp, 'access_token.revoked')).toMatchObject([{ entity: token.id }])
    expect(await auditOf(testApp, 'call.denied')).toMatchObject([
      {
        actor_kind: 'patient',
        actor_id: account.id,
        network: '198.51.100.7',
        details: JSON.stringify({
          code: 'access_token_invalid',
          token: token.id,
          fault: 'revoked',
        }),
      },
    ])
  })

  test('twenty are the limit, also for thirty concurrent requests', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = await signInAs(testApp, await makeAccount(testApp))
    const input = { name: 'One of many', scopes: ['account:read'] }
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => browser.act('accessTokens.create', input)),
    )
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(20)
    const full = outcomes.filter(({ status }) => status !== 200)
    expect(new Set(full.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(['409 access_tokens_full']),
    )
    expect(await listed(browser)).toHaveLength(20)
  })

  test('expires, stays listed for a month and is then deleted', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const account = await makeAccount(testApp)
    const browser = await signInAs(testApp, account)
    const { secret } = await makeToken(browser, ['account:read'], { days: 1 })
    const script = scriptWith(testApp, secret)
    testApp.advance(DAY - 1)
    expect((await script.ask('auth.me')).status).toBe(200)
    testApp.advance(1)
    expect((await script.ask('auth.me')).code).toBe('access_token_invalid')
    const later = await signInAs(testApp, account)
    expect(await listed(later)).toMatchObject([{ isExpired: true }])
    testApp.advance(30 * DAY)
    const { deleteUsedTokens } = await import('#server/auth/codes/create-link.ts')
    await deleteUsedTokens(testApp.services)
    expect(
      await testApp.database.db.selectFrom('access_tokens').select('id').execute(),
    ).toHaveLength(1)
    testApp.advance(1)
    await deleteUsedTokens(testApp.services)
    expect(await testApp.database.db.selectFrom('access_tokens').select('id').execute()).toEqual([])
  })
})

const endings: [
  string,
  (testApp: TestApp, browser: Browser, account: MadeAccount) => Promise<unknown>,
][] = [
  [
    'the password',
    (_, browser) =>
      browser.act('auth.changePassword', {
        current_password: 'seven green bottles',
        new_password: NEW_PASSWORD,
        confirm_password: NEW_PASSWORD,
      }),
  ],
  [
    'a reset of the password',
    async (testApp, browser, { email }) => {
      await browser.act('auth.forgotPassword', { email, userType: 'patient' })
      await testApp.drainOutbox()
      const link = /\/reset-password\/([\w-]{43})/.exec(testApp.mails.at(-1)?.text ?? '')
      const input = { new_password: NEW_PASSWORD, confirm_password: NEW_PASSWORD }
      const outcome = await browser.act('auth.resetPassword', { token: link?.[1], ...input })
      expect(outcome.status).toBe(200)
    },
  ],
  ['signing out everywhere', (_, browser) => browser.act('auth.signOutEverywhere')],
  ['the account', (_, browser) => browser.act('erasure.erase', { confirm: true })],
  [
    'the good standing of the account',
    ({ database, services }, _, { no }) =>
      database.db
        .updateTable('accounts')
        .set({ suspended_at: services.now() })
        .where('no', '=', no)
        .execute(),
  ],
]

test.each(endings)('a token ends with %s', async (_what, end) => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = await signInAs(testApp, account)
  const { secret } = await makeToken(browser, ['account:read'])
  const script = scriptWith(testApp, secret)
  expect((await script.ask('auth.me')).status).toBe(200)
  await end(testApp, browser, account)
  expect((await script.ask('auth.me')).code).toBe('access_token_invalid')
})

test('signing out on one device does not end tokens', async () => {
  await using testApp = await makeTestApp()
  const browser = await signInAs(testApp, await makeAccount(testApp))
  const { secret } = await makeToken(browser, ['account:read'])
  await browser.act('auth.signOut')
  expect((await scriptWith(testApp, secret).ask('auth.me')).status).toBe(200)
})

test('a token made as superuser ends when its owner becomes an author', async () => {
  await using testApp = await makeTestApp()
  const account = await makeStaff(testApp, 'superuser')
  const browser = new Browser(testApp)
  const { email } = account
  await browser.act('auth.signInStaff', { email, password: 'seven green bottles' })
  const { secret } = await makeToken(browser, ['account:read'])
  const script = scriptWith(testApp, secret)
  expect((await script.ask('auth.me')).data).toMatchObject({ role: 'superuser' })
  await makeStaff(testApp, 'superuser')
  await testApp.database.db
    .updateTable('accounts')
    .set({ role: 'author' })
    .where('no', '=', account.no)
    .execute()
  expect((await script.ask('auth.me')).code).toBe('access_token_invalid')
})

test('a token’s call never uses the browser’s session', async () => {
  await using testApp = await makeTestApp()
  const owner = await makeAccount(testApp)
  const { secret } = await makeToken(await signInAs(testApp, owner), ['account:read'])
  const other = await makeAccount(testApp)
  const browser = await signInAs(testApp, other, '192.0.2.2')
  browser.accessToken = secret
  expect((await browser.ask('auth.me')).data).toMatchObject({ user_id: owner.id })
  expect((await browser.ask('auth.sessions')).code).toBe('access_token_never')
  const before = browser.cookie('access_token')
  expect((await browser.act('auth.refresh')).code).toBe('access_token_never')
  expect((await browser.act('auth.signOut')).code).toBe('access_token_never')
  expect(browser.cookie('access_token')).toBe(before)
  browser.accessToken = `apo_${'x'.repeat(43)}`
  expect((await browser.ask('auth.me')).code).toBe('access_token_invalid')
  browser.accessToken = null
  expect((await browser.ask('auth.me')).data).toMatchObject({ user_id: other.id })
})

test('a page of another site cannot use a token', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp)
  const { secret } = await makeToken(await signInAs(testApp, account), ['availability:write'])
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${secret}`,
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
  }
  const init = { method: 'POST', headers, body: '{"version":0}' }
  const url = 'http://localhost:3000/trpc/availability.removeDate'
  const response = await testApp.app.fetch(new Request(url, init), '192.0.2.9')
  expect(response.status).toBe(403)
  expect(await response.text()).toContain('foreign_origin')
})

test('each token has its own rate limit, and never gets a CAPTCHA', async () => {
  await using testApp = await makeTestApp({ config: { captcha: true } })
  const browser = await signInAs(testApp, await makeAccount(testApp))
  const one = await makeToken(browser, ['account:read'])
  const two = await makeToken(browser, ['account:read'])
  // Two networks, so that the limit reached is the token's, not a network's.
  for (let count = 0; count < 120; count += 1) {
    const script = scriptWith(testApp, one.secret, `198.51.100.${count % 2}`)
    expect((await script.ask('search.providers', { postcode: 'M1' })).status).toBeLessThan(429)
  }
  const searched = await scriptWith(testApp, one.secret).ask('search.providers', { postcode: 'M1' })
  expect([searched.status, searched.code]).toEqual([429, 'rate_limited'])
  expect(searched.retryAfter).toBeGreaterThan(0)
  for (let count = 0; count < 179; count += 1) {
    const script = scriptWith(testApp, one.secret, `198.51.100.${count % 2}`)
    expect((await script.ask('auth.me')).status).toBe(200)
  }
  expect((await scriptWith(testApp, one.secret, '203.0.113.1').ask('auth.me')).status).toBe(429)
  expect((await scriptWith(testApp, two.secret, '203.0.113.1').ask('auth.me')).status).toBe(200)
})

test('invalid input is reported beside its field', async () => {
  await using testApp = await makeTestApp()
  const browser = await signInAs(testApp, await makeAccount(testApp))
  const tried: [object, string, string][] = [
    [{ name: ' ' }, 'name', 'Give the token a name, such as what uses it.'],
    [{ name: 'x'.repeat(61) }, 'name', 'Use 60 characters or fewer.'],
    [{ name: 'turned\u202eround' }, 'name', 'Use only letters, numbers and punctuation.'],
    [{ scopes: [] }, 'scopes', 'Choose at least one thing the token may do.'],
    [{ scopes: ['account:read', 'account:read'] }, 'scopes', 'Choose each thing once.'],
    [{ scopes: ['everything'] }, 'scopes.0', 'Choose what the token may do from the list.'],
    [{ scopes: ['availability:write'] }, 'scopes', 'Your account can’t give access to that.'],
    [{ days: 0 }, 'days', 'Choose between 1 and 365 days.'],
    [{ days: 366 }, 'days', 'Choose between 1 and 365 days.'],
    [{ days: 1.5 }, 'days', 'Choose between 1 and 365 days.'],
  ]
  for (const [wrong, path, message] of tried) {
    const input = { name: 'A script', scopes: ['account:read'], ...wrong }
    const { status, issues } = await browser.act('accessTokens.create', input)
    expect([wrong, status, issues]).toEqual([wrong, 400, [{ path, message }]])
  }
})

test('the data export lists tokens without secrets, and erasing deletes them', async () => {
  await using testApp = await makeTestApp()
  const browser = await signInAs(testApp, await makeAccount(testApp))
  const { secret } = await makeToken(browser, ['visits:read'], { name: 'Calendar' })
  const { data } = await browser.act('profiles.exportData')
  expect(data).toMatchObject({
    access_tokens: [{ name: 'Calendar', scopes: 'visits:read', last4: secret.slice(-4) }],
  })
  expect(JSON.stringify(data)).not.toContain(secret)
  await browser.act('erasure.erase', { confirm: true })
  expect(await testApp.database.db.selectFrom('access_tokens').select('id').execute()).toEqual([])
})

test('the email greets a member of staff who has no name', async () => {
  await using testApp = await makeTestApp()
  const { email } = await makeStaff(testApp, 'admin', { first_name: '', last_name: '' })
  const browser = new Browser(testApp)
  await signInStaff(browser, email)
  await makeToken(browser, ['staff-payments:read'])
  expect((await lastMailTo(testApp, email)).text).toContain('Hello colleague,')
})
