import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ErrorData } from '#contract/base/errors.ts'
import { appRouter } from '#server/app-router.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const SITE = 'http://localhost:3000'

function get(path: string, input?: unknown): Request {
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  return new Request(`${SITE}/trpc/${path}${query}`)
}

function batch(paths: string[], inputs: unknown): Request {
  const input = encodeURIComponent(JSON.stringify(inputs))
  return new Request(`${SITE}/trpc/${paths.join(',')}?batch=1&input=${input}`)
}

function post(path: string, body: string, headers: Record<string, string> = {}): Request {
  return new Request(`${SITE}/trpc/${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

const contact = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  message: 'Can you see my son on Friday?',
}

/** Strict, so that no other field can leak. */
const Failed = z.strictObject({
  error: z.strictObject({
    code: z.number(),
    message: z.string(),
    data: z.strictObject({ ...ErrorData.shape, code: z.string(), httpStatus: z.number() }),
  }),
})

async function failureOf(response: Response): Promise<z.infer<typeof Failed>['error']> {
  return Failed.parse(await response.json()).error
}

/** The response of tRPC's adapter alone to the same request, with the same services. */
async function adapterResponse(testApp: TestApp, request: Request): Promise<Response> {
  return fetchRequestHandler({
    endpoint: '/trpc',
    req: request,
    router: appRouter,
    allowMethodOverride: true,
    createContext: () => testApp.context(),
  })
}

function withoutIds(text: string): string {
  return text
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')
    .replaceAll(/"reference":"[^"]*"/g, '"reference":""')
}

test.each<[string, () => Request]>([
  ['a query', () => get('gallery.homepage')],
  ['a query with input', () => get('search.specialities', { selectedRegion: 'usa' })],
  ['a batch', () => batch(['gallery.homepage', 'search.specialities'], { 1: {} })],
  [
    'a batch with one failure',
    () => batch(['gallery.homepage', 'search.providers'], { 1: { radius: 7 } }),
  ],
  ['a batch of failures', () => batch(['search.providers'], { 0: { page: 0 } })],
  ['a batch without inputs', () => new Request(`${SITE}/trpc/gallery.homepage?batch=1`)],
  ['input that the contract refuses', () => get('search.providers', { postcode: 1 })],
  ['no such procedure', () => get('gallery.nothing')],
  ['a name every object has', () => get('constructor')],
  ['a mutation', () => post('messages.contact', JSON.stringify(contact))],
  ['a mutation without input', () => post('messages.contact', '{}')],
  ['a mutation in a batch', () => post('messages.contact?batch=1', JSON.stringify({ 0: contact }))],
  ['a query by POST', () => post('gallery.homepage', '{}')],
  ['a mutation by GET', () => get('messages.contact', contact)],
])('%s gets what the adapter answers without our chain', async (_name, request) => {
  await using testApp = await makeTestApp()
  const ours = await testApp.app.fetch(request())
  const theirs = await adapterResponse(testApp, request())
  expect(ours.status).toBe(theirs.status)
  expect(withoutIds(await ours.text())).toBe(withoutIds(await theirs.text()))
})

test('a failure carries its code, its sentence and a reference, and nothing else', async () => {
  await using testApp = await makeTestApp()
  const response = await testApp.app.fetch(get('search.providers', { radius: 7, is_admin: true }))
  const error = await failureOf(response)
  expect(response.status).toBe(400)
  expect(error).toMatchObject({
    message: 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.',
    data: {
      appCode: 'radius_invalid',
      httpStatus: 400,
      requestId: response.headers.get('x-request-id'),
    },
  })
})

test('a thousand guesses in one batch: none is run', async () => {
  await using testApp = await makeTestApp()
  const paths = Array.from({ length: 1_000 }, () => 'messages.contact')
  const inputs = Object.fromEntries(paths.map((_, index) => [index, contact]))
  const response = await testApp.app.fetch(
    post(`${paths.join(',')}?batch=1`, JSON.stringify(inputs).slice(0, 60_000)),
  )
  expect(response.status).toBe(400)
  expect(await failureOf(response)).toMatchObject({
    message: 'Batch call exceeds maximum size',
    data: { appCode: 'batch_too_large' },
  })
  expect(await testApp.database.db.selectFrom('contact_messages').selectAll().execute()).toEqual([])
})

test.each([
  ['%ff', 404],
  ['%E0%A4%A', 404],
  ['gallery.homepage/', 200],
  ['gallery.homepage%2Cgallery.homepage?batch=1', 200],
  [`${Array.from({ length: 11 }, () => 'gallery.homepage').join('%2C')}?batch=1`, 400],
  ['__proto__', 404],
  ['gallery.homepage?input=', 400],
])('/trpc/%s is answered %d', async (path, status) => {
  await using testApp = await makeTestApp()
  const response = await testApp.app.fetch(new Request(`${SITE}/trpc/${path}`))
  expect(response.status).toBe(status)
  expect(response.headers.get('x-request-id')).toMatch(/^[a-z0-9]{10}$/)
  if (status === 200) return
  expect((await failureOf(response)).data.requestId).toBe(response.headers.get('x-request-id'))
})

test.each([{ 'trpc-accept': 'application/jsonl' }, { accept: 'text/html, application/jsonl' }])(
  'nothing is streamed for %o: cookies would come too late',
  async (headers) => {
    await using testApp = await makeTestApp()
    const request = new Request(batch(['gallery.homepage'], {}), { headers })
    const response = await testApp.app.fetch(request)
    expect([response.status, (await failureOf(response)).data.appCode]).toEqual([
      415,
      'unsupported_media_type',
    ])
  },
)

test('a request id of the caller is not ours', async () => {
  await using testApp = await makeTestApp()
  const request = new Request(get('gallery.homepage'), { headers: { 'x-request-id': 'mine' } })
  expect((await testApp.app.fetch(request)).headers.get('x-request-id')).not.toBe('mine')
})

test('a mutation without a body is a mutation without an input', async () => {
  await using testApp = await makeTestApp()
  expect((await testApp.app.fetch(post('auth.signOut', ''))).status).toBe(200)
})

test('ten calls are a batch and eleven are too many', async () => {
  await using testApp = await makeTestApp()
  const ten = Array.from({ length: 10 }, () => 'gallery.homepage')
  expect((await testApp.app.fetch(batch(ten, {}))).status).toBe(200)
  expect((await testApp.app.fetch(batch([...ten, 'gallery.homepage'], {}))).status).toBe(400)
})

test('calls are counted, not requests: a batch spends as much as single calls', async () => {
  await using testApp = await makeTestApp()
  const inputs = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index, contact]))
  const paths = Object.keys(inputs).map(() => 'messages.contact')
  const response = await testApp.app.fetch(
    post(`${paths.join(',')}?batch=1`, JSON.stringify(inputs)),
  )
  expect(response.status).toBe(207)
  const answers = z.array(z.looseObject({})).parse(await response.json())
  expect(answers.filter((answer) => 'result' in answer)).toHaveLength(5)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})

test.each(['PUT', 'OPTIONS', 'DELETE'])('%s is refused in the form of tRPC', async (method) => {
  await using testApp = await makeTestApp()
  const url = 'http://localhost:3000/trpc/auth.me'
  const response = await testApp.app.fetch(new Request(url, { method }))
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST'])
  expect(await failureOf(response)).toMatchObject({ data: { appCode: 'method_not_allowed' } })
})

test.each([
  ['a call that does not exist', 404, () => get('search.nothing')],
  ['a read of a write', 405, () => get('booking.hold')],
  ['a batch of calls that do not exist', 404, () => batch(['a.b', 'c.d'], {})],
])('%s is counted like any other', async (_what, status, request) => {
  await using testApp = await makeTestApp()
  expect((await testApp.app.fetch(request(), '192.0.2.1')).status).toBe(status)
  for (let n = 1; n < 600; n += 1) await testApp.app.fetch(request(), '192.0.2.1')
  const refused = await testApp.app.fetch(request(), '192.0.2.1')
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
  expect((await testApp.app.fetch(get('auth.me', {}), '192.0.2.1')).status).toBe(429)
  expect((await testApp.app.fetch(get('auth.me', {}), '192.0.2.2')).status).toBe(200)
})

test('whoever searches too often is told for how many seconds', async () => {
  await using testApp = await makeTestApp()
  const search = () => testApp.app.fetch(get('search.providers', { postcode: '' }), '203.0.113.9')
  for (let count = 0; count < 120; count += 1) expect((await search()).status).toBe(400)
  const refused = await search()
  const seconds = refused.headers.get('retry-after')
  const error = await failureOf(refused)
  expect(refused.status).toBe(429)
  expect(error.message).toBe(`Too many requests. Try again in ${seconds} seconds.`)
  expect(error.data.details['retryAfterSeconds']).toBe(Number(seconds))
  const neighbour = await testApp.app.fetch(get('search.providers', {}), '203.0.113.10')
  expect(neighbour.status).toBe(400)
  testApp.advance(Number(seconds) * 1_000)
  expect((await search()).status).toBe(400)
})

test('spoofed headers change neither the network nor the answer', async () => {
  await using testApp = await makeTestApp()
  const statuses: number[] = []
  for (let index = 0; index <= 120; index += 1) {
    const spoofed = new Request(get('search.providers', {}), {
      headers: { 'x-forwarded-for': `198.51.100.${index}`, 'x-http-method-override': 'DELETE' },
    })
    statuses.push((await testApp.app.fetch(spoofed, '203.0.113.9')).status)
  }
  expect([statuses[0], statuses[119], statuses[120]]).toEqual([400, 400, 429])
})

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/octet-stream', 415],
  ['application/jsonp', 415],
  ['application/json; charset=utf-8', 200],
])('a body of %s gets %d', async (type, status) => {
  await using testApp = await makeTestApp()
  const response = await testApp.app.fetch(
    post('messages.contact', JSON.stringify(contact), { 'content-type': type }),
  )
  expect(response.status).toBe(status)
})

test('a write from another site is refused before anything else is looked at', async () => {
  await using testApp = await makeTestApp()
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', 'content-type': 'multipart/form-data; boundary=x' },
  ]) {
    const response = await testApp.app.fetch(
      post('messages.contact', JSON.stringify(contact), headers),
    )
    expect(response.status).toBe(403)
    expect((await failureOf(response)).message).toBe('Request came from another site.')
  }
  expect(await testApp.database.db.selectFrom('contact_messages').selectAll().execute()).toEqual([])
})

test.each([
  ['broken', '{"first_name":'],
  ['10,000 levels deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['with a key twice', '{"email":"a@b.example","email":"c@d.example"}'],
])('JSON that is %s is refused as such', async (_name, body) => {
  await using testApp = await makeTestApp()
  const response = await testApp.app.fetch(post('search.providers', body))
  const error = await failureOf(response)
  expect([response.status, error.message, error.data.appCode]).toEqual([
    400,
    'The request was not valid JSON.',
    'not_json',
  ])
  const inAddress = new Request(`${SITE}/trpc/search.providers?input=${encodeURIComponent(body)}`)
  expect((await failureOf(await testApp.app.fetch(inAddress))).data.appCode).toBe('not_json')
})

test('a body over the limit is refused, also when it does not say how long it is', async () => {
  await using testApp = await makeTestApp()
  const over = 'x'.repeat(65_537)
  const declared = await testApp.app.fetch(
    post('gallery.homepage', over, { 'content-length': '65537' }),
  )
  expect(declared.status).toBe(413)
  const chunked = await testApp.app.fetch(post('gallery.homepage', over))
  expect(chunked.status).toBe(413)
  expect((await failureOf(chunked)).data.appCode).toBe('body_too_large')
})

test('the contact form takes ten kilobytes and no more', async () => {
  await using testApp = await makeTestApp()
  const full = JSON.stringify(contact).padEnd(10_240, ' ')
  expect((await testApp.app.fetch(post('messages.contact', full))).status).toBe(200)
  expect((await testApp.app.fetch(post('messages.contact', `${full} `))).status).toBe(413)
  const hidden = 'gallery.homepage,messages.contact?batch=1'
  expect((await testApp.app.fetch(post(hidden, `${full} `))).status).toBe(413)
})

test('an endless body is left alone once it is too long', async () => {
  await using testApp = await makeTestApp()
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      sent += 1
      controller.enqueue(new Uint8Array(16_384))
    },
  })
  // The DOM types lack `duplex`, which Node requires.
  const options = {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
    duplex: 'half',
  }
  const request = new Request(`${SITE}/trpc/messages.contact`, options)
  expect((await testApp.app.fetch(request)).status).toBe(413)
  expect(sent).toBeLessThan(10)
})

test('a defect shows a reference number, and the log has the whole of it', async () => {
  const testApp = await makeTestApp()
  await testApp.database.close()
  const response = await testApp.app.fetch(get('gallery.homepage'))
  const text = await response.clone().text()
  const error = await failureOf(response)
  expect(response.status).toBe(500)
  expect(error.message).toBe('Something went wrong on our side. Try again in a minute.')
  expect(text).not.toMatch(/destroyed|driver|sqlite|select|\.ts|node_modules/i)
  expect(testApp.logged).toHaveLength(1)
  expect(testApp.logged[0]).toMatchObject({
    path: 'gallery.homepage',
    requestId: error.data.requestId,
  })
  expect(JSON.stringify(testApp.logged[0]?.['err'])).toContain('gallery/store.ts')
})

test('public lists may be kept and are not sent twice; everything else is never stored', async () => {
  await using testApp = await makeTestApp()
  const first = await testApp.app.fetch(get('search.specialities', {}))
  expect(first.headers.get('cache-control')).toBe('public, max-age=86400')
  const again = new Request(get('search.specialities', {}), {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  })
  const unchanged = await testApp.app.fetch(again)
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  const homepage = await testApp.app.fetch(get('gallery.homepage'))
  expect(homepage.headers.get('cache-control')).toBe('no-cache')
  expect(homepage.headers.has('etag')).toBe(true)
  for (const request of [
    get('search.providers', {}),
    batch(['search.specialities', 'gallery.homepage'], {}),
    get('search.specialities', { selectedRegion: 'mars' }),
  ]) {
    expect((await testApp.app.fetch(request)).headers.get('cache-control')).toBe('no-store')
  }
})

test('a long answer is compressed for whoever can read that', async () => {
  await using testApp = await makeTestApp()
  const ask = (encoding: string) =>
    testApp.app.fetch(
      new Request(get('search.specialities', {}), { headers: { 'accept-encoding': encoding } }),
    )
  const packed = await ask('gzip')
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('vary')).toContain('accept-encoding')
  const plain = await ask('identity')
  expect(plain.headers.has('content-encoding')).toBe(false)
  const unpacked = new Response(packed.body?.pipeThrough(new DecompressionStream('gzip')))
  expect(await unpacked.text()).toBe(await plain.text())
})
