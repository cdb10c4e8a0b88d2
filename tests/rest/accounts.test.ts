import { expect, test } from 'vitest'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { addPlaces } from '#tests/harness/people.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { fieldsOf, Program, programOf } from '#tests/harness/servers/rest.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const newcomer = sampleInputs['auth.registerPatient']
const text: unknown = expect.any(String)
const newProvider = sampleInputs['profiles.registerProvider']

test('POST /api/user-login returns status, tokens, user_id and is_admin', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const body = {
    email: account.email.toUpperCase(),
    password: PASSWORD,
    user_type: 'patient',
    consentID: '0b8f7c3e-5a44-4f0e-9d57-3c1f1a2b3c4d',
  }
  const answer = await new Program(testApp).send('POST /api/user-login', { body })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    status: true,
    tokens: { access_token: text, refresh_token: text },
    user_id: account.id,
    is_admin: false,
  })
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test.each(['', 'abc', 'C-42/ü', 'x'.repeat(80)])('the consentID "%s" is accepted', async (id) => {
  await using testApp = await makeTestApp()
  const { email } = await makeAccount(testApp)
  const body = { email, password: PASSWORD, user_type: 'patient', consentID: id }
  const program = new Program(testApp)
  expect((await program.send('POST /api/user-login', { body })).status).toBe(200)
  const longer = { ...body, consentID: 'x'.repeat(81) }
  const refused = await program.send('POST /api/user-login', { body: longer })
  expect([refused.status, refused.body['error']]).toEqual([
    400,
    'Use 80 characters or fewer for consentID.',
  ])
})

test('a browser gets its tokens as cookies, not as fields', async () => {
  await using testApp = await makeTestApp()
  const { email } = await makeAccount(testApp)
  const browser = new Browser(testApp)
  const response = await browser.fetch('/api/user-login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD, user_type: 'patient' }),
  })
  expect(Object.keys(await fieldsOf(response))).toEqual(['status', 'user_id', 'is_admin'])
  expect(browser.cookie('access_token')).toHaveLength(43)
  const again = await browser.fetch('/token/refresh/', { method: 'POST' })
  expect(await again.json()).toEqual({ status: true })
})

test('1, 2: a wrong password, an unknown address and an unknown type are refused in `error`', async () => {
  await using testApp = await makeTestApp()
  const { email } = await makeAccount(testApp)
  const program = new Program(testApp)
  const login = (body: object) => program.send('POST /api/user-login', { body })
  const wrong = await login({ email, password: 'not it at all', user_type: 'patient' })
  const unknown = await login({
    email: 'nobody@mail.example',
    password: PASSWORD,
    user_type: 'patient',
  })
  for (const { status, body } of [wrong, unknown]) {
    expect(status).toBe(401)
    expect(body).toEqual({
      status: false,
      error: 'Email or password is incorrect.',
      code: 'credentials_wrong',
      request_id: text,
    })
  }
  const superuser = await login({ email, password: PASSWORD, user_type: 'superuser' })
  expect([superuser.status, superuser.body['error']]).toEqual([400, 'Choose patient or provider.'])
})

test.each([
  ['POST /api/user-register', newcomer],
  ['POST /api/provider-register/', newProvider],
])('%s returns status and an auth_token that grants nothing yet', async (call, body) => {
  await using testApp = await makeTestApp()
  await addPlaces(testApp)
  const program = new Program(testApp)
  const answer = await program.send(call, { body })
  expect([answer.status, answer.body['status']]).toEqual([200, true])
  program.token = String(answer.body['auth_token'])
  expect((await program.send('GET /api/user-details/x/')).status).toBe(401)
})

test.each([
  ['POST /api/user-register', newcomer],
  ['POST /api/provider-register/', newProvider],
])('%s works without the terms, which are stored as not accepted', async (call, whole) => {
  const body = { ...whole, terms: undefined }
  await using testApp = await makeTestApp()
  await addPlaces(testApp)
  const answer = await new Program(testApp).send(call, { body })
  expect([answer.status, answer.body['status']]).toEqual([200, true])
  const rows = await testApp.database.db
    .selectFrom('accounts')
    .select('terms_accepted_at')
    .execute()
  expect(rows).toEqual([{ terms_accepted_at: 0 }])
  const refused = await new Program(testApp).send(call, { body: { ...body, terms: false } })
  expect([refused.status, refused.body['error']]).toEqual([
    400,
    'Agree to the terms of use to continue.',
  ])
})

test('3: an unknown field is refused, and nobody is registered', async () => {
  await using testApp = await makeTestApp()
  const program = new Program(testApp)
  for (const more of [{ is_admin: true }, { role: 'superuser' }, { constructor: 1 }]) {
    const body = { ...newcomer, ...more }
    const answer = await program.send('POST /api/user-register', { body })
    expect([answer.status, answer.body['error']]).toEqual([400, 'Unknown field.'])
  }
  const raw = JSON.stringify(newcomer).replace('{', '{"__proto__":{"role":"superuser"},')
  const answer = await program.send('POST /api/user-register', {
    body: raw,
    headers: { 'content-type': 'application/json' },
  })
  expect([answer.status, answer.body['error']]).toEqual([400, 'Unknown field.'])
  const { db } = testApp.database
  expect(await db.selectFrom('accounts').select('id').execute()).toEqual([])
})

test('4: a known address gets the same response as a new one', async () => {
  await using testApp = await makeTestApp()
  const { email } = await makeAccount(testApp)
  const program = new Program(testApp)
  const fresh = await program.send('POST /api/user-register', { body: newcomer })
  const known = await program.send('POST /api/user-register', {
    body: { ...newcomer, email },
  })
  expect(known.status).toBe(fresh.status)
  expect(Object.keys(known.body)).toEqual(Object.keys(fresh.body))
  expect(known.body['message']).toBe(fresh.body['message'])
})

test('the password is reset with the emailed token, once', async () => {
  await using testApp = await makeTestApp()
  const { email } = await makeAccount(testApp)
  const program = new Program(testApp)
  const asked = await program.send('POST /api/forget-password', {
    body: { email, userType: 'patient' },
  })
  const nobody = await program.send('POST /api/forget-password', {
    body: { email: 'nobody@mail.example', userType: 'patient' },
  })
  expect([asked.status, asked.body]).toEqual([200, nobody.body])
  const token = tokenIn(await lastMailTo(testApp, email), 'reset-password')
  const reset = (body: object) => program.send(`PATCH /api/reset-password/${token}`, { body })
  const passwords = { new_password: 'eight blue bottles', confirm_password: 'eight blue bottles' }
  const differs = await reset({ ...passwords, confirm_password: 'nine' })
  expect([differs.status, differs.body['error']]).toEqual([400, 'Passwords do not match.'])
  const done = await reset(passwords)
  expect([done.status, done.body['status'], done.body['user_type']]).toEqual([200, true, 'patient'])
  expect(done.headers.get('referrer-policy')).toBe('no-referrer')
  const again = await reset(passwords)
  expect([again.status, again.body['error']]).toEqual([
    400,
    'This reset link has expired or was already used.',
  ])
})

test('POST token/refresh/ returns access, and an old token ends the session', async () => {
  await using testApp = await makeTestApp()
  const program = await programOf(testApp, await makeAccount(testApp))
  const { refresh } = program
  program.token = refresh
  const next = await program.send('POST /token/refresh/')
  expect([next.status, Object.keys(next.body)]).toEqual([200, ['status', 'access', 'refresh']])
  testApp.advance(11_000)
  const old = await program.send('POST /token/refresh/')
  expect([old.status, old.body['error']]).toEqual([
    401,
    'Your session has ended. Please sign in again.',
  ])
  program.token = String(next.body['access'])
  expect((await program.send(`GET /api/user-details/${program.userId}/`)).status).toBe(401)
})

test('GET /api/user-details/{user_id}/ returns data.profile_image, for one’s own id only', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp, { profile_image: `/media/${'a'.repeat(32)}.webp` })
  const other = await makeAccount(testApp)
  const program = await programOf(testApp, account)
  const own = await program.send(`GET /api/user-details/${account.id}/`)
  expect(own.status).toBe(200)
  expect(own.body).toMatchObject({
    status: true,
    data: { profile_image: `/media/${'a'.repeat(32)}.webp`, first_name: 'Maya' },
  })
  const theirs = await program.send(`GET /api/user-details/${other.id}/`)
  const nobodys = await program.send('GET /api/user-details/usr_nobody/')
  const { request_id: _, ...said } = theirs.body
  expect([theirs.status, nobodys.status]).toEqual([404, 404])
  expect(nobodys.body).toMatchObject(said)
})
