import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { makeTree, runScript } from './test/run-script.ts'

function recover(folder: string, word?: string, more: Record<string, string> = {}) {
  return runScript('staff-recover', word === undefined ? [] : [word], {
    ...more,
    DATA_DIR: folder,
    SECRET_KEY: 'a key of thirty-two letters or so',
    LOG_LEVEL: 'silent',
  })
}

test('a superuser without password and second factor gets back in, once, and it is audited', async () => {
  using tree = makeTree({})
  const database = openDatabase(`sqlite:${join(tree.root, 'apposite.db')}`)
  await migrateToLatest(database)
  await using testApp = await makeTestApp({ database })
  const staff = { kind: 'staff', date_of_birth: null } as const
  const lost = await makeAccount(testApp, {
    ...staff,
    role: 'superuser',
    email: 'ada@staff.example',
    totp_secret: 'sealed',
    totp_confirmed_at: 1,
    suspended_at: 1,
  })
  await makeAccount(testApp, { ...staff, role: 'admin', email: 'ben@staff.example' })
  expect(recover(tree.root, 'ben@staff.example')).toMatchObject({
    code: 1,
    err: 'No superuser has this email address.\n',
  })
  expect(recover(tree.root).code).toBe(2)

  const { code, out } = recover(tree.root, 'Ada@Staff.example')
  expect(code).toBe(0)
  const [where, password = ''] = out.split('\n')
  expect(where).toMatch(/^Sign in at \/admin-signin of your site \(.+ PUBLIC_URL is not set\) with/)
  expect(where).not.toContain('localhost')
  const browser = new Browser(testApp)
  const signIn = { email: 'ada@staff.example', password }
  expect((await browser.act('auth.signInStaff', signIn)).data).toMatchObject({ status: true })
  expect((await browser.act('auth.signInStaff', signIn)).code).toBe('first_password_used')
  const rows = await database.db
    .selectFrom('audit')
    .select(['entity', 'actor_kind', 'actor_id', 'details'])
    .where('action', '=', 'staff.recovered')
    .execute()
  expect(rows).toEqual([
    {
      entity: lost.id,
      actor_kind: 'system',
      actor_id: null,
      details: '{"sessions":0,"tokens":0,"calendars":0}',
    },
  ])
  const mails = await database.db
    .selectFrom('outbox')
    .select('payload')
    .where('topic', '=', 'account.letter')
    .execute()
  expect(mails.map(({ payload }) => payload)).toEqual([
    expect.stringContaining('"letter":"password_changed"'),
  ])

  const again = recover(tree.root, 'ada@staff.example', { PUBLIC_URL: 'https://care.example' })
  expect(again.out).toContain('Sign in at https://care.example/admin-signin with this password.')
})
