import { expect, test } from 'vitest'
import { type MadeAccount, makeAccount } from '#tests/harness/accounts.ts'
import { Browser, type Outcome } from '#tests/harness/browser.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeStaff, signInNewStaff, signInStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const ROUNDS = 8
const CONCURRENCY = 12
const PASSWORD = 'seven blue teapots'

/** Many calls at once, with `end` somewhere among them. */
async function among(call: (n: number) => Promise<Outcome>, end: () => Promise<Outcome>) {
  const calls: Promise<Outcome>[] = []
  let ended: Promise<Outcome> | undefined
  for (let n = 0; n < CONCURRENCY; n += 1) {
    if (n === CONCURRENCY / 2) ended = end()
    calls.push(call(n))
  }
  expect((await ended)?.status).toBe(200)
  return Promise.all(calls)
}

/** Tokens that are still valid. */
function tokensLeft({ database }: TestApp) {
  return database.db
    .selectFrom('access_tokens')
    .select('id')
    .where('ended_at', 'is', null)
    .execute()
}

async function signedIn(testApp: TestApp, account: MadeAccount, address: string): Promise<Browser> {
  const browser = new Browser(testApp, address)
  const { kind, email } = account
  const answer = kind === 'staff' ? signInStaff(browser, email) : browser.signIn(account)
  expect((await answer).status).toBe(200)
  return browser
}

const token = { name: 'A script', scopes: ['account:read'] }

describeEngines('a race', (makeDatabase) => {
  test('of new tokens with signing out everywhere leaves no valid token', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    for (let round = 0; round < ROUNDS; round += 1) {
      const account = await makeAccount(testApp)
      const phone = await signedIn(testApp, account, `198.51.100.${round}`)
      const desk = await signedIn(testApp, account, `203.0.113.${round}`)
      const results = await among(
        () => phone.act('accessTokens.create', token),
        () => desk.act('auth.signOutEverywhere'),
      )
      for (const { status } of results) expect([200, 401]).toContain(status)
      expect(await tokensLeft(testApp)).toEqual([])
    }
  })

  test('of new tokens with a role change leaves no valid token', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser: boss } = await signInNewStaff(testApp, 'superuser')
    for (let round = 0; round < ROUNDS; round += 1) {
      const account = await makeStaff(testApp, 'admin')
      const theirs = await signedIn(testApp, account, `198.51.100.${round}`)
      await among(
        () => theirs.act('accessTokens.create', token),
        () => boss.act('superUsers.changeRole', { id: account.id, role: 'author' }),
      )
      expect(await tokensLeft(testApp)).toEqual([])
    }
  })

  test('of adding colleagues with being demoted adds nobody afterwards', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser: boss } = await signInNewStaff(testApp, 'superuser')
    for (let round = 0; round < ROUNDS; round += 1) {
      const account = await makeStaff(testApp, 'superuser')
      const theirs = await signedIn(testApp, account, `198.51.100.${round}`)
      await among(
        (n) => {
          const email = `friend-${round}-${n}@staff.example`
          return theirs.act('superUsers.add', { email, role: 'admin', password: PASSWORD })
        },
        () => boss.act('superUsers.changeRole', { id: account.id, role: 'author' }),
      )
      const trail = await testApp.database.db
        .selectFrom('audit')
        .select(['action', 'no'])
        .where('action', 'in', ['staff.added', 'staff.role_changed'])
        .orderBy('no')
        .execute()
      expect(trail.at(-1)?.action).toBe('staff.role_changed')
    }
  })
})
