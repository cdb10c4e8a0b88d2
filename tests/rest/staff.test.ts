import { expect, test } from 'vitest'
import type { StaffRole } from '#contract/staff.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { addProof } from '#tests/harness/proofs.ts'
import { setRegister } from '#tests/harness/registers.ts'
import { Program, rowsOf } from '#tests/harness/servers/rest.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

/** Signs in a member of staff by the documented call. */
async function enter(testApp: TestApp, role: StaffRole = 'superuser') {
  const account = await makeStaff(testApp, role)
  const program = new Program(testApp)
  const answer = await program.send('POST /admin-login/', {
    body: { email: account.email, password: PASSWORD },
  })
  program.token = String(answer.body['access'])
  return { account, program, answer }
}

const text: unknown = expect.any(String)

test('POST admin-login/ answers access, and what is wrong in error', async () => {
  await using testApp = await makeTestApp()
  const { account, answer } = await enter(testApp)
  expect([answer.status, answer.body]).toEqual([
    200,
    { status: true, access: text, refresh: text, user_id: account.id, is_admin: true },
  ])
  const program = new Program(testApp)
  const wrong = await program.send('POST /admin-login/', {
    body: { email: account.email, password: 'not it at all' },
  })
  expect([wrong.status, wrong.body['error']]).toEqual([401, 'Email or password is incorrect.'])
  const patient = await makeAccount(testApp)
  const other = await program.send('POST /admin-login/', {
    body: { email: patient.email, password: PASSWORD },
  })
  expect(other.status).toBe(401)
})

test('browsers of staff get cookies and no access', async () => {
  await using testApp = await makeTestApp()
  const { account } = await enter(testApp)
  const browser = new Browser(testApp)
  const response = await browser.fetch('/admin-login/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email, password: PASSWORD }),
  })
  expect(await response.json()).toEqual({ status: true, user_id: account.id, is_admin: true })
  expect(browser.cookie('access_token')).toHaveLength(43)
})

test('GET payments-history/ takes the documented filters; names are for those who may see them', async () => {
  await using testApp = await makeTestApp()
  const { program } = await enter(testApp)
  const provider = await makeProvider(testApp)
  const patient = await makeAccount(testApp)
  const visit = { patientNo: patient.no, startsAt: '2026-02-03T14:30:00Z' }
  await insertVisit(testApp, provider, visit)
  const path =
    'GET /payments-history/?page=1&sort=asc&payment_method=stripe&sort_by=amount&month=02&year=2026'
  const answer = await program.send(path)
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    current_page: 1,
    total_pages: 1,
    appointments: [
      {
        id: text,
        user_name: 'Maya Ellis',
        doctor_name: 'Dr Amara Okafor',
        date: '03/02/2026',
        start_time: '14:30',
        amount: '60.00',
        payment_method: 'stripe',
        doctor_region: 'uk',
      },
    ],
  })
  const { program: editor } = await enter(testApp, 'editor')
  const blank = await editor.send(path)
  expect(blank.body['appointments']).toMatchObject([{ user_name: null }])
})

test.each([
  ['month=02', 'Please enter a year'],
  ['sort_by=password', 'Unknown sort field.'],
  ['page=0', 'Choose a page between 1 and 10,000.'],
])('50, 51: payments-history/?%s is refused', async (query, sentence) => {
  await using testApp = await makeTestApp()
  const { program } = await enter(testApp)
  const { status, body } = await program.send(`GET /payments-history/?${query}`)
  expect([status, body['error'], body['message']]).toEqual([400, sentence, sentence])
  const old = await program.send('GET /payments-history/?month=02&year=999')
  expect([old.status, old.body['appointments']]).toEqual([200, []])
})

test('super-user-management/: listed, added with 201, changed with 200, removed by the object', async () => {
  await using testApp = await makeTestApp()
  const { program, account } = await enter(testApp)
  const path = '/super-user-management/'
  const added = await program.send(`POST ${path}`, {
    body: { email: 'Grace@Mail.example', role: 'editor', password: 'seven green bottles' },
  })
  expect(added.status).toBe(201)
  const listed = await program.send(`GET ${path}`)
  const grace = { _id: text, email: 'grace@mail.example', role: 'editor', state: 'invited' }
  expect(listed.body['data']).toEqual([
    { _id: account.id, email: account.email, role: 'superuser', state: 'active' },
    grace,
  ])
  const [, made] = rowsOf(listed.body['data'])
  const changed = await program.send(`PATCH ${path}`, {
    body: { id: made?.['_id'], role: 'admin' },
  })
  expect([changed.status, changed.body['message']]).toEqual([
    200,
    'User role updated successfully!',
  ])
  const stale = await program.send(`DELETE ${path}`, { body: made })
  expect([stale.status, stale.body['code']]).toEqual([409, 'staff_changed'])
  expect(stale.body['detail']).toBe(stale.body['message'])
  const gone = await program.send(`DELETE ${path}`, { body: { ...made, role: 'admin' } })
  expect(gone.status).toBe(200)
  expect((await program.send(`GET ${path}`)).body['data']).toHaveLength(1)
})

test('52, 53, 58: missing fields, unknown roles, known addresses, the last superuser, nobody named', async () => {
  await using testApp = await makeTestApp()
  const { program, account } = await enter(testApp)
  const path = '/super-user-management/'
  const add = { email: 'grace@mail.example', role: 'editor', password: 'seven green bottles' }
  for (const field of ['email', 'role', 'password']) {
    const answer = await program.send(`POST ${path}`, { body: { ...add, [field]: '' } })
    expect([field, answer.status, answer.body['error']]).toEqual([
      field,
      400,
      'All fields are required.',
    ])
  }
  const root = await program.send(`POST ${path}`, { body: { ...add, role: 'root' } })
  expect([root.status, root.body['error']]).toEqual([
    400,
    'Choose superuser, admin, editor or author.',
  ])
  await program.send(`POST ${path}`, { body: add })
  expect((await program.send(`POST ${path}`, { body: add })).status).toBe(409)
  const norole = await program.send(`PATCH ${path}`, { body: { id: account.id } })
  expect([norole.status, norole.body['error']]).toEqual([400, 'Please select a role.'])
  const self = await program.send(`PATCH ${path}`, { body: { id: account.id, role: 'author' } })
  expect([self.status, self.body['error']]).toEqual([409, 'At least one superuser must remain.'])
  const gone = await program.send(`DELETE ${path}`, { body: { _id: account.id } })
  expect(gone.status).toBe(409)
  const nobody = await program.send(`DELETE ${path}`)
  expect([nobody.status, nobody.body['error']]).toEqual([400, 'Which item? Send its id.'])
  const unknown = await program.send(`DELETE ${path}?_id=usr_none`)
  expect(unknown.status).toBe(404)
})

test('PATCH membership-number-verification/{id}/ with verification_status alone decides', async () => {
  await using testApp = await makeTestApp()
  const { program } = await enter(testApp, 'admin')
  const { provider } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified' })
    .where('no', '=', provider.no)
    .execute()
  const path = `PATCH /admin/membership-number-verification/${provider.id}/`
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor', status: 'Erased' }])
  const struck = await program.send(path, { body: { verification_status: 'Verified' } })
  expect([struck.status, struck.body['code']]).toEqual([409, 'register_disagrees'])
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  const unproven = await program.send(path, { body: { verification_status: 'Verified' } })
  expect([unproven.status, unproven.body['code']]).toEqual([409, 'proof_required'])
  await addProof(testApp, provider.id)
  testApp.advance(1_000)
  const verified = await program.send(path, { body: { verification_status: 'Verified' } })
  expect([verified.status, verified.body]).toEqual([
    200,
    {
      status: true,
      message: 'Verification status updated successfully',
      verification_status: 'Verified',
    },
  ])
  const refused = await program.send(path, { body: { verification_status: 'Unverified' } })
  expect([refused.status, refused.body['verification_status']]).toEqual([200, 'Unverified'])
  const word = await program.send(path, { body: { verification_status: 'Perhaps' } })
  expect(word.status).toBe(400)
  const nobody = await program.send('PATCH /admin/membership-number-verification/1/', {
    body: { verification_status: 'Verified' },
  })
  expect(nobody.status).toBe(404)
})

test('staff look up any number, and see a provider who is not Verified', async () => {
  await using testApp = await makeTestApp()
  const { program } = await enter(testApp, 'admin')
  await setRegister(testApp, 'GMC', [{ number: '7000009', name: 'Somebody Else' }])
  const found = await program.send('POST /api/gmc_verification/', { body: '7000009' })
  expect(found.body).toEqual({ Name: 'Somebody Else', registration_number: '7000009' })
  const { provider } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified' })
    .where('no', '=', provider.no)
    .execute()
  const path = `GET /api/provider-details/${provider.id}/`
  expect((await program.send(path)).body['data']).toMatchObject({
    _id: provider.id,
    first_name: 'Amara',
    last_name: 'Okafor',
    registed_with: { professional_body_name: 'GMC', membership_number: '7000001' },
    verification_status: 'Unverified',
  })
  const { program: editor } = await enter(testApp, 'editor')
  expect((await editor.send(path)).status).toBe(404)
})
