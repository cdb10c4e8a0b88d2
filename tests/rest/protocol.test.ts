import { expect, test } from 'vitest'
import { restCalls } from '#server/rest/calls.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { fieldsOf, Program, programOf } from '#tests/harness/servers/rest.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, strangerDenials } from '#tests/harness/test-app.ts'

// security.md, section 7 G, over the documented paths.

const LOGIN = 'POST /api/user-login'
const json = { 'content-type': 'application/json' }
const writes = restCalls.filter((call) => !('make' in call) && call.isWrite)
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

test('56: text and forms are no JSON', async () => {
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

test('56: nothing is written for another site, and each try is written down', async () => {
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

test('56: cookies without a word about where they come from write nothing', async () => {
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

test('59: what a header says about host and network changes nothing', async () => {
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

test('60: over a limit the answer says how many seconds to wait', async () => {
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

test('refused requests count as well, whatever is wrong with them', async () => {
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

test('of what a stranger sends where staff may send pictures, nothing is read', async () => {
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

test('every answer has its headers, and nothing personal may be kept', async () => {
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

test('a NUL in a field is refused with a sentence of the field, or of its own', async () => {
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
  expect([name.status, name.body['error']]).toEqual([400, 'Use plain letters, digits and signs.'])
})
