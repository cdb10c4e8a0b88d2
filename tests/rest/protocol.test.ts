import { expect, test } from 'vitest'
import { HOMEPAGE_ID } from '#contract/gallery.ts'
import { limits } from '#server/kernel/limits/rate-limit.ts'
import { restCalls } from '#server/rest/calls.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser, makeToken } from '#tests/harness/browser.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { fieldsOf, Program, programOf, programOfStaff } from '#tests/harness/servers/rest.ts'
import { makeTestApp, strangerDenials, type TestApp } from '#tests/harness/test-app.ts'

// security.md, section 7 G, over the documented paths.

const LOGIN = 'POST /api/user-login'
const json = { 'content-type': 'application/json' }
const writes = restCalls.flatMap((call) => ('make' in call || !call.isWrite ? [] : [call]))
const addresses = writes.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`)

test.each([
  ['broken', '{"email":'],
  ['ten thousand deep', '['.repeat(10_000) + ']'.repeat(10_000)],
  ['with a key twice', '{"email":"a@b.example","email":"c@d.example"}'],
])('55: JSON that is %s is refused', async (_what, body) => {
  await using testApp = await makeTestApp()
  const answer = await new Program(testApp).send(LOGIN, { headers: json, body })
  expect([answer.status, answer.body['error']]).toEqual([400, 'The request was not valid JSON.'])
})

test('56: text and forms are not accepted as JSON', async () => {
  await using testApp = await makeTestApp()
  const program = new Program(testApp)
  const body = JSON.stringify({ email: 'a@b.example', password: PASSWORD, user_type: 'patient' })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    const answer = await program.send(LOGIN, { body, headers: { 'content-type': type } })
    expect([type, answer.status]).toEqual([type, 415])
  }
  const form = new FormData()
  form.append('email', 'a@b.example')
  expect((await program.send(LOGIN, { body: form })).status).toBe(415)
})

const elsewhere: Record<string, string>[] = [
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://shop.localhost:3000', 'sec-fetch-site': 'same-site' },
  { origin: 'null' },
]

test('56: writes from another site are refused and audited', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  expect(addresses.length).toBeGreaterThan(20)
  let tries = 0
  for (const headers of elsewhere) {
    for (const address of addresses) {
      const [method = '', path = ''] = address.split(' ')
      const type = path.includes('gallery') ? 'multipart/form-data; boundary=x' : 'application/json'
      const response = await browser.fetch(path, {
        method,
        headers: { ...headers, 'content-type': type },
        ...(method === 'GET' ? {} : { body: '{}' }),
      })
      expect([address, response.status]).toEqual([address, 403])
      expect((await fieldsOf(response))['error']).toBe('Request came from another site.')
      tries += 1
    }
  }
  const denied = await strangerDenials(testApp)
  expect(denied.reduce((sum, { count }) => sum + count, 0)).toBe(tries)
  expect(new Set(denied.map(({ code }) => code))).toEqual(new Set(['foreign_origin']))
})

test('56: cookies without an Origin header cannot write', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const cookie = `access_token=${browser.cookie('access_token')}`
  const program = new Program(testApp)
  const path = `/user/user-otp-verification/${account.id}/`
  expect((await program.send(`POST ${path}`, { headers: { cookie } })).status).toBe(403)
  expect((await program.send(`GET ${path}?otp=123456`, { headers: { cookie } })).status).toBe(403)
  const same = { cookie, origin: 'http://localhost:3000' }
  expect((await program.send(`POST ${path}`, { headers: same })).status).toBe(200)
})

test('59: forged host and network headers have no effect', async () => {
  await using testApp = await makeTestApp({ config: { demo: false } })
  const { email } = await makeAccount(testApp)
  const program = new Program(testApp)
  await program.send('POST /api/forget-password', {
    body: { email, userType: 'patient' },
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  const mail = await lastMailTo(testApp, email)
  expect(mail.text).toContain('http://localhost:3000/reset-password/')
  expect(mail.text + mail.html).not.toContain('evil.example')
  const statuses = new Set<number>()
  for (let at = 0; at < 605; at += 1) {
    const headers = { 'x-forwarded-for': `198.51.100.${at % 250}` }
    statuses.add((await program.fetch('GET /homepage-image/1/', { headers })).status)
  }
  expect(statuses).toEqual(new Set([200, 429]))
})

test('60: over a limit the response gives the seconds to wait', async () => {
  await using testApp = await makeTestApp()
  const program = new Program(testApp)
  const path = `GET /user/check-slot/prv_${'1'.repeat(26)}/?date=05/03/2026&time=09:00`
  for (let at = 0; at < 60; at += 1) expect((await program.send(path)).status).toBe(200)
  const over = await program.send(path)
  const seconds = Number(over.headers.get('retry-after'))
  expect(over.status).toBe(429)
  expect(seconds).toBeGreaterThan(0)
  expect(over.body['error']).toBe(`Too many requests. Try again in ${seconds} seconds.`)
})

test('refused requests count as well', async () => {
  await using testApp = await makeTestApp()
  const program = new Program(testApp)
  const statuses = new Map<number, number>()
  for (let at = 0; at < 620; at += 1) {
    const { status } = await program.fetch('POST /user/verify-payment/', { body: 'no JSON' })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses.keys()]).toEqual([401, 429])
  expect(statuses.get(401)).toBe(600)
})

test('a body over 64 kB is refused before it is read', async () => {
  await using testApp = await makeTestApp()
  const body = { email: 'x'.repeat(70_000) }
  const answer = await new Program(testApp).send(LOGIN, { body })
  expect(answer.status).toBe(413)
  expect(answer.headers.get('connection')).toBe('close')
})

test('the body of an unauthorized image upload is not read', async () => {
  await using testApp = await makeTestApp()
  let pulled = 0
  const body = new ReadableStream({
    pull(controller) {
      pulled += 1
      controller.enqueue(new Uint8Array(65_536))
    },
  })
  const options = {
    method: 'POST',
    body,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    duplex: 'half',
  }
  const request = new Request('http://localhost:3000/admin-gallery/1/', options)
  expect((await testApp.app.fetch(request)).status).toBe(401)
  // The stream fills its own queue once.
  expect(pulled).toBeLessThan(3)
})

test('every response has its headers, and personal data is not cacheable', async () => {
  await using testApp = await makeTestApp()
  const program = await programOf(testApp, await makeAccount(testApp))
  for (const call of [
    `GET /api/user-details/${program.userId}/`,
    'GET /api/user-details/1/',
    'GET /api/docs',
    'GET /openapi.json',
    'GET /api/none',
  ]) {
    const { headers } = await program.fetch(call)
    expect([call, headers.get('x-content-type-options')]).toEqual([call, 'nosniff'])
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/)
    if (call.includes('details')) expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('a NUL in a field is refused with the field’s message, or its own', async () => {
  await using testApp = await makeTestApp()
  const program = new Program(testApp)
  const name = await program.send('POST /api/contact-us/', {
    body: {
      first_name: 'Ada',
      last_name: 'Moss',
      email: 'ada@mail.example',
      message: 'Do you see\0 children under five?',
    },
  })
  expect([name.status, name.body['error']]).toEqual([
    400,
    'Use only letters, numbers and punctuation.',
  ])
})

const FORMS = ['POST /homepage-image/1/', 'POST /admin-gallery/1/']
const TYPE = 'multipart/form-data; boundary=x'

function formOf(parts: number, value: string): string {
  const part = (_: unknown, at: number) =>
    `--x\r\nContent-Disposition: form-data; name="field${at}"\r\n\r\n${value}\r\n`
  return `${Array.from({ length: parts }, part).join('')}--x--\r\n`
}

/** 50,000 parts in 3.4 MB. */
const MANY = formOf(50_000, 'twelve bytes')

/** Sends a body in chunks and returns how much of it was read before the response. */
async function send(program: Program, call: string, text: string) {
  const bytes = Buffer.from(text)
  let pulled = 0
  const body = new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(new Uint8Array(bytes.subarray(pulled, pulled + 65_536)))
        pulled += 65_536
        if (pulled >= bytes.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const [method = '', path = ''] = call.split(' ')
  const headers = new Headers({ 'content-type': TYPE })
  if (program.token !== null) headers.set('authorization', `Bearer ${program.token}`)
  const init = { method, headers, body, duplex: 'half' }
  const response = await program.testApp.app.fetch(
    new Request(`http://localhost:3000${path}`, init),
  )
  return { status: response.status, answer: await response.text(), pulled }
}

test.each(FORMS)('%s: the body of an unauthorized form is not read', async (call) => {
  await using testApp = await makeTestApp()
  expect(MANY.length).toBeGreaterThan(3_400_000)
  const stranger = await send(new Program(testApp), call, MANY)
  expect([stranger.status, stranger.pulled]).toEqual([401, 0])
  const patient = await programOf(testApp, await makeAccount(testApp))
  const refused = await send(patient, call, MANY)
  expect([refused.status, refused.pulled]).toEqual([403, 0])
})

test.each(FORMS)('%s: the body of a rate-limited caller is not read', async (call) => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'editor')
  for (let count = 0; count < limits.all.calls; count += 1) {
    testApp.services.limiter.take('all', 'unknown')
  }
  const refused = await send(program, call, formOf(3, 'v'))
  expect([refused.status, refused.pulled]).toEqual([429, 0])
})

test.each(FORMS)('%s: a form of more than ten parts is not parsed', async (call) => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'editor')
  for (const parts of [11, 50_000]) {
    const { status, answer } = await send(program, call, formOf(parts, 'twelve bytes'))
    expect([parts, status]).toEqual([parts, 400])
    expect(answer).toContain('Send at most 10 parts.')
  }
  const ten = await send(program, call, formOf(10, 'v'))
  expect(ten.answer).toContain('field9')
})

test.each([
  ['no mark at its beginning', `hello\r\n${formOf(1, 'v')}`],
  ['a head without an end', `--x\r\n${'A: b\r\n'.repeat(100_000)}\r\n\r\nv\r\n--x--\r\n`],
  ['nothing in it', '\r\n'],
])('a form with %s is not parsed', async (_what, body) => {
  await using testApp = await makeTestApp()
  const { program } = await programOfStaff(testApp, 'editor')
  const { status, answer } = await send(program, 'POST /homepage-image/1/', body)
  expect([status, answer]).toEqual([400, expect.stringContaining('The form could not be read.')])
})

test('a call counts once against the rate limit', async () => {
  await using testApp = await makeTestApp()
  const program = new Program(testApp, '192.0.2.77')
  const body = {
    first_name: 'Ada',
    last_name: 'Moss',
    email: 'a@b.example',
    message: 'Hello there',
  }
  const statuses: number[] = []
  for (let count = 0; count <= limits.contact.calls; count += 1) {
    statuses.push((await program.send('POST /api/contact-us/', { body })).status)
  }
  expect(statuses.slice(0, -1).every((status) => status < 300)).toBe(true)
  expect(statuses.at(-1)).toBe(429)
})

const KEY = { 'idempotency-key': 'b7c0a9de-2f0e-4a55-9d0c-6a1de6f0c111' }
const SUPER = '/super-user-management/'

type Example = {
  as?: 'patient' | 'provider' | 'staff' | 'refresh' | undefined
  call: string
  body: unknown
  other: unknown
}

async function signInProgram(testApp: TestApp, as: Example['as']): Promise<Program> {
  if (as === 'staff') return (await programOfStaff(testApp, 'superuser')).program
  if (as === 'provider') return programOf(testApp, (await makeProviderAccount(testApp)).account)
  return programOf(testApp, await makeAccount(testApp))
}

function keysIn({ database }: TestApp) {
  return database.db.selectFrom('idempotency_keys').select('answer').execute()
}

const question = sampleInputs['messages.contact'] ?? {}
const newcomer = { email: 'grace@mail.example', role: 'editor', password: PASSWORD }

const done: [string, Example][] = [
  [
    'a message',
    {
      as: 'patient',
      call: 'POST /api/contact-us/',
      body: question,
      other: { ...question, message: 'Can you see my daughter on Friday?' },
    },
  ],
  [
    'a colour of the homepage',
    {
      as: 'staff',
      call: `POST /homepage-image/${HOMEPAGE_ID}/`,
      body: { color: '#123456' },
      other: { color: '#654321' },
    },
  ],
  [
    'a new colleague',
    {
      as: 'staff',
      call: `POST ${SUPER}`,
      body: newcomer,
      other: { ...newcomer, email: 'ada@mail.example' },
    },
  ],
]

test.each(done)('%s with a key is done once over the documented paths too', async (_, example) => {
  await using testApp = await makeTestApp()
  const program = await signInProgram(testApp, example.as)
  const { call, body, other } = example
  const first = await program.send(call, { body, headers: KEY })
  expect([first.status, first.body['status']]).toEqual([call.endsWith(SUPER) ? 201 : 200, true])
  const rows = await testApp.database.db.selectFrom('audit').select('id').execute()
  const again = await program.send(call, { body, headers: KEY })
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await testApp.database.db.selectFrom('audit').select('id').execute()).toEqual(rows)
  const reused = await program.send(call, { body: other, headers: KEY })
  expect([reused.status, reused.body['error']]).toEqual([
    422,
    'This request was already used with different details.',
  ])
})

test.each(writes.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s stores only successful responses: a refused call may be retried',
  async (_, { method, path, example }) => {
    await using testApp = await makeTestApp()
    const program = await signInProgram(testApp, example.as)
    const url = path.replaceAll(/\{\w+\}/g, (name) => example.params?.[name.slice(1, -1)] ?? 'x')
    const body = method === 'GET' ? {} : { body: example.body ?? {} }
    const sent = { ...body, headers: KEY }
    const first = await program.send(`${method} ${url}`, sent)
    const kept = await keysIn(testApp)
    expect(first.status).not.toBe(500)
    if (first.status >= 400) expect(kept).toEqual([])
    expect(JSON.stringify(kept)).not.toContain(PASSWORD)
  },
)

test('an access token works within its scopes over the documented paths', async () => {
  await using testApp = await makeTestApp()
  const { account, provider } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const { secret, token } = await makeToken(browser, ['payments:read'])
  const program = new Program(testApp)
  program.token = secret
  const history = `GET /provider/provider-booked-appointment-history/${provider.id}/`
  expect((await program.send(history)).status).toBe(200)
  const bank = await program.send(`GET /provider/provider-bank-details/${provider.id}/`)
  expect([bank.status, bank.body['code']]).toEqual([403, 'access_token_never'])
  const login = { email: account.email, password: PASSWORD, user_type: 'provider' }
  const signIn = await program.send('POST /api/user-login', { body: login })
  expect([signIn.status, signIn.body['code']]).toEqual([403, 'access_token_never'])
  await browser.act('accessTokens.revoke', { id: token.id })
  const dead = await program.send(history)
  expect([dead.status, dead.body['code']]).toEqual([401, 'access_token_invalid'])
  expect((await program.send('GET /api/get-speciality')).status).toBe(401)
})
