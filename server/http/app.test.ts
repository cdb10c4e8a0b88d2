import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { errorMessage } from '#contract/base/sentences.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type NewSpan, NO_TRACING, type Tracing } from '#server/kernel/telemetry.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { makeApp } from './app.ts'

const SITE = 'http://localhost:3000'
const PICTURE = `${'a1'.repeat(16)}.webp`

/** The build, whose pages these are. */
const DIST = join(import.meta.dirname, '../../dist')

type Site = TestApp & { folder: string }

/** A test app that serves a small build and one picture from its own folder. */
async function makeSite(config: Partial<Config> = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-site-'))
  const clientDir = join(folder, 'client')
  await mkdir(join(clientDir, 'assets'), { recursive: true })
  await mkdir(join(folder, 'data/media'), { recursive: true })
  for (const made of ['server', 'manifest.json'])
    await symlink(join(DIST, made), join(folder, made))
  await writeFile(join(clientDir, 'robots.txt'), 'User-agent: *\n')
  await writeFile(join(clientDir, 'assets/main-abc.js'), 'run()')
  await writeFile(join(clientDir, 'assets/main-abc.js.gz'), gzipSync('run()'))
  await writeFile(join(folder, 'data/media', PICTURE), 'webp bytes')
  await writeFile(join(folder, 'data/secret.txt'), 'canary')
  const dataDir = join(folder, 'data')
  const testApp = await makeTestApp({ config: { clientDir, dataDir, ...config } })
  const end = testApp[Symbol.asyncDispose]
  return {
    ...testApp,
    folder,
    [Symbol.asyncDispose]: async () => {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function ask(testApp: TestApp, path: string, init: RequestInit = {}): Promise<Response> {
  return testApp.app.fetch(new Request(`${SITE}${path}`, init))
}

test.each([
  ['/home', {}, 200],
  ['/nowhere', {}, 404],
  ['/assets/main-abc.js', {}, 200],
  ['/assets/gone.js', {}, 404],
  [`/media/${PICTURE}`, {}, 200],
  ['/media/gone.webp', {}, 404],
  ['/healthz', {}, 200],
  ['/trpc/gallery.homepage', {}, 200],
  ['/trpc/nothing', {}, 404],
  ['/trpc/messages.contact', { method: 'POST', body: '{' }, 415],
  ['/trpc/gallery.homepage', { method: 'DELETE' }, 405],
  ['/demo/mailbox', {}, 200],
  ['/demo/mailbox.json', {}, 200],
  ['/demo/video/room_0123456789abcdefghjkmnpqrs', {}, 200],
  ['/home', { method: 'POST' }, 405],
  ['/home', { method: 'OPTIONS' }, 405],
] satisfies [string, RequestInit, number][])(
  '%s with %o is answered %d with every security header',
  async (path, init, status) => {
    await using site = await makeSite()
    const { headers, ...response } = await ask(site, path, init).then((answer) => ({
      headers: answer.headers,
      status: answer.status,
    }))
    expect(response.status).toBe(status)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/default-src 'self'|default-src 'none'/)
    for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part)
    }
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const seconds = Number(
      /max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1],
    )
    expect(seconds).toBeGreaterThanOrEqual(31_536_000)
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
    // Only our own pages may use geolocation ("Use my location").
    expect(headers.get('permissions-policy')).toMatch(/\bgeolocation=\(self\)/)
    expect(headers.get('permissions-policy')).toMatch(/\bcamera=\(\)/)
    expect(headers.has('cache-control')).toBe(true)
    expect(headers.has('access-control-allow-origin')).toBe(false)
    const type = headers.get('content-type') ?? ''
    if (/^text|json/.test(type)) expect(type).toMatch(/charset=utf-8/i)
    if (status === 405) expect(headers.get('allow')).toMatch(/GET/)
  },
)

test('map tiles are the one thing a page may load from elsewhere, when configured', async () => {
  await using site = await makeSite({ tileUrl: 'https://{s}.tiles.example/{z}/{x}/{y}.png' })
  const policy = (await ask(site, '/home')).headers.get('content-security-policy')
  expect(policy).toContain("img-src 'self' data: blob: https://*.tiles.example;")
})

test('every page carries what this installation says, which cannot end its script', async () => {
  const hostile = '</script><script>alert(1)</script>'
  await using site = await makeSite({ tileUrl: null, tileAttribution: hostile })
  const html = await (await ask(site, '/doctor-profile/prv_1/2.4/?region=uk')).text()
  expect(html).toContain('<div id="root">')
  expect(html).not.toContain('<script>alert')
  expect(html).toContain('tileUrl:null')
  expect(html).toContain('support@apposite.example')
  expect(html).toContain('Demonstration company, not registered')
})

test('an unknown address gets the page that says so, with a status that says so too', async () => {
  await using site = await makeSite({ demo: false })
  const response = await ask(site, '/no/such/page')
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('There’s nothing at this address')
})

test('a missing script is not answered with a page', async () => {
  await using site = await makeSite()
  const response = await ask(site, '/assets/old-version.js')
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ status: false, code: 'not_found' })
})

test('a file that a newer build took away under the running server is a 404, not a failure', async () => {
  await using site = await makeSite()
  expect((await ask(site, '/robots.txt')).status).toBe(200)
  await rm(join(site.folder, 'client/assets'), { recursive: true })
  const packed = { headers: { 'accept-encoding': 'gzip' } }
  expect((await ask(site, '/assets/main-abc.js', packed)).status).toBe(404)
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['BR;Q=0.5', 'br'],
  ['gzip;q=0', null],
  ['identity', null],
  ['', null],
])('with Accept-Encoding %j a page is sent as %s', async (accepted, encoding) => {
  await using site = await makeSite()
  const response = await ask(site, '/home', { headers: { 'accept-encoding': accepted } })
  expect(response.headers.get('content-encoding')).toBe(encoding)
  expect(response.headers.get('vary')).toContain('accept-encoding')
  const body = Buffer.from(await response.arrayBuffer())
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
  const html = encoding === 'br' || encoding === 'gzip' ? unpack[encoding](body) : body
  expect(html.toString()).toMatch(/^<!DOCTYPE html>[^]*<\/html>$/)
})

test('built files go out as they were packed, for a year when their name holds their hash', async () => {
  await using site = await makeSite()
  const packed = await ask(site, '/assets/main-abc.js', { headers: { 'accept-encoding': 'gzip' } })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(packed.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const plain = await ask(site, '/assets/main-abc.js')
  expect(plain.headers.has('content-encoding')).toBe(false)
  expect(await plain.text()).toBe('run()')
  expect(plain.headers.get('etag')).not.toBe(packed.headers.get('etag'))
  const robots = await ask(site, '/robots.txt')
  expect(robots.headers.get('cache-control')).toBe('no-cache')
})

test.each([
  '/../data/secret.txt',
  '/%2e%2e/data/secret.txt',
  '/..%2fdata%2fsecret.txt',
  '/assets/..%5c..%5cdata%5csecret.txt',
  '//data/secret.txt',
  '/media/..%2fsecret.txt',
  '/media/../secret.txt',
  `/media/${PICTURE}%00.txt`,
  '/assets/main-abc.js.gz',
  '/index.html',
  '/%ff',
])('%s leads to no file', async (path) => {
  await using site = await makeSite()
  const response = await ask(site, path)
  expect(response.status).toBe(404)
  expect(await response.text()).not.toContain('canary')
})

describeEngines('an address with a NUL, which Postgres cannot store', (makeDatabase) => {
  test.each([
    ['POST', '/unsubscribe/usr_1%00.x'],
    ['GET', '/demo/mailbox?to=%00'],
    ['GET', '/demo/mailbox.json?to=ann%00@mail.example'],
  ])('%s %s is refused', async (method, path) => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const request = new Request(`${SITE}${path}`, { method })
    expect((await testApp.app.fetch(request)).status).toBe(400)
  })
})

test('a picture is served as a picture and nothing else, for good', async () => {
  await using site = await makeSite()
  const response = await ask(site, `/media/${PICTURE}`)
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect(response.headers.get('content-disposition')).toBe('inline')
  expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
  expect(response.headers.get('cache-control')).toContain('immutable')
  const etag = response.headers.get('etag') ?? ''
  const again = await ask(site, `/media/${PICTURE}`, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  expect(again.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
})

test('HEAD says what GET would, without the body', async () => {
  await using site = await makeSite()
  const response = await ask(site, '/home', { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
  expect(response.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i)
})

test('outside a demo the first page is the home page, and there is no mailbox', async () => {
  await using site = await makeSite({ demo: false })
  const root = await ask(site, '/')
  expect([root.status, root.headers.get('location')]).toEqual([302, '/home'])
  expect((await ask(site, '/demo/mailbox')).status).toBe(404)
  expect((await ask(site, '/demo/video/room_0123456789abcdefghjkmnpqrs')).status).toBe(404)
  expect((await ask(site, '/demo/mailbox.json?to=a@b.example')).status).toBe(404)
})

test('a server without built pages says what to do', async () => {
  await using testApp = await makeTestApp({ config: { clientDir: '/nowhere' } })
  const response = await ask(testApp, '/home')
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('npm start')
})

test('health is the health of the database', async () => {
  const testApp = await makeTestApp()
  const well = await ask(testApp, '/healthz')
  expect([well.status, await well.json()]).toEqual([200, { status: 'ok' }])
  await testApp.database.close()
  const ill = await ask(testApp, '/healthz')
  expect([ill.status, await ill.json()]).toEqual([503, { status: 'unavailable' }])
})

test('the numbers are for this machine, and for whoever shows the token of the settings', async () => {
  const metricsToken = 'x'.repeat(40)
  await using testApp = await makeTestApp({ config: { metricsToken } })
  const numbers = async (peer: string, headers: Record<string, string> = {}) => {
    const request = new Request(`${SITE}/metrics`, { headers })
    const response = await testApp.app.fetch(request, peer)
    return [response.status, (await response.text()).includes('\napposite_outbox_waiting 0\n')]
  }
  const token = { authorization: `Bearer ${metricsToken}` }
  expect(await numbers('127.0.0.1')).toEqual([200, true])
  expect(await numbers('::1')).toEqual([200, true])
  expect(await numbers('203.0.113.9', token)).toEqual([200, true])
  expect(await numbers('203.0.113.9')).toEqual([404, false])
  expect(await numbers('203.0.113.9', { authorization: 'Bearer y' })).toEqual([404, false])
  // A request through a proxy on this machine comes from another one.
  expect(await numbers('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toEqual([404, false])
  await using closed = await makeTestApp()
  const shown = { headers: { authorization: 'Bearer null' } }
  const refused = await closed.app.fetch(new Request(`${SITE}/metrics`, shown), '203.0.113.9')
  expect(refused.status).toBe(404)
})

test.each(['/verify/abc', '/reset-password/abc', '/reset-password/abc/'])(
  'the secret in %s leaves in no Referer and stays in no cache',
  async (path) => {
    await using testApp = await makeTestApp()
    const { headers } = await testApp.app.fetch(new Request(`http://localhost:3000${path}`))
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
  },
)

const FILE = readFileSync(join(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8')

/** The proxy's own responses, in the order of the file. */
const PROXY_RESPONSES = [...FILE.matchAll(/respond (?:`(.*)`|"(.*)") (\d+)/g)].map(
  ([, json, text, status]) => ({ status: Number(status), body: json ?? text ?? '' }),
)

/** The response of a busy server on a path, without the request id, which the proxy cannot know. */
async function busyResponse(path: string): Promise<string> {
  await using testApp = await makeTestApp()
  const { limiter } = testApp.services
  const take: typeof limiter.take = () => {
    throw new AppError('busy', { retryAfterSeconds: 2 })
  }
  const app = makeApp({ ...testApp.services, limiter: { ...limiter, take } })
  const response = await app.fetch(new Request(`http://localhost:3000${path}`), '203.0.113.9')
  expect(response.status).toBe(503)
  return (await response.text()).replace(/("request_?[iI]d":)"\w+"/, '$1""')
}

test('while no process is well, the proxy answers as a busy server does', async () => {
  const [call, page, rest] = PROXY_RESPONSES
  expect(PROXY_RESPONSES.map(({ status }) => status)).toEqual([503, 503, 503])
  expect(page?.body).toBe(errorMessage('busy'))
  expect(await busyResponse('/trpc/search.providers')).toBe(call?.body)
  expect(await busyResponse('/v1/doctor/specializations')).toBe(rest?.body)
})

/** Tracing that records its calls. */
function makeRecorder() {
  const begun: NewSpan[] = []
  const names: string[] = []
  const failed: string[] = []
  const tracing: Tracing = {
    ...NO_TRACING,
    isOn: true,
    run: (of, work) => {
      begun.push(of)
      return work({
        rename: (name) => void names.push(name),
        setAttributes() {},
        fail: (type) => void failed.push(type),
      })
    },
  }
  return { tracing, begun, names, failed }
}

const HEADERS = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }

test('only a proxy that is trusted says of which trace a request is part', async () => {
  await using testApp = await makeTestApp({ config: { trustedProxies: ['10.0.0.0/8'] } })
  const { tracing, begun } = makeRecorder()
  const app = makeApp({ ...testApp.services, tracing })
  for (const peer of ['203.0.113.9', '10.1.2.3']) {
    await app.fetch(new Request('http://localhost:3000/nowhere', { headers: HEADERS }), peer)
  }
  expect(begun.map(({ headers }) => headers)).toEqual([{}, HEADERS])
})

test('a request is named by its route, whatever stands in its address', async () => {
  await using testApp = await makeTestApp()
  const { tracing, names } = makeRecorder()
  const app = makeApp({ ...testApp.services, tracing })
  const visit = (path: string) =>
    app.fetch(new Request(`http://localhost:3000${path}`), '127.0.0.1')
  await visit('/trpc/ann@mail.example?input=%7B%22postcode%22%3A%22SE1%206ET%22%7D')
  await visit('/api/doctors/prv_ann')
  await visit('/api/doctors/prv_ann/ann@mail.example')
  await visit('/ann@mail.example')
  expect(names.join('\n')).not.toMatch(/ann|SE1/)
  expect(names.slice(0, 2)).toEqual(['GET /trpc/*', 'GET /api/doctors/:id'])
})
