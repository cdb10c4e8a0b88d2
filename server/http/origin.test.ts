import { expect, test } from 'vitest'
import { readConfig } from '#server/kernel/config/config.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { isOwnRequest } from './origin.ts'

const demo = readConfig({})
const real = { ...demo, demo: false, publicUrl: 'https://care.example' }

function request(headers: Record<string, string>): Request {
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
  expect(isOwnRequest(request(headers), demo)).toBe(true)
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
  expect(isOwnRequest(request(headers), demo)).toBe(false)
})

test('a real installation believes its configured address only, whatever Host says', () => {
  expect(isOwnRequest(request({ origin: 'https://care.example' }), real)).toBe(true)
  const spoofed = request({ origin: 'https://evil.example', host: 'evil.example' })
  expect(isOwnRequest(spoofed, real)).toBe(false)
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
