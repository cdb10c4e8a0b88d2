import { expect, test } from 'vitest'
import { limits } from '#server/kernel/limits/rate-limit.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const SITE = 'http://localhost:3000'

async function begin() {
  const bench = await startSandbox({ now: () => START })
  const testApp = await makeTestApp({ sandbox: bench.connection })
  return {
    bench,
    get: (path: string, headers: Record<string, string> = {}, peer = '127.0.0.1') =>
      testApp.app.fetch(new Request(`${SITE}${path}`, { headers }), peer),
    post: (path: string, headers: Record<string, string>, body: string) =>
      testApp.app.fetch(
        new Request(`${SITE}${path}`, { method: 'POST', headers, body }),
        '127.0.0.1',
      ),
    [Symbol.asyncDispose]: async () => {
      await testApp[Symbol.asyncDispose]()
      await bench[Symbol.asyncDispose]()
    },
  }
}

test('the stand-in scripts and pages come from our own origin, framed by us alone', async () => {
  await using at = await begin()
  const script = await at.get('/sandbox/stripe.js')
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(await script.text()).toContain('createEmbeddedCheckoutPage')
  const page = await at.get('/sandbox/paypal/checkoutnow')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy).not.toContain('unsafe')
  const html = await page.text()
  // The page must contain no inline script or style, because the policy would block it.
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
  expect(page.headers.get('set-cookie')).toBeNull()
})

test.each([
  ['/sandbox', {}, '192.0.2.9'],
  ['/sandbox', { 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1'],
  ['/sandbox', { 'x-sandbox-operator': 'yes' }, '192.0.2.9'],
  ['/sandbox/', {}, '2001:db8::1'],
  ['/sandbox', {}, '::ffff:cb00:7109'],
] as const)('the operator’s page %s is not there for %o at %s', async (path, headers, peer) => {
  await using at = await begin()
  expect((await at.get(path, headers, peer)).status).toBe(404)
})

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  'it is there at the machine itself, %s',
  async (peer) => {
    await using at = await begin()
    expect((await at.get('/sandbox', {}, peer)).status).toBe(200)
  },
)

test('another site cannot press the operator’s buttons', async () => {
  await using at = await begin()
  const form = 'do=fail_webhooks&fault=never'
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const foreign = { ...type, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  expect((await at.post('/sandbox/operator', foreign, form)).status).toBe(403)
  expect(at.bench.sandbox.faults.webhooks).toBe('none')
  const own = { ...type, origin: SITE, 'sec-fetch-site': 'same-origin' }
  const done = await at.post('/sandbox/operator', own, form)
  expect([done.status, done.headers.get('location')]).toEqual([303, '/sandbox'])
  expect(at.bench.sandbox.faults.webhooks).toBe('never')
})

test.each([
  [
    'do=fail_calls&path=/v1/&call=slow&times=2',
    { calls: [{ path: '/v1/', fault: 'slow', times: 2 }] },
  ],
  ['do=fail_webhooks&fault=hold', { webhooks: 'hold' }],
  ['do=away&gateway=paypal&away=true', { away: new Set(['paypal']) }],
])('the form %s sets the switch', async (form, faults) => {
  await using at = await begin()
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
  }
  expect((await at.post('/sandbox/operator', headers, form)).status).toBe(303)
  expect(at.bench.sandbox.faults).toMatchObject(faults)
})

test('the gateways’ own interfaces are not on our origin', async () => {
  await using at = await begin()
  for (const path of [
    '/v1/checkout/sessions',
    '/_sandbox/control',
    '/sandbox/../v1/checkout/sessions',
  ]) {
    expect([path, (await at.get(path)).status]).toEqual([path, expect.toBeOneOf([404, 503])])
  }
})

test('an installation with real keys has no sandbox', async () => {
  await using testApp = await makeTestApp()
  const answer = await testApp.app.fetch(new Request(`${SITE}/sandbox/stripe.js`), '127.0.0.1')
  expect(answer.status).toBe(404)
})

test('a sandbox that cannot be reached is said to be so', async () => {
  await using bench = await startSandbox({ now: () => START })
  const access = await bench.connection.access()
  await bench[Symbol.asyncDispose]()
  await using testApp = await makeTestApp({ sandbox: { access: () => Promise.resolve(access) } })
  const answer = await testApp.app.fetch(new Request(`${SITE}/sandbox/stripe.js`), '127.0.0.1')
  expect(answer.status).toBe(502)
})

test('one network may ask for so many pages of the sandbox in a minute', async () => {
  await using at = await begin()
  const peer = '192.0.2.9'
  for (let n = 0; n < limits.demo.calls; n += 1) await at.get('/sandbox/', {}, peer)
  expect((await at.get('/sandbox/stripe.js', {}, peer)).status).toBe(429)
  expect((await at.get('/sandbox/stripe.js', {}, '198.51.100.7')).status).toBe(200)
})
