import { expect, test } from 'vitest'
import { readConfig } from '#server/kernel/config/config.ts'
import { listDenials, real, sortDenials } from '#tests/harness/access-matrix.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makePeople } from '#tests/harness/principals.ts'
import { isQuery, procedurePaths } from '#tests/harness/procedures.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { makeTestApp, strangerDenials, type TestApp } from '#tests/harness/test-app.ts'
import { isOwnRequest } from './route-guards.ts'

const demo = readConfig({})
const realConfig = { ...demo, demo: false, publicUrl: 'https://care.example' }

function writeWith(headers: Record<string, string>): Request {
  return new Request('http://localhost:3000/trpc/x', { method: 'POST', headers })
}

test.each<[Record<string, string>, string]>([
  [{}, 'a program without cookies'],
  [{ origin: 'http://localhost:3000' }, 'our own page'],
  [{ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }, 'a demo by another name'],
  [{ 'sec-fetch-site': 'same-origin' }, 'a browser that says so'],
  [{ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000', cookie: 'a=b' }, 'both'],
  [{ authorization: 'Bearer x', cookie: 'a=b' }, 'a token, beside which cookies are not read'],
])('%o may write: %s', (headers) => {
  expect(isOwnRequest(writeWith(headers), demo)).toBe(true)
})

test.each<[Record<string, string>, string]>([
  [{ origin: 'https://evil.example' }, 'another site'],
  [{ origin: 'null' }, 'a sandboxed page'],
  [{ origin: 'http://localhost:4000' }, 'another port'],
  [{ 'sec-fetch-site': 'cross-site' }, 'a cross-site form'],
  [{ 'sec-fetch-site': 'same-site' }, 'a sibling subdomain'],
  [{ 'sec-fetch-site': 'none' }, 'an address typed in'],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 'a contradiction'],
  [{ cookie: 'user_id=1' }, 'cookies from nowhere'],
  [{ authorization: 'Basic eDp5', cookie: 'user_id=1' }, 'the password of a proxy, and cookies'],
  [{ authorization: 'Bearer x', origin: 'https://evil.example' }, 'another site with a token'],
])('%o may not write: %s', (headers) => {
  expect(isOwnRequest(writeWith(headers), demo)).toBe(false)
})

test('a real installation believes its configured address only, whatever Host says', () => {
  expect(isOwnRequest(writeWith({ origin: 'https://care.example' }), realConfig)).toBe(true)
  const spoofed = writeWith({ origin: 'https://evil.example', host: 'evil.example' })
  expect(isOwnRequest(spoofed, realConfig)).toBe(false)
})

const HOSTS = [
  ['localhost:3000', true],
  ['127.0.0.1', true],
  ['[::1]:8080', true],
  ['LOCALHOST', true],
  ['evil.example', false],
  ['localhost.evil.example:3000', false],
  ['127.0.0.1.evil.example', false],
  ['192.168.1.7:3000', false],
  ['0.0.0.0:3000', false],
] as const

test.each(HOSTS)('a demo is reached as %s: %s', async (host, isReached) => {
  await using testApp = await makeTestApp()
  const ask = async ({ app }: TestApp, path: string) => {
    const asked = new Request(`http://localhost:3000${path}`, { headers: { host } })
    return (await app.fetch(asked, '127.0.0.1')).status
  }
  for (const path of ['/healthz', '/demo/mailbox', '/trpc/gallery.homepage']) {
    expect([path, await ask(testApp, path)]).toEqual([path, isReached ? 200 : 403])
  }
  // A demo at another address has it in its settings; a real site has a proxy in front.
  await using named = await makeTestApp({ config: { publicUrl: `http://${host.toLowerCase()}` } })
  if (host !== 'LOCALHOST') expect(await ask(named, '/healthz')).toBe(200)
  await using site = await makeTestApp({ config: { demo: false } })
  expect(await ask(site, '/healthz')).toBe(200)
})

/** Headers that a foreign page can make a browser send along with our cookies. */
const elsewhere: [string, Record<string, string>][] = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a sibling', { origin: 'http://shop.localhost:3000', 'sec-fetch-site': 'same-site' }],
  ['a frame in a sandbox', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['an old browser', { origin: 'https://evil.example', 'sec-fetch-site': '' }],
  [
    'a form',
    { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
  ],
  ['a form with files', { 'content-type': 'multipart/form-data; boundary=x', origin: 'null' }],
]

test.each(elsewhere)(
  'nothing is written for %s, and each try is written down',
  async (_who, sent) => {
    await using testApp = await makeTestApp(real)
    const people = await makePeople(testApp)
    const victim = people.find(({ name }) => name === 'a patient')
    const writes = procedurePaths.filter((path) => !isQuery(path))
    expect(writes.length).toBeGreaterThan(20)
    for (const path of writes) {
      const headers = new Headers({
        'content-type': 'application/json',
        ...victim?.browser.headers(),
      })
      for (const [name, value] of Object.entries(sent)) {
        if (value === '') headers.delete(name)
        else headers.set(name, value)
      }
      const init = { method: 'POST', headers, body: JSON.stringify(sampleInputs[path]) }
      const request = new Request(`http://localhost:3000/trpc/${path}`, init)
      expect([path, (await testApp.app.fetch(request)).status]).toEqual([path, 403])
    }
    expect((await listDenials(testApp)).map(({ entity, details }) => [entity, details])).toEqual(
      sortDenials(writes.map((path) => ({ entity: `/trpc/${path}`, network: 'unknown' }))).map(
        ({ entity }) => [entity, { code: 'foreign_origin' }],
      ),
    )
    expect((await victim?.browser.ask('auth.sessions'))?.status).toBe(200)
  },
)

test('a flood of refused requests is not a flood of rows', async () => {
  await using testApp = await makeTestApp(real)
  const answers = new Map<number, number>()
  for (let count = 0; count < 700; count += 1) {
    const headers = { 'content-type': 'application/json', origin: 'https://evil.example' }
    const init = { method: 'POST', headers, body: '{}' }
    const request = new Request('http://localhost:3000/trpc/auth.signOut', init)
    const response = await testApp.app.fetch(request, '192.0.2.1')
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1)
    if (response.status === 429) expect(response.headers.has('retry-after')).toBe(true)
  }
  expect(answers).toEqual(
    new Map([
      [403, 600],
      [429, 100],
    ]),
  )
  expect(await strangerDenials(testApp)).toEqual([
    { network: '192.0.2.1', path: '/trpc/auth.signOut', code: 'foreign_origin', count: 600 },
  ])
  const { db } = testApp.database
  expect(await db.selectFrom('audit').select('no').execute()).toEqual([])
})

const SITE = 'http://localhost:3000'

/** A POST whose body is a stream that counts how often it is read. */
function streamed(path: string, size: number, most = Number.POSITIVE_INFINITY) {
  const read = { times: 0 }
  const body = new ReadableStream({
    pull(controller) {
      read.times += 1
      if (read.times > most) controller.close()
      else controller.enqueue(new Uint8Array(size).fill(32))
    },
  })
  // The DOM types lack `duplex`, which Node requires.
  const options = {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
    duplex: 'half',
  }
  return { read, request: new Request(`${SITE}/trpc/${path}`, options) }
}

test.each([
  ['one call', 'profiles.exportData'],
  ['a batch', 'profiles.exportData,booking.hold?batch=1'],
])('of what a stranger sends to %s that needs a session, nothing is read', async (_what, path) => {
  await using testApp = await makeTestApp()
  const { read, request } = streamed(path, 16_384)
  const response = await testApp.app.fetch(request)
  expect(response.status).toBe(401)
  expect(await response.text()).toContain('sign_in_required')
  expect(response.headers.get('connection')).toBe('close')
  // The stream fills its own queue once, which counts as reads.
  expect(read.times).toBeLessThan(3)
})

test('a batch with a call that is open to strangers is read, and cut off at the limit', async () => {
  await using testApp = await makeTestApp()
  const { read, request } = streamed('profiles.exportData,messages.contact?batch=1', 4_096)
  const response = await testApp.app.fetch(request)
  expect(response.status).toBe(413)
  expect(read.times).toBeLessThan(8)
})

test('a chunked body of somebody signed in is cut off at the limit, and read below it', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  await browser.signIn(await makeAccount(testApp))
  const send = async (most?: number) => {
    const { read, request } = streamed('profiles.exportData', 16_384, most)
    const { headers, body } = request
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
    const response = await browser.fetch('/trpc/profiles.exportData', init)
    return { status: response.status, times: read.times }
  }
  const endless = await send()
  expect(endless.status).toBe(413)
  expect(endless.times).toBeLessThan(8)
  expect((await send(4)).status).toBe(400)
})
