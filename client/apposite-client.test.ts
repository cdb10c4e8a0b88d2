import { createServer } from 'node:http'
import { expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { isLongInput as isLongOnPages } from '#contract/base/long-input.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser, makeToken } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { isQuery, metaOf, procedurePaths } from '#tests/harness/procedures.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { ApiError, type Client, type ClientOptions, createClient } from './apposite-client.ts'
import { acceptsKey, isLongInput } from './links.ts'

const SITE = 'http://localhost:3000'
const QUESTION = {
  first_name: 'Maya',
  last_name: 'Ellis',
  email: 'maya@mail.example',
  message: 'Can you see my son on Friday?',
}
const CENTRE = { latitude: 51.5, longitude: -0.1 }
const NINE = '2026-03-03T09:00:00.000Z'

type Sent = { path: string; method: string; url: string; headers: Headers }

/** A client of a test app, with everything it sent and every pause it made; pauses let time pass. */
function makeClient(testApp: TestApp, options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = []
  const pauses: number[] = []
  const client = createClient({
    url: `${SITE}/`,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const { url, method, headers } = request
      sent.push({ path: new URL(url).pathname, method, url, headers })
      return testApp.app.fetch(request, '198.51.100.7')
    },
    wait: (ms) => {
      pauses.push(ms)
      testApp.advance(ms)
      return Promise.resolve()
    },
    ...options,
  })
  return { client, sent, pauses }
}

/** Returns these responses first, then those of the test app; `null` is a broken connection. */
function failingFetch(
  testApp: TestApp,
  faults: (Response | null)[],
  more: { after?: boolean } = {},
) {
  const answered: string[] = []
  const fetch: ClientOptions['fetch'] = async (input, init) => {
    const request = new Request(input, init)
    answered.push(request.headers.get('idempotency-key') ?? '')
    const fault = faults.shift()
    // The server does the work, and only its response is lost.
    if (fault !== undefined && more.after === true) await testApp.app.fetch(request, '198.51.100.7')
    if (fault === null) throw new TypeError('fetch failed')
    return fault ?? testApp.app.fetch(request, '198.51.100.7')
  }
  return { fetch, answered }
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('The call succeeded.')
}

const busy = () =>
  Response.json(
    { error: { code: -32603, message: 'Busy.', data: { appCode: 'busy', requestId: 'R' } } },
    { status: 503, headers: { 'retry-after': '2' } },
  )

test('procedures have the types of their inputs and outputs', async () => {
  await using testApp = await makeTestApp()
  const { client } = makeClient(testApp)
  const found = await client.search.specialities.query({})
  expect(found.length).toBeGreaterThan(10)
  expectTypeOf(found[0]?.slug).toEqualTypeOf<string | undefined>()
  // @ts-expect-error: a number is no postcode
  const wrong = () => client.search.providers.query({ postcode: 1 })
  expect(wrong).toBeTypeOf('function')
  expectTypeOf<Client['auth']['me']>().not.toHaveProperty('mutate')
})

test('ten calls after the access token has expired refresh it once', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const { client, sent } = makeClient(testApp)
  await client.signIn({ email: account.email, password: PASSWORD, as: 'patient' })
  expect(await client.auth.me.query()).toMatchObject({ user_id: account.id })
  testApp.advance(11 * 60_000)
  sent.length = 0
  await Promise.all(Array.from({ length: 10 }, () => client.booking.holds.query()))
  expect(sent.filter(({ path }) => path === '/trpc/auth.refresh')).toHaveLength(1)
  expect(sent).toHaveLength(21)
  await client.signOut()
  expect(await client.auth.me.query()).toBeNull()
  expect((await failureOf(client.booking.holds.query())).code).toBe('sign_in_required')
})

test('calls that are open to visitors are made as the signed-in user, however late', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const { client } = makeClient(testApp)
  await client.signIn({ email: account.email, password: PASSWORD, as: 'patient' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  for (let round = 0; round < 3; round += 1) {
    testApp.advance(11 * 60_000)
    vi.setSystemTime(Date.now() + 11 * 60_000)
    expect(await client.auth.me.query()).toMatchObject({ user_id: account.id })
  }
})

test('signing out ends the session on the server, also after its access token has expired', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const { client } = makeClient(testApp)
  await client.signIn({ email: account.email, password: PASSWORD, as: 'patient' })
  testApp.advance(11 * 60_000)
  await client.signOut()
  const sessions = testApp.database.db.selectFrom('sessions').select('end_reason')
  expect(await sessions.execute()).toEqual([{ end_reason: 'signed_out' }])
})

test('signing out while the tokens are refreshed leaves nobody signed in', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  let signOut: Promise<void> | undefined
  const { client } = makeClient(testApp, {
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const response = await testApp.app.fetch(request, '198.51.100.7')
      if (request.url.endsWith('/auth.refresh')) signOut ??= client.signOut()
      return response
    },
  })
  await client.signIn({ email: account.email, password: PASSWORD, as: 'patient' })
  testApp.advance(11 * 60_000)
  expect((await failureOf(client.booking.holds.query())).code).toBe('sign_in_required')
  await signOut
  expect(await client.auth.me.query()).toBeNull()
  const sessions = testApp.database.db.selectFrom('sessions').select('end_reason')
  expect(await sessions.execute()).toEqual([{ end_reason: 'signed_out' }])
})

test('providers and staff sign in too; an ended session stays ended', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp)
  const { client } = makeClient(testApp)
  await client.signIn({ email: account.email, password: PASSWORD, as: 'provider' })
  expect(await client.availability.mine.query()).toMatchObject({ version: 0 })
  const staff = await makeAccount(testApp, { kind: 'staff', role: 'admin', date_of_birth: null })
  const { client: office, sent } = makeClient(testApp)
  await office.signIn({ email: staff.email, password: PASSWORD, as: 'staff' })
  expect(await office.auth.me.query()).toMatchObject({ role: 'admin' })
  testApp.advance(9 * 3_600_000)
  const over = await failureOf(office.auth.sessions.query())
  expect([over.code, over.status]).toEqual(['sign_in_required', 401])
  sent.length = 0
  await failureOf(office.auth.sessions.query())
  expect(sent.map(({ path }) => path)).toEqual(['/trpc/auth.sessions'])
  const wrong = await failureOf(
    office.signIn({ email: staff.email, password: 'not the one', as: 'staff' }),
  )
  expect([wrong.code, wrong.message]).toEqual([
    'credentials_wrong',
    'Email or password is incorrect.',
  ])
})

test('an access token works within its scopes, sends no cookie and cannot sign in', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const { secret } = await makeToken(browser, ['availability:read'])
  const { client, sent } = makeClient(testApp, { token: secret })
  expect(await client.availability.mine.query()).toMatchObject({ version: 0 })
  expect(sent.some(({ headers }) => headers.has('cookie'))).toBe(false)
  const refused = await failureOf(client.availability.removeDate.mutate({ version: 0, id: 'xdt' }))
  expect([refused.code, refused.details]).toEqual([
    'access_token_scope',
    { scope: 'availability:write' },
  ])
  await expect(
    client.signIn({ email: account.email, password: PASSWORD, as: 'provider' }),
  ).rejects.toThrow('This client has an access token.')
  const bad = await failureOf(
    makeClient(testApp, { token: `apo_${'x'.repeat(43)}` }).client.search.specialities.query({}),
  )
  expect([bad.status, bad.code]).toEqual([401, 'access_token_invalid'])
})

test('a failure has its code, sentence, field errors and request id', async () => {
  await using testApp = await makeTestApp()
  const { client } = makeClient(testApp)
  const question = { ...QUESTION, email: 'nobody' }
  const failure = await failureOf(client.messages.contact.mutate(question))
  expect(failure).toMatchObject({ name: 'ApiError', status: 400, code: 'invalid_input' })
  expect(failure.requestId).toMatch(/^\w{10}$/)
  expect(failure.issues).toEqual([{ path: 'email', message: 'Enter a valid email address.' }])
})

test('waits after a 429 as long as the server asks, up to the longest pause', async () => {
  await using testApp = await makeTestApp()
  const { client, pauses } = makeClient(testApp)
  for (let count = 0; count < 130; count += 1) await client.search.map.query(CENTRE)
  expect(pauses.length).toBeGreaterThan(0)
  expect(pauses.every((ms) => ms >= 1_000 && ms <= 90_000)).toBe(true)
  const { client: hasty } = makeClient(testApp, { maxWaitMs: 500 })
  let failure: ApiError | null = null
  while (failure === null) {
    const call = hasty.search.map.query(CENTRE)
    failure = await call.then(
      () => null,
      (error: unknown) => (error instanceof ApiError ? error : null),
    )
  }
  expect([failure.status, failure.retryAfterSeconds]).toEqual([429, expect.any(Number)])
})

test('retries reads after a 503 or a broken connection, and finally fails', async () => {
  await using testApp = await makeTestApp()
  const { fetch } = failingFetch(testApp, [busy(), null, null])
  const { client, pauses } = makeClient(testApp, { fetch })
  expect((await client.search.specialities.query({})).length).toBeGreaterThan(10)
  expect(pauses[0]).toBe(2_000)
  expect(pauses).toHaveLength(3)
  const never = failingFetch(
    testApp,
    Array.from({ length: 9 }, () => null),
  )
  const { client: cut, pauses: longer } = makeClient(testApp, { fetch: never.fetch })
  const failure = await failureOf(cut.search.specialities.query({}))
  expect([failure.code, failure.status, never.answered.length]).toEqual(['unreachable', 0, 5])
  expect(longer.map((ms, at) => ms <= 500 * 2 ** at)).toEqual([true, true, true, true])
})

test('retries a write whose response was lost under the same key, so it is done once', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp)
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const { secret } = await makeToken(browser, ['visits:write'])
  const lost = failingFetch(testApp, [null, busy()], { after: true })
  const { client } = makeClient(testApp, { fetch: lost.fetch, token: secret })
  await client.messages.contact.mutate(QUESTION)
  const messages = testApp.database.db.selectFrom('contact_messages').select('id')
  expect(await messages.execute()).toHaveLength(1)
  expect(new Set(lost.answered).size).toBe(1)
  expect(lost.answered[0]).toMatch(/^[0-9a-f-]{36}$/)
  const wish = { providerId: provider.id, startsAt: NINE }
  const mine = { idempotencyKey: 'order-2026-0001' }
  const first = await client.booking.hold.mutate(wish, mine)
  expect(await client.booking.hold.mutate(wish, mine)).toEqual(first)
  const reused = await failureOf(
    client.booking.hold.mutate({ ...wish, startsAt: '2026-03-03T09:30:00.000Z' }, mine),
  )
  expect([reused.status, reused.message]).toEqual([
    422,
    'This request was already used with different details.',
  ])
})

test('does not retry a write without an idempotency key', async () => {
  await using testApp = await makeTestApp()
  const lost = failingFetch(testApp, [null], { after: true })
  const { client } = makeClient(testApp, { fetch: lost.fetch })
  expect((await failureOf(client.messages.contact.mutate(QUESTION))).code).toBe('unreachable')
  expect(lost.answered).toEqual([''])
})

test('sends keys exactly where the server stores responses', () => {
  const writes = procedurePaths.filter((path) => !isQuery(path))
  const isStored = (path: string) => metaOf(path).isSecret !== true
  expect(writes.filter((path) => acceptsKey(path) !== isStored(path))).toEqual([])
})

test('a caller can abort, also during a pause', async () => {
  await using testApp = await makeTestApp()
  const controller = new AbortController()
  const { client } = makeClient(testApp, {
    fetch: failingFetch(testApp, [busy()]).fetch,
    wait: (_, signal) => {
      controller.abort(new Error('Enough.'))
      signal?.throwIfAborted()
      return Promise.resolve()
    },
  })
  const { signal } = controller
  await expect(client.search.specialities.query({}, { signal })).rejects.toThrow('Enough.')
  await expect(client.search.specialities.query({}, { signal })).rejects.toThrow('Enough.')
})

test('over a real socket: a timeout, and a server that is not Apposite', async () => {
  const silent = createServer((request, response) => {
    if (request.url?.includes('specialities') !== true) response.end('<html>')
  })
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const address = silent.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const url = `http://127.0.0.1:${port}`
  const hasty = createClient({ url, timeoutMs: 50, retries: 0 })
  const late = await failureOf(hasty.search.specialities.query({}))
  expect([late.code, late.message]).toEqual([
    'timed_out',
    'search.specialities was not answered within 0.05 seconds.',
  ])
  const client = createClient({ url, retries: 0 })
  const odd = await failureOf(client.auth.me.query())
  expect([odd.code, odd.status]).toEqual(['unreadable', 200])
})

test('a read whose input is too long for a URL goes by POST, and is a read all the same', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp)
  const { client, sent } = makeClient(testApp)
  await client.signIn({ email: account.email, password: PASSWORD, as: 'provider' })
  const { places, settings } = await client.availability.mine.query()
  const [place] = places
  if (place === undefined) throw new Error('The provider has no place.')
  const hours = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
    [480, 600, 720, 840].map((from) => ({
      placeId: place.id,
      week: 1,
      weekday,
      from,
      to: from + 60,
    })),
  )
  const { days } = await client.availability.preview.query({ draft: { settings, hours } })
  expect(days[0]?.hours.length).toBeGreaterThan(0)
  const { method, url, headers } = sent.at(-1) ?? {}
  expect([method, url, headers?.get('idempotency-key')]).toEqual([
    'POST',
    `${SITE}/trpc/availability.preview`,
    null,
  ])
  expect(sent.find(({ path }) => path.endsWith('mine'))?.method).toBe('GET')
})

test.each([undefined, {}, { text: 'x'.repeat(1_780) }, { text: 'x'.repeat(1_790) }])(
  'pages and scripts agree on which inputs are long',
  (input) => {
    expect(isLongInput(input)).toBe(isLongOnPages(input))
  },
)
