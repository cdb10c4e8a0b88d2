import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { SessionView } from '#contract/auth.ts'
import { ErrorData } from '#contract/base/errors.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const MINUTE = 60_000

function audited(testApp: TestApp, action: string) {
  return testApp.database.db.selectFrom('audit').selectAll().where('action', '=', action).execute()
}

test('a wrong password and an unknown address get the same response', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  const wrong = await browser.signIn(account, { password: 'eight green bottles' })
  const unknown = await browser.signIn({ email: 'nobody@mail.example', kind: 'patient' })
  for (const { status, message, code } of [wrong, unknown]) {
    expect([status, code, message]).toEqual([
      401,
      'credentials_wrong',
      'Email or password is incorrect.',
    ])
  }
  expect([...wrong.headers.keys()]).toEqual([...unknown.headers.keys()])
  expect(browser.jar.size).toBe(0)
  // The log names the account that somebody tried to get into.
  const refused = await audited(testApp, 'session.refused')
  expect(refused.map(({ entity }) => entity)).toEqual([account.id, null])
})

test('signing in sets the documented cookies, with no token in the response', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp, { email: 'maya@mail.example' })
  const browser = new Browser(testApp)
  const { status, data } = await browser.signIn({ ...account, email: ' Maya@Mail.Example ' })
  expect(status).toBe(200)
  expect(data).toMatchObject({ status: true, user_id: account.id, is_admin: false })
  expect(data).not.toHaveProperty('tokens')
  const common = ['Path=/', 'Secure', 'SameSite=Strict']
  for (const name of ['access_token', 'refresh_token']) {
    expect(browser.jar.get(name)?.attributes).toEqual(
      expect.arrayContaining([...common, 'HttpOnly']),
    )
  }
  expect(browser.jar.get('access_token')?.attributes).toContain('Max-Age=600')
  expect(browser.jar.get('user_id')?.value).toBe(account.id)
  expect(browser.jar.get('user_id')?.attributes).toEqual(expect.arrayContaining(common))
  expect(browser.jar.get('user_id')?.attributes).not.toContain('HttpOnly')
  const me = await browser.ask('auth.me')
  expect(me.data).toMatchObject({ user_id: account.id, kind: 'patient', email: account.email })
})

const WithTokens = z.object({
  result: z.object({
    data: z.object({ tokens: z.object({ access_token: z.string(), refresh_token: z.string() }) }),
  }),
})

test('a program gets its tokens as JSON, and sends them as bearer tokens', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const call = (path: string, headers: Record<string, string>, body?: object) =>
    testApp.app.fetch(
      new Request(`http://localhost:3000/trpc/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  const input = { email: account.email, password: PASSWORD, user_type: 'patient' }
  const answer = WithTokens.parse(await (await call('auth.signIn', {}, input)).json())
  const { access_token: access, refresh_token: refresh } = answer.result.data.tokens
  const asked = await call('auth.sessions', { authorization: `Bearer ${access}` })
  expect(asked.status).toBe(200)
  const misused = await call('auth.sessions', { authorization: `Bearer ${refresh}` })
  expect(misused.status).toBe(401)
  const next = await call('auth.refresh', { authorization: `Bearer ${refresh}` }, {})
  expect(next.status).toBe(200)
  expect(await next.json()).toHaveProperty('result.data.tokens.access_token')
})

test('user_type is patient or provider and grants nothing', async () => {
  await using testApp = await makeTestApp()
  const staff = await makeAccount(testApp, { kind: 'staff', role: 'superuser' })
  const browser = new Browser(testApp)
  for (const kind of ['superuser', 'staff', '', 'Patient']) {
    const { status, code, message } = await browser.signIn({ email: staff.email, kind })
    expect([status, code, message]).toEqual([
      400,
      'user_type_invalid',
      'Choose patient or provider.',
    ])
  }
  const asPatient = await browser.signIn({ email: staff.email, kind: 'patient' })
  expect(asPatient.code).toBe('credentials_wrong')
})

test('one address may have a patient account and a provider account', async () => {
  await using testApp = await makeTestApp()
  const { provider, account } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp, { email: account.email })
  const browser = new Browser(testApp)
  await browser.signIn(account)
  expect((await browser.ask('auth.me')).data).toMatchObject({
    user_id: account.id,
    provider: { provider_id: provider.id, region: 'uk', verification_status: 'Verified' },
  })
  await browser.signIn(patient)
  expect((await browser.ask('auth.me')).data).toMatchObject({ user_id: patient.id, provider: null })
})

test('only the right password reveals that an address is not confirmed yet', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp, { email_verified_at: null })
  const browser = new Browser(testApp)
  expect(await browser.signIn(account)).toMatchObject({ status: 403, code: 'email_unverified' })
  const wrong = await browser.signIn(account, { password: 'not this one' })
  expect(wrong.code).toBe('credentials_wrong')
})

test('a suspended account cannot sign in, and its sessions end', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await testApp.database.db.updateTable('accounts').set({ suspended_at: 1 }).execute()
  expect((await browser.ask('auth.sessions')).status).toBe(401)
  expect((await browser.act('auth.refresh')).code).toBe('session_ended')
  expect((await browser.signIn(account)).code).toBe('account_suspended')
})

test.each([
  ['a Kelvin sign', 'ni\u212Ai@mail.example'],
  ['a full-width at', 'niki\uff20mail.example'],
  ['a zero-width space', 'niki\u200b@mail.example'],
])('an address with %s does not match its look-alike', async (_what, email) => {
  await using testApp = await makeTestApp()
  await makeAccount(testApp, { email: 'niki@mail.example' })
  const browser = new Browser(testApp)
  const refused = [
    await browser.signIn({ email, kind: 'patient' }),
    await browser.act('auth.forgotPassword', { email, userType: 'patient' }),
    await browser.act('auth.resendVerification', { email, user_type: 'patient' }),
  ]
  for (const { status, issues } of refused) {
    expect([status, issues]).toEqual([
      400,
      [{ path: 'email', message: 'Enter a valid email address.' }],
    ])
  }
  await testApp.drainOutbox()
  expect(testApp.mails).toEqual([])
})

test('an over-long password is refused with the rule and never hashed', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  let hashed = 0
  const passwords = { ...testApp.services.passwords }
  testApp.services.passwords.verify = (password, find) => {
    hashed += 1
    return passwords.verify(password, find)
  }
  const at = { email: 'a@mail.example', kind: 'patient' }
  const long = await browser.signIn(at, { password: 'x'.repeat(129) })
  expect([long.status, long.issues[0]?.message]).toEqual([400, 'Use 128 characters or fewer.'])
  const huge = await browser.signIn(at, { password: 'x'.repeat(1_000_000) })
  expect([huge.status, huge.code]).toEqual([413, 'body_too_large'])
  expect(hashed).toBe(0)
})

test('three wrong attempts in ten seconds have to wait, and so do five in fifteen minutes', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  const wrong = () => browser.signIn(account, { password: 'not this one' })
  for (let count = 0; count < 3; count += 1) expect((await wrong()).status).toBe(401)
  const fast = await wrong()
  expect([fast.status, fast.code]).toEqual([429, 'rate_limited'])
  expect(fast.retryAfter).toBeGreaterThan(0)
  expect(fast.retryAfter).toBeLessThanOrEqual(12)
  testApp.advance(12_000)
  for (let count = 0; count < 2; count += 1) expect((await wrong()).status).toBe(401)
  testApp.advance(12_000)
  const slow = await browser.signIn(account)
  expect([slow.status, slow.message]).toEqual([
    429,
    `Too many requests. Try again in about ${Math.ceil((slow.retryAfter ?? 0) / 60)} minutes.`,
  ])
  // Other networks are not refused: nobody can lock somebody else out.
  expect((await new Browser(testApp, '198.51.100.7').signIn(account)).status).toBe(200)
  testApp.advance(Number(slow.retryAfter) * 1_000)
  expect((await browser.signIn(account)).status).toBe(200)
})

const at = (count: number) => ({ email: `person${count}@mail.example`, kind: 'patient' })

test('a network has twenty wrong attempts in fifteen minutes across accounts', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  for (let count = 0; count < 20; count += 1) {
    expect((await browser.signIn(at(count))).status).toBe(401)
  }
  expect((await browser.signIn(at(20))).status).toBe(429)
  expect((await new Browser(testApp, '198.51.100.7').signIn(at(20))).status).toBe(401)
})

test('right passwords do not count as attempts', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  for (let count = 0; count < 8; count += 1) {
    expect((await browser.signIn(account)).status).toBe(200)
  }
})

test('when attempts cannot be counted nobody is signed in, not even with the right password', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  await testApp.database.db.schema.dropTable('attempts').execute()
  const { status, data } = await new Browser(testApp).signIn(account)
  expect(status).toBeGreaterThanOrEqual(500)
  expect(data).toBeUndefined()
})

test('a batch of a thousand guesses is refused and not counted', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  const paths = Array.from({ length: 1_000 }, () => 'auth.signIn').join(',')
  const guess = { email: account.email, password: 'guess', user_type: 'patient' }
  const body = JSON.stringify({ 0: guess, 999: guess })
  const headers = { 'content-type': 'application/json' }
  const response = await browser.fetch(`/trpc/${paths}?batch=1`, { method: 'POST', headers, body })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('Batch call exceeds maximum size')
  expect(await testApp.database.db.selectFrom('attempts').selectAll().execute()).toEqual([])
})

const Failures = z.array(z.object({ error: z.object({ data: ErrorData }) }))

test('ten guesses in one batch are ten attempts', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const paths = Array.from({ length: 10 }, () => 'auth.signIn').join(',')
  const guess = { email: account.email, password: 'guess', user_type: 'patient' }
  const body = JSON.stringify(
    Object.fromEntries(paths.split(',').map((_, index) => [index, guess])),
  )
  const headers = { 'content-type': 'application/json' }
  const response = await new Browser(testApp).fetch(`/trpc/${paths}?batch=1`, {
    method: 'POST',
    headers,
    body,
  })
  const answers = Failures.parse(await response.json())
  const codes = answers.map(({ error }) => error.data.appCode)
  expect(codes.filter((code) => code === 'credentials_wrong')).toHaveLength(3)
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(7)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('signing out ends the session at once and lists what the page must remove', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const stolen = browser.headers()
  const { data, headers } = await browser.act('auth.signOut')
  expect(data).toEqual({
    status: true,
    cookies: ['access_token', 'refresh_token', 'user_id'],
    localStorage: ['ProfilePhone', 'ProfileEmail'],
  })
  expect(headers.get('clear-site-data')).toBe('"cache"')
  expect(browser.jar.size).toBe(0)
  const later = await browser.fetch('/trpc/auth.sessions', { headers: stolen })
  expect(later.status).toBe(401)
  expect(await audited(testApp, 'session.signed_out')).toMatchObject([{ actor_id: account.id }])
})

test('signing out everywhere ends the other devices too', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const phone = new Browser(testApp)
  const desk = new Browser(testApp)
  await phone.signIn(account)
  await desk.signIn(account)
  const { data } = await desk.ask('auth.sessions')
  expect(data).toMatchObject([{ device: 'Chrome on Windows' }, { network: '192.0.2.1' }])
  await desk.act('auth.signOutEverywhere')
  expect((await phone.ask('auth.sessions')).status).toBe(401)
  expect((await phone.act('auth.refresh')).code).toBe('session_ended')
})

test('a session can be ended from another one of the same account only', async () => {
  await using testApp = await makeTestApp()
  const phone = new Browser(testApp)
  const desk = new Browser(testApp)
  const account = await makeAccount(testApp)
  await phone.signIn(account)
  await desk.signIn(account)
  const sessions = z.array(SessionView).parse((await desk.ask('auth.sessions')).data)
  const other = sessions.find(({ isThisOne }) => !isThisOne)
  const stranger = new Browser(testApp)
  await stranger.signIn(await makeAccount(testApp))
  const foreign = await stranger.act('auth.endSession', { id: other?.id })
  const absent = await stranger.act('auth.endSession', { id: `ses_${'0'.repeat(26)}` })
  expect([foreign.status, foreign.message]).toEqual([absent.status, absent.message])
  expect(foreign.status).toBe(404)
  expect((await desk.act('auth.endSession', { id: other?.id })).status).toBe(200)
  expect((await phone.ask('auth.sessions')).status).toBe(401)
  expect((await desk.ask('auth.sessions')).status).toBe(200)
})

test('the list of sessions leaves out ended ones, and ending this one signs out here', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const old = new Browser(testApp)
  await old.signIn(account)
  testApp.advance(24 * 60 * MINUTE + 1)
  const desk = new Browser(testApp)
  await desk.signIn(account)
  const [mine, ...others] = z.array(SessionView).parse((await desk.ask('auth.sessions')).data)
  expect([mine?.isThisOne, others]).toEqual([true, []])
  expect((await desk.act('auth.endSession', { id: mine?.id })).status).toBe(200)
  expect(desk.jar.size).toBe(0)
  expect(await audited(testApp, 'session.ended')).toMatchObject([{ entity: mine?.id }])
})

test('ending somebody else’s session is audited as denied', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  const account = await makeAccount(testApp)
  await browser.signIn(account)
  await browser.act('auth.endSession', { id: `ses_${'0'.repeat(26)}` })
  expect(await audited(testApp, 'call.denied')).toMatchObject([
    { outcome: 'denied', actor_id: account.id, entity: 'auth.endSession' },
  ])
})

test.each([
  ['patient', 24 * 60, 30 * 24 * 60],
  ['provider', 30, 12 * 60],
  ['staff', 15, 8 * 60],
] as const)(
  'a session of a %s ends after %i idle minutes and after %i in all',
  async (kind, idle, life) => {
    await using testApp = await makeTestApp()
    const { account } =
      kind === 'provider'
        ? await makeProviderAccount(testApp)
        : {
            account: await makeAccount(
              testApp,
              kind === 'staff' ? { kind, role: 'admin' } : { kind },
            ),
          }
    const enter = async () => {
      const browser = new Browser(testApp)
      await testApp.database.db
        .updateTable('accounts')
        .set({ email: 'admin@demo.example' })
        .execute()
      await browser.act('auth.enterDemo', { email: 'admin@demo.example' })
      return browser
    }
    const lazy = await enter()
    testApp.advance(idle * MINUTE + 1)
    expect((await lazy.act('auth.refresh')).code).toBe('session_ended')
    const busy = await enter()
    const step = Math.min(idle, 20 * 60) * MINUTE
    for (let left = life * MINUTE; left > step; left -= step) {
      testApp.advance(step)
      expect((await busy.act('auth.refresh')).status).toBe(200)
    }
    testApp.advance(step)
    expect((await busy.act('auth.refresh')).code).toBe('session_ended')
    expect(account.kind).toBe(kind)
  },
)
