import { expect, test } from 'vitest'
import { StaffRole } from '#contract/base/staff.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { listStaffAs, makeStaff, signInNewStaff, signInStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const MINUTE = 60_000
const FIRST = 'given by a colleague'
const OWN = 'a boat on the river'
const NOBODY = `usr_${'0'.repeat(26)}`

async function audited(testApp: TestApp, prefix = 'staff.') {
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['action', 'actor_id', 'entity', 'details'])
    .orderBy('no')
    .execute()
  return rows.filter(({ action }) => action.startsWith(prefix))
}

function addNora(browser: Browser, more: object = {}) {
  const nora = { email: 'Nora@Staff.example', role: 'editor', password: FIRST, ...more }
  return browser.act('superUsers.add', nora)
}

const choose = (browser: Browser, password = OWN, again = password) =>
  browser.act('auth.setFirstPassword', { new_password: password, confirm_password: again })

describeEngines('super users', (makeDatabase) => {
  test('a colleague is added, emailed without the password, and audited in one transaction', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, account } = await signInNewStaff(testApp, 'superuser')
    const { status, data } = await addNora(browser)
    const [, nora] = await listStaffAs(browser)
    expect([status, nora]).toEqual([200, data])
    expect({ ...nora, id: '' }).toEqual({
      id: '',
      email: 'nora@staff.example',
      role: 'editor',
      state: 'invited',
      isYou: false,
      addedAt: '2026-03-02T09:00:00.000Z',
    })
    const mail = await lastMailTo(testApp, 'nora@staff.example')
    expect(mail.subject).toBe('You’ve joined the staff of Apposite')
    expect(mail.text).toContain('Hello colleague,')
    expect(mail.text).toContain('as an editor')
    expect(mail.text).toContain('/admin-signin')
    expect(mail.text + mail.html).not.toContain(FIRST)
    expect(await audited(testApp)).toEqual([
      {
        action: 'staff.added',
        actor_id: account.id,
        entity: nora?.id,
        details: '{"role":"editor"}',
      },
    ])
  })

  test('a first password opens one session, in which only choosing another is allowed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInNewStaff(testApp, 'superuser')
    await addNora(browser)
    const nora = new Browser(testApp, '192.0.2.2')
    const came = await signInStaff(nora, 'nora@staff.example', FIRST)
    expect(came.data).toMatchObject({ me: { must_change_password: true, role: 'editor' } })
    for (const path of ['superUsers.list', 'auth.sessions']) {
      const { status, code, message } = await nora.ask(path)
      expect([status, code, message]).toEqual([
        403,
        'password_change_required',
        'Choose a password of your own to continue.',
      ])
    }
    const again = await signInStaff(new Browser(testApp, '192.0.2.3'), 'nora@staff.example', FIRST)
    expect([again.status, again.code]).toEqual([401, 'first_password_used'])
    expect((await choose(nora, FIRST)).issues).toEqual([
      {
        path: 'new_password',
        message: 'Choose a different password from the one you were given.',
      },
    ])
    expect((await choose(nora, 'password1')).issues[0]?.path).toBe('new_password')
    expect((await choose(nora, OWN, 'another')).issues[0]?.path).toBe('confirm_password')
    const before = nora.cookie('access_token')
    expect((await choose(nora)).data).toEqual({ status: true })
    expect(nora.cookie('access_token')).not.toBe(before)
    expect((await nora.ask('superUsers.list')).status).toBe(200)
    expect((await choose(nora)).code).toBe('first_password_chosen')
    const later = new Browser(testApp, '192.0.2.4')
    expect((await signInStaff(later, 'nora@staff.example', FIRST)).code).toBe('credentials_wrong')
    expect((await signInStaff(later, 'nora@staff.example', OWN)).status).toBe(200)
    expect((await lastMailTo(testApp, 'nora@staff.example')).subject).toBe(
      'You’ve set your own password',
    )
  })

  test('fifty concurrent sign-ins with a first password open one session', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInNewStaff(testApp, 'superuser')
    await addNora(browser)
    const statuses: number[] = []
    // Five at a time, each from a different network: sign-in limits are not under test here.
    for (let round = 0; round < 10; round += 1) {
      const some = await Promise.all(
        Array.from({ length: 5 }, (_, at) =>
          signInStaff(new Browser(testApp, `10.1.${round}.${at}`), 'nora@staff.example', FIRST),
        ),
      )
      statuses.push(...some.map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(new Set(statuses)).toEqual(new Set([200, 401]))
  })

  test('a colleague’s new role signs them out, and they are emailed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, account } = await signInNewStaff(testApp, 'superuser')
    const other = await signInNewStaff(testApp, 'admin', '192.0.2.2')
    const { id, email } = other.account
    const { data } = await browser.act('superUsers.changeRole', { id, role: 'author' })
    expect(data).toMatchObject({ id, email, role: 'author' })
    expect((await other.browser.ask('superUsers.list')).status).toBe(401)
    expect((await other.browser.act('auth.refresh')).code).toBe('session_ended')
    await signInStaff(other.browser, email)
    expect((await other.browser.ask('auth.me')).data).toMatchObject({ role: 'author' })
    const mail = await lastMailTo(testApp, email)
    expect([mail.subject, mail.text]).toEqual([
      'Your role was changed',
      expect.stringContaining('you’re now an author'),
    ])
    expect(await audited(testApp)).toEqual([
      {
        action: 'staff.role_changed',
        actor_id: account.id,
        entity: id,
        details: '{"from":"admin","to":"author","sessions":1,"tokens":0,"calendars":0}',
      },
    ])
    // Repeating it changes nothing and ends no session.
    expect((await browser.act('superUsers.changeRole', { id, role: 'author' })).status).toBe(200)
    expect((await other.browser.ask('superUsers.list')).status).toBe(200)
    expect(await audited(testApp)).toHaveLength(1)
  })

  test('a removed colleague is signed out at once, emailed, and can be added again', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInNewStaff(testApp, 'superuser')
    const other = await signInNewStaff(testApp, 'admin', '192.0.2.2')
    const { id, email } = other.account
    const { status, data } = await browser.act('superUsers.remove', { id, email, role: 'admin' })
    expect([status, data]).toEqual([200, { status: true }])
    expect((await other.browser.ask('superUsers.list')).status).toBe(401)
    expect((await signInStaff(other.browser, email)).code).toBe('credentials_wrong')
    expect((await lastMailTo(testApp, email)).subject).toBe(
      'You’ve been removed from the staff of Apposite',
    )
    expect(await listStaffAs(browser)).toHaveLength(1)
    // Their actions stay under their id.
    const [removed] = await audited(testApp)
    expect(removed).toMatchObject({ action: 'staff.removed', entity: id })
    const theirs = await testApp.database.db
      .selectFrom('audit')
      .select('action')
      .where('actor_id', '=', id)
      .execute()
    expect(theirs.map(({ action }) => action)).toContain('session.began')
    expect((await browser.act('superUsers.remove', { id })).code).toBe('not_found')
    expect(
      (await browser.act('superUsers.add', { email, role: 'author', password: FIRST })).status,
    ).toBe(200)
  })

  test('an outdated page is refused, and nothing is changed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInNewStaff(testApp, 'superuser')
    const { id, email } = await makeStaff(testApp, 'admin')
    const stale = [
      ['superUsers.remove', { id, email, role: 'editor' }],
      ['superUsers.remove', { id, email: 'somebody@else.example', role: 'admin' }],
      ['superUsers.changeRole', { id, role: 'author', seen: 'editor' }],
    ] as const
    for (const [path, input] of stale) {
      const { status, code } = await browser.act(path, input)
      expect([status, code]).toEqual([409, 'staff_changed'])
    }
    expect((await listStaffAs(browser)).find((one) => one.id === id)?.role).toBe('admin')
  })

  test('bad input 53: nobody can remove themselves or change their own role', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, account } = await signInNewStaff(testApp, 'superuser')
    await makeStaff(testApp, 'superuser')
    const tries = [
      ['superUsers.remove', { id: account.id }],
      ['superUsers.changeRole', { id: account.id, role: 'admin' }],
    ] as const
    for (const [path, input] of tries) {
      const { status, message } = await browser.act(path, input)
      expect([status, message]).toEqual([409, 'At least one superuser must remain.'])
    }
    expect((await browser.ask('superUsers.list')).status).toBe(200)
  })

  test('the database protects the last active superuser; suspended ones do not count', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { db } = testApp.database
    const { no } = await makeStaff(testApp, 'superuser')
    const other = await makeStaff(testApp, 'superuser')
    const at = testApp.services.now()
    const change = (set: object, which = no) =>
      db.updateTable('accounts').set(set).where('no', '=', which).execute()
    await change({ suspended_at: at }, other.no)
    for (const set of [
      { role: 'admin' },
      { suspended_at: at },
      { erased_at: at },
      { role: null },
    ]) {
      await expect(change(set)).rejects.toThrow('accounts_keep_a_superuser')
    }
    await expect(db.deleteFrom('accounts').where('no', '=', no).execute()).rejects.toThrow(
      'accounts_keep_a_superuser',
    )
    await change({ first_name: 'Sam' })
    await change({ suspended_at: null }, other.no)
    await change({ role: 'admin' })
  })
})

test('bad input 52: missing fields, an unknown role and a known address', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await signInNewStaff(testApp, 'superuser')
  const whole = { email: 'nora@staff.example', role: 'editor', password: FIRST }
  for (const name of Object.keys(whole)) {
    for (const left of [undefined, '']) {
      const { status, message, issues } = await browser.act('superUsers.add', {
        ...whole,
        [name]: left,
      })
      expect([status, message, issues]).toEqual([
        400,
        'All fields are required.',
        [{ path: name, message: 'All fields are required.' }],
      ])
    }
  }
  const root = await browser.act('superUsers.add', { ...whole, role: 'root' })
  expect(root.status).toBe(400)
  for (const role of StaffRole.options) expect(root.message).toContain(role)
  const noRole = await browser.act('superUsers.changeRole', { id: NOBODY, role: '' })
  expect([noRole.status, noRole.message]).toEqual([400, 'Please select a role.'])
  expect((await browser.act('superUsers.add', { ...whole, email: 'nora' })).issues).toEqual([
    { path: 'email', message: 'Enter a valid email address.' },
  ])
  expect((await browser.act('superUsers.add', { ...whole, password: 'short' })).issues).toEqual([
    { path: 'password', message: 'Use at least 8 characters.' },
  ])
  expect((await browser.act('superUsers.add', whole)).status).toBe(200)
  const twice = await browser.act('superUsers.add', whole)
  expect([twice.status, twice.message]).toEqual([
    409,
    'Someone on the staff already has this email address.',
  ])
  expect(await listStaffAs(browser)).toHaveLength(2)
})

test('a patient account with the same address is separate and unchanged', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await signInNewStaff(testApp, 'superuser')
  const patient = await makeAccount(testApp, { email: 'nora@staff.example' })
  expect((await addNora(browser)).status).toBe(200)
  expect((await browser.act('superUsers.remove', { id: patient.id })).code).toBe('not_found')
  expect((await new Browser(testApp, '10.0.0.9').signIn(patient)).status).toBe(200)
})

test('a patient’s id and an unknown one are refused alike, and both are audited', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await signInNewStaff(testApp, 'superuser')
  const patient = await makeAccount(testApp)
  for (const path of ['superUsers.remove', 'superUsers.changeRole']) {
    const answers = []
    for (const id of [patient.id, NOBODY]) {
      const { status, message, headers } = await browser.act(path, { id, role: 'editor' })
      answers.push([status, message, [...headers.keys()]])
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.[0]).toBe(404)
  }
  expect(await audited(testApp, 'call.denied')).toHaveLength(4)
})

test('editors and authors see masked addresses, superusers and admins full ones', async () => {
  await using testApp = await makeTestApp()
  const seen: Record<string, string[]> = {}
  const { account } = await signInNewStaff(testApp, 'superuser')
  for (const role of StaffRole.options) {
    const { browser } = await signInNewStaff(testApp, role, '10.0.0.5')
    const list = await listStaffAs(browser)
    seen[role] = list.filter(({ isYou, id }) => !isYou && id === account.id).map((one) => one.email)
    expect(list.find(({ isYou }) => isYou)?.email).toContain('@mail.example')
  }
  const masked = `${account.email.slice(0, 2)}${'x'.repeat(account.email.length - 2)}`
  expect(seen).toEqual({
    superuser: [account.email],
    admin: [account.email],
    editor: [masked],
    author: [masked],
  })
})

test('changes require a step-up within five minutes, reads do not', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await signInNewStaff(testApp, 'superuser')
  testApp.advance(6 * MINUTE)
  expect((await addNora(browser)).code).toBe('step_up_required')
  expect((await browser.ask('superUsers.list')).status).toBe(200)
  await browser.act('auth.stepUp', { password: PASSWORD })
  expect((await addNora(browser)).status).toBe(200)
})

test('staff who confirm a new address are sent to the sign-in of staff', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await signInNewStaff(testApp, 'editor')
  const email = 'new@staff.example'
  await browser.act('auth.changeEmail', { email, password: PASSWORD })
  const token = tokenIn(await lastMailTo(testApp, email), 'verify')
  expect((await browser.act('auth.verifyEmail', { token })).data).toMatchObject({
    user_type: 'staff',
    email,
  })
})
