import { expect, test } from 'vitest'
import { restCalls } from '#server/rest/calls.ts'
import { procedurePaths } from '#tests/harness/procedures.ts'
import { Program } from '#tests/harness/servers/rest.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

/**
 * The table of section 7 of the specification, with `{admin-prefix}` as `admin` and a leading slash on root
 * paths.
 */
const DOCUMENTED = [
  'POST /api/user-login',
  'POST /api/user-register',
  'POST /api/provider-register/',
  'GET /api/test-search/',
  'GET /api/map-view/',
  'GET /api/user-details/{user_id}/',
  'GET /api/provider-details/{id}/',
  'GET /api/doctors/{id}',
  'POST /api/forget-password',
  'PATCH /api/reset-password/{token}',
  'GET /api/get-speciality',
  'POST /api/contact-us/',
  'GET /provider/provider-bank-details/{id}/',
  'DELETE /provider/provider-bank-details/{providerId}/',
  'POST /api/gmc_verification/',
  'POST /api/gdc_verification/',
  'GET /user/user-otp-verification/{user_id}/',
  'POST /user/user-otp-verification/{userId}/',
  'GET /user/check-slot/{doctorId}/',
  'POST /user/verify-payment/',
  'GET /user/check-payment-status/{orderId}/',
  'POST /user/stripe-checkout/{userId}/',
  'GET /user/stripe-checkout-session-status',
  'PATCH /admin/membership-number-verification/{id}/',
  'POST /token/refresh/',
  'POST /admin-login/',
  'GET /homepage-image/{id}/',
  'POST /homepage-image/{id}/',
  'GET /admin-gallery/{id}/',
  'POST /admin-gallery/{id}/',
  'GET /payments-history/',
  'GET /super-user-management/',
  'POST /super-user-management/',
  'PATCH /super-user-management/',
  'DELETE /super-user-management/',
  'GET /provider/provider-booked-appointment-history/{providerId}/',
]

/** Paths added in product.md. */
const ADDED = [
  'POST /user/paypal-order/{userId}/',
  'GET /user/visits/',
  'GET /user/visits/{id}/terms/',
  'POST /user/visits/{id}/cancel/',
  'POST /user/visits/{id}/join/',
  'GET /user/visits/{id}/times/',
  'POST /user/visits/{id}/move/',
  'GET /provider/visits/{id}/times/',
  'POST /provider/visits/{id}/move/',
  'GET /api/doctors/{id}/times/',
  'GET /api/doctors/{id}/visit-types/',
  'POST /provider/visit-types/',
  'PATCH /provider/visit-types/{id}/',
  'PATCH /provider/visit-types/',
  'DELETE /provider/visit-types/{id}/',
  'POST /provider/visit-types/{id}/restore/',
  'GET /user/visits/{id}/proposal/',
  'DELETE /user/visits/{id}/proposal/',
  'POST /provider/visits/{id}/propose/',
  'POST /provider/desk-visits/',
  'GET /provider/desk-visits/',
  'GET /provider/desk-visits/{id}/',
  'PATCH /provider/desk-visits/{id}/',
  'POST /provider/desk-visits/{id}/move/',
  'POST /provider/desk-visits/{id}/outcome/',
  'POST /provider/desk-visits/{id}/cancel/',
  'GET /provider/visits/{id}/terms/',
  'POST /provider/visits/{id}/cancel/',
  'GET /provider/visits/in-time-off/',
  'POST /provider/visits/cancel/',
  'POST /provider/visits/{id}/join/',
  'GET /user/favourites/',
  'POST /user/favourites/',
  'DELETE /user/favourites/{providerId}/',
  'POST /provider/visits/{id}/outcome/',
  'POST /user/visits/{id}/contest/',
  'GET /user/reminders/',
  'PATCH /user/reminders/',
  'POST /calendar-links/',
  'GET /calendar-links/',
  'DELETE /calendar-links/{id}/',
  'POST /outside-calendars/',
  'GET /outside-calendars/',
  'POST /outside-calendars/{id}/read/',
  'PATCH /outside-calendars/{id}/',
  'DELETE /outside-calendars/{id}/',
  'POST /imports/check/',
  'POST /imports/',
  'GET /imports/',
  'DELETE /imports/{id}/',
  'POST /webhooks/stripe',
  'POST /webhooks/paypal',
  'GET /healthz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /api/docs',
]

/** A path with its parameters filled in. */
const filled = (path: string) => path.replaceAll(/\{\w+\}/g, 'x')

test('the served calls are the documented ones and those we added, and no others', () => {
  const served = (source: string) =>
    restCalls
      .filter((call) => call.source === source)
      .map(({ method, path }) => `${method} ${path}`)
  expect(served('documented').toSorted()).toEqual(DOCUMENTED.toSorted())
  expect(served('added').toSorted()).toEqual(ADDED.toSorted())
})

test('every procedure a call names is there', () => {
  const named = restCalls.flatMap((call) => call.procedures)
  expect(named.filter((path) => !procedurePaths.includes(path))).toEqual([])
  expect(restCalls.filter((call) => !('make' in call) && call.procedures.length === 0)).toEqual([])
})

test.each([...DOCUMENTED, ...ADDED])(
  '%s is served with and without a slash at its end',
  async (call) => {
    await using testApp = await makeTestApp()
    const [method = '', path = ''] = call.split(' ')
    const program = new Program(testApp)
    const bare = filled(path).replace(/\/$/, '')
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
  },
)

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

test('a method of ours in a header counts for nothing', async () => {
  await using testApp = await makeTestApp()
  const answer = await new Program(testApp).send('GET /api/user-login', {
    headers: { 'x-http-method-override': 'POST' },
  })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('POST')
})
