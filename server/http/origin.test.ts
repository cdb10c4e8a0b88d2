import { expect, test } from 'vitest'
import { readConfig } from '#server/kernel/config/config.ts'
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
])('%o may not write: %s', (headers) => {
  expect(isOwnRequest(request(headers), demo)).toBe(false)
})

test('a real installation believes its configured address only, whatever Host says', () => {
  expect(isOwnRequest(request({ origin: 'https://care.example' }), real)).toBe(true)
  const spoofed = request({ origin: 'https://evil.example', host: 'evil.example' })
  expect(isOwnRequest(spoofed, real)).toBe(false)
})
