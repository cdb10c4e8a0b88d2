import { expect, test } from 'vitest'
import { accessFor } from '#contract/base/staff.ts'
import type { Viewer } from '#server/context.ts'
import type { Access } from '#server/kernel/access.ts'
import { accessTo } from '#server/procedures.ts'
import { isOwnCall, type ProcedureCall, type RestCall } from '#server/rest/call.ts'
import { restCalls } from '#server/rest/calls.ts'
import { filledExample } from '#server/rest/examples.ts'
import { ALLOWED, expectedVerdict, real, verdict } from '#tests/harness/access-matrix.ts'
import { makePeople, type Person } from '#tests/harness/principals.ts'
import { procedurePaths } from '#tests/harness/procedures.ts'
import { fieldsOf, Program } from '#tests/harness/servers/rest.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { setRegister } from '#tests/harness/verification.ts'

const PEOPLE = [
  'a visitor',
  'a patient',
  'a provider',
  'a superuser',
  'an admin',
  'an editor',
  'an author',
]

/**
 * Calls with what each of these people gets, as section 5.2 of security.md designs it: `ok` means not refused.
 * Null where the call runs no procedure, so that it has no row there.
 */
type Admitted = Readonly<Record<string, string | null>>

/**
 * The table of section 7 of the specification, with `{admin-prefix}` as `admin` and a leading slash on root
 * paths.
 */
const DOCUMENTED: Admitted = {
  'POST /api/user-login': 'ok ok ok ok ok ok ok',
  'POST /api/user-register': 'ok ok ok ok ok ok ok',
  'POST /api/provider-register/': 'ok ok ok ok ok ok ok',
  'GET /api/test-search/': 'ok ok ok ok ok ok ok',
  'GET /api/map-view/': 'ok ok ok ok ok ok ok',
  'GET /api/user-details/{user_id}/': '401 ok 403 403 403 403 403',
  'GET /api/provider-details/{id}/': 'ok ok ok ok ok ok ok',
  'GET /api/doctors/{id}': 'ok ok ok ok ok ok ok',
  'POST /api/forget-password': 'ok ok ok ok ok ok ok',
  'PATCH /api/reset-password/{token}': 'ok ok ok ok ok ok ok',
  'GET /api/get-speciality': 'ok ok ok ok ok ok ok',
  'POST /api/contact-us/': 'ok ok ok ok ok ok ok',
  'GET /provider/provider-bank-details/{id}/': '401 403 ok 403 403 403 403',
  'DELETE /provider/provider-bank-details/{providerId}/': '401 403 ok 403 403 403 403',
  'POST /api/gmc_verification/': '401 403 ok ok ok 403 403',
  'POST /api/gdc_verification/': '401 403 ok ok ok 403 403',
  'GET /user/user-otp-verification/{user_id}/': '401 ok 403 403 403 403 403',
  'POST /user/user-otp-verification/{userId}/': '401 ok 403 403 403 403 403',
  'GET /user/check-slot/{doctorId}/': 'ok ok ok ok ok ok ok',
  'POST /user/verify-payment/': '401 ok 403 403 403 403 403',
  'GET /user/check-payment-status/{orderId}/': '401 ok 403 403 403 403 403',
  'POST /user/stripe-checkout/{userId}/': '401 ok 403 403 403 403 403',
  'GET /user/stripe-checkout-session-status': 'ok ok ok ok ok ok ok',
  'PATCH /admin/membership-number-verification/{id}/': '401 403 403 ok ok 403 403',
  'POST /token/refresh/': 'ok ok ok ok ok ok ok',
  'POST /admin-login/': 'ok ok ok ok ok ok ok',
  'GET /homepage-image/{id}/': 'ok ok ok ok ok ok ok',
  'POST /homepage-image/{id}/': '401 403 403 ok ok ok 403',
  'GET /admin-gallery/{id}/': '401 403 403 ok ok ok ok',
  'POST /admin-gallery/{id}/': '401 403 403 ok ok ok ok',
  'GET /payments-history/': '401 403 403 ok ok ok ok',
  'GET /super-user-management/': '401 403 403 ok ok ok ok',
  'POST /super-user-management/': '401 403 403 ok 403 403 403',
  'PATCH /super-user-management/': '401 403 403 ok 403 403 403',
  'DELETE /super-user-management/': '401 403 403 ok 403 403 403',
  'GET /provider/provider-booked-appointment-history/{providerId}/': '401 403 ok 403 403 403 403',
}

/** Calls that the specification needs but does not list, and those that no procedure answers. */
const ADDED: Admitted = {
  'POST /user/paypal-order/{userId}/': '401 ok 403 403 403 403 403',
  'POST /webhooks/stripe': null,
  'POST /webhooks/paypal': null,
  'GET /healthz': null,
  'GET /metrics': null,
  'GET /openapi.json': null,
  'GET /api/docs': null,
}

const DESIGNED = { ...DOCUMENTED, ...ADDED }

/** A path with its parameters filled in. */
const filledPath = (path: string) => path.replaceAll(/\{\w+\}/g, 'x')

test('the served calls are the documented ones and those we added, and no others', () => {
  const served = (source: string) =>
    restCalls
      .filter((call) => call.source === source)
      .map(({ method, path }) => `${method} ${path}`)
  expect(served('documented').toSorted()).toEqual(Object.keys(DOCUMENTED).toSorted())
  expect(served('added').toSorted()).toEqual(Object.keys(ADDED).toSorted())
})

test('every procedure a call names exists', () => {
  const named = restCalls.flatMap((call) => call.procedures)
  expect(named.filter((path) => !procedurePaths.includes(path))).toEqual([])
  expect(restCalls.filter((call) => !('make' in call) && call.procedures.length === 0)).toEqual([])
})

test.each(Object.keys(DESIGNED))('%s is served with and without a trailing slash', async (call) => {
  await using testApp = await makeTestApp()
  const [method = '', path = ''] = call.split(' ')
  const program = new Program(testApp)
  const bare = filledPath(path).replace(/\/$/, '')
  for (const address of [bare, `${bare}/`]) {
    const { headers, status } = await program.fetch(`${method} ${address}`)
    expect([address, status]).not.toEqual([address, 405])
    // Pages are HTML, so this content type shows that the call itself responded.
    const type = path === '/api/docs' ? 'text/html' : 'application/json'
    expect([address, headers.get('content-type')]).toEqual([address, `${type}; charset=utf-8`])
    const other = await program.send(`PUT ${address}`)
    expect([address, other.status, other.body['code']]).toEqual([
      address,
      405,
      'method_not_allowed',
    ])
    expect(other.headers.get('allow')).toContain(method)
  }
})

test.each([
  '/api',
  '/api/',
  '/api/user-login/more',
  '/api//user-login',
  '/api/user-details',
  '/api/doctors/',
  '/api/%E0%A4%A',
  '/user/verify-payment/x/',
  '/provider/',
  '/admin/other/',
  '/token/',
  '/homepage-image/',
  '/webhooks/other',
  '/API/user-login',
])('nothing is served at %s', async (path) => {
  await using testApp = await makeTestApp()
  const program = new Program(testApp)
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
    const { status } = await program.fetch(`${method} ${path}`)
    expect([method, status === 404 || status === 405 || status === 503]).toEqual([method, true])
  }
})

test('a method-override header is ignored', async () => {
  await using testApp = await makeTestApp()
  const answer = await new Program(testApp).send('GET /api/user-login', {
    headers: { 'x-http-method-override': 'POST' },
  })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('POST')
})

// The matrix of security.md, 5.2, over the documented paths: the same rows as over tRPC.

/** A test app without demo mode whose registers know somebody, so that they can be queried. */
async function openTestApp(): Promise<TestApp> {
  const testApp = await makeTestApp(real)
  for (const body of ['GMC', 'GDC'] as const) {
    await setRegister(testApp, body, [{ number: '7000009', name: 'Somebody Else' }])
  }
  return testApp
}

const calls = restCalls.filter((call): call is ProcedureCall => !isOwnCall(call))
const named = (call: RestCall) => `${call.method} ${call.path}`

const viewers: Record<Person['as'], Viewer> = {
  visitor: { kind: 'visitor' },
  patient: { kind: 'patient', id: '' },
  provider: { kind: 'provider', id: `prv_${'0'.repeat(26)}` },
  superuser: { kind: 'staff', id: '', role: 'superuser' },
  admin: { kind: 'staff', id: '', role: 'admin' },
  editor: { kind: 'staff', id: '', role: 'editor' },
  author: { kind: 'staff', id: '', role: 'author' },
}

function rowOf(endpoint: string): Access {
  return endpoint.startsWith('/') ? accessFor('upload') : accessTo(endpoint)
}

/** Codes have other uses as well; the documented calls are for booking, which only patients do. */
function expectedVerdictOf(call: ProcedureCall, person: Person): string {
  const endpoint = call.endpointFor(viewers[person.as])
  const verdictOfRow = expectedVerdict(rowOf(endpoint), person)
  const isOfPatients = call.path.includes('user-otp-verification')
  return isOfPatients && person.as !== 'patient' && verdictOfRow === ALLOWED
    ? 'forbidden'
    : verdictOfRow
}

const UNKNOWN_ID = '0'.repeat(26)

/** The path with the caller's own ids, where the call has such parameters. */
function pathFor(call: ProcedureCall, { userId, providerId }: Person): string {
  const { own, example } = call
  return call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (own?.param === name) return (own.is === 'user' ? userId : providerId) ?? `usr_${UNKNOWN_ID}`
    const given = example.params?.[name] ?? '1'
    return given.startsWith('$') ? `prv_${UNKNOWN_ID}` : given
  })
}

/** Query fields of the example without the region, which does not affect access. */
function queryOf({ example }: ProcedureCall): string {
  const pairs = Object.entries(example.query ?? {}).filter(([name]) => !/region/i.test(name))
  const filled = pairs.map(([name, value]): [string, string] => [
    name,
    value.replace('$DATE', '05/03/2026').replace('$TIME', '09:00').replace(/^\$.*/, '123456'),
  ])
  return filled.length === 0 ? '' : `?${new URLSearchParams(filled).toString()}`
}

function bodyOf(call: ProcedureCall): RequestInit {
  if (call.example.files !== undefined) {
    const form = new FormData()
    form.append('image', new Blob(['no picture'], { type: 'image/png' }), 'a.png')
    return { body: form }
  }
  const { body } = filledExample(call)
  if (body === undefined) return {}
  if (typeof body === 'string') return { body, headers: { 'content-type': 'text/plain' } }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

async function ask(call: ProcedureCall, person: Person, path = pathFor(call, person)) {
  const init = { method: call.method, ...bodyOf(call) }
  const response = await person.browser.fetch(`${path}${queryOf(call)}`, init)
  const body = response.headers.get('content-type')?.includes('json')
    ? await fieldsOf(response.clone()).catch(() => ({}))
    : {}
  const code = 'code' in body && typeof body.code === 'string' ? body.code : null
  return { status: response.status, code }
}

test.each(calls.map((call) => [named(call), call] as const))(
  '%s admits whom its procedure’s matrix row names, as designed',
  async (name, call) => {
    await using testApp = await openTestApp()
    const found: Record<string, string> = {}
    const cells = new Map<string, string>()
    const expected: Record<string, string> = {}
    for (const person of await makePeople(testApp)) {
      const answer = await ask(call, person)
      expect(answer.status, `${person.name}: ${answer.code}`).toBeLessThan(500)
      found[person.name] = verdict(answer)
      cells.set(person.name, verdict(answer) === ALLOWED ? 'ok' : String(answer.status))
      expected[person.name] = expectedVerdictOf(call, person)
    }
    expect(found).toEqual(expected)
    expect(PEOPLE.map((who) => cells.get(who)).join(' ')).toBe(DESIGNED[name])
  },
)

test('the designed matrix has a row for every call', () => {
  const designed = Object.keys(DESIGNED).filter((name) => DESIGNED[name] !== null)
  expect(designed.toSorted()).toEqual(calls.map(named).toSorted())
})

test.each(calls.filter((call) => call.own !== null).map((call) => [named(call), call] as const))(
  'somebody else’s %s gets the same response as an unknown one',
  async (_name, call) => {
    await using testApp = await makeTestApp(real)
    const people = await makePeople(testApp)
    const isUser = call.own?.is === 'user'
    const person = people.find(({ name }) => name === (isUser ? 'a patient' : 'a provider'))
    const other = people.find(
      ({ name }) =>
        name === (isUser ? 'a patient without a fresh proof' : 'a provider who is not Verified'),
    )
    if (person === undefined || other === undefined) throw new Error('There is no provider.')
    const theirs = await person.browser.fetch(pathFor(call, other), {
      method: call.method,
      ...bodyOf(call),
    })
    const nobodys = await person.browser.fetch(call.path.replaceAll(/\{\w+\}/g, 'nobody'), {
      method: call.method,
      ...bodyOf(call),
    })
    const said = async (response: Response) => {
      const { request_id: _, ...rest } = await fieldsOf(response)
      return [response.status, rest, [...response.headers.keys()].toSorted()]
    }
    const first = await said(theirs)
    expect(first[0]).toBe(404)
    expect(await said(nobodys)).toEqual(first)
  },
)
