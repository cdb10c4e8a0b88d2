import { expect, test } from 'vitest'
import { CreateAccessTokenResponse } from '#contract/access-tokens.ts'
import { RecoveryCodes, SecondFactorSetup } from '#contract/auth-second-factor.ts'
import { CreateFeedResponse } from '#contract/calendars.ts'
import { recoverSuperuser } from '#server/auth/accounts/accounts.ts'
import { totpCode } from '#server/kernel/security/totp.ts'
import { type MadeAccount, makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { NEW_PASSWORD, reset, resetToken } from '#tests/harness/reset-password.ts'
import { lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { signInNewStaff, signInStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const NEW_EMAIL = 'new@mail.example'

type Given = Awaited<ReturnType<typeof giveAccess>>

/** Every kind of access to an account: what works before an event, and may have to end with it. */
async function giveAccess(testApp: TestApp, here: Browser, account: MadeAccount) {
  const elsewhere = new Browser(testApp, '198.51.100.9')
  const isStaff = account.kind === 'staff'
  await (isStaff ? signInStaff(elsewhere, account.email) : elsewhere.signIn(account))
  const token = new Browser(testApp, '198.51.100.10')
  const { data } = await here.act('accessTokens.create', { name: 'A', scopes: ['account:read'] })
  token.accessToken = CreateAccessTokenResponse.parse(data).secret
  const feed = isStaff
    ? null
    : new URL(
        CreateFeedResponse.parse((await here.act('calendars.create', { name: 'A' })).data).url,
      )
  if (!isStaff) await here.act('auth.sendCode', { purpose: 'erase', object: '' })
  await here.act('auth.changeEmail', { email: NEW_EMAIL, password: PASSWORD })
  const change = tokenIn(await lastMailTo(testApp, NEW_EMAIL), 'verify')
  const link = isStaff ? null : await resetToken(testApp, account.email)
  return { testApp, account, here, elsewhere, token, feed, change, link }
}

/** What still works. Links are followed last, because they change the account. */
async function worksAfter(given: Given) {
  const { testApp, account, here, elsewhere, token, feed, change, link } = given
  const works = async (browser: Browser) => (await browser.ask('auth.sessions')).status === 200
  const open = await testApp.database.db
    .selectFrom('codes')
    .select('id')
    .where('account_no', '=', account.no)
    .where('used_at', 'is', null)
    .where('expires_at', '>', testApp.services.now())
    .execute()
  const stranger = new Browser(testApp, '198.51.100.11')
  const found = {
    here: await works(here),
    elsewhere: await works(elsewhere),
    token: (await token.ask('auth.me')).status === 200,
    feed: feed !== null && (await stranger.fetch(feed.pathname)).status === 200,
    code: open.length > 0,
    resetLink:
      link !== null && (await stranger.act('auth.checkResetLink', { token: link })).status === 200,
    changeLink: (await stranger.act('auth.verifyEmail', { token: change })).status === 200,
  }
  return Object.entries(found).flatMap(([what, isWorking]) => (isWorking ? [what] : []))
}

async function enrol({ here, testApp }: Given) {
  const { data } = await here.act('auth.beginSecondFactor')
  const { secret } = SecondFactorSetup.parse(data)
  const code = totpCode(secret, testApp.services.now())
  RecoveryCodes.parse((await here.act('auth.confirmSecondFactor', { code })).data)
}

const events: [string, (given: Given) => Promise<unknown>, string[]][] = [
  [
    'nothing happened',
    () => Promise.resolve(),
    ['here', 'elsewhere', 'token', 'feed', 'code', 'resetLink', 'changeLink'],
  ],
  ['signing out everywhere', ({ here }) => here.act('auth.signOutEverywhere'), []],
  [
    'a new password',
    ({ here }) =>
      here.act('auth.changePassword', {
        current_password: PASSWORD,
        new_password: NEW_PASSWORD,
        confirm_password: NEW_PASSWORD,
      }),
    ['here'],
  ],
  ['a password reset', ({ testApp, link }) => reset(testApp, link ?? ''), []],
  [
    'a new email address, confirmed here',
    ({ here, change }) => here.act('auth.verifyEmail', { token: change }),
    ['here'],
  ],
  [
    'a new email address, confirmed on another device',
    ({ testApp, change }) => new Browser(testApp).act('auth.verifyEmail', { token: change }),
    [],
  ],
  ['a second factor', enrol, ['here', 'token', 'feed']],
  ['an erased account', ({ here }) => here.act('erasure.erase', { confirm: true }), []],
]

test.each(events)(
  'after %s, what still works is as the table says',
  async (_what, act, expected) => {
    await using testApp = await makeTestApp()
    const account = await makeAccount(testApp)
    const here = new Browser(testApp)
    await here.signIn(account)
    const given = await giveAccess(testApp, here, account)
    await act(given)
    expect(await worksAfter(given)).toEqual(expected)
  },
)

test('a removed second factor signs other devices out', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const here = new Browser(testApp)
  await here.signIn(account)
  const given = await giveAccess(testApp, here, account)
  await here.act('auth.removeSecondFactor')
  // There was none, so nothing ends.
  expect((await given.elsewhere.ask('auth.sessions')).status).toBe(200)
  await enrol(given)
  await here.act('auth.removeSecondFactor')
  expect(await worksAfter(given)).toEqual(['here', 'token', 'feed'])
})

const staffEvents: [string, (by: { boss: Browser; given: Given }) => Promise<unknown>][] = [
  [
    'another role',
    ({ boss, given }) =>
      boss.act('superUsers.changeRole', { id: given.account.id, role: 'editor' }),
  ],
  ['removal', ({ boss, given }) => boss.act('superUsers.remove', { id: given.account.id })],
  ['recovery', ({ given }) => recoverSuperuser(given.testApp.services, given.account.email)],
]

test.each(staffEvents)('after %s of a colleague nothing works any more', async (_what, act) => {
  await using testApp = await makeTestApp()
  const { browser: boss } = await signInNewStaff(testApp, 'superuser')
  const { account, browser } = await signInNewStaff(testApp, 'superuser', '192.0.2.2')
  const given = await giveAccess(testApp, browser, account)
  await act({ boss, given })
  expect(await worksAfter(given)).toEqual([])
})

test('a calendar link cannot be created by a session that has ended, or without a recent proof', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const here = new Browser(testApp)
  await here.signIn(account)
  testApp.advance(6 * 60_000)
  const late = await here.act('calendars.create', { name: 'A' })
  expect([late.status, late.code]).toEqual([403, 'step_up_required'])
  await here.act('auth.stepUp', { password: PASSWORD })
  expect((await here.act('calendars.create', { name: 'A' })).status).toBe(200)
})
