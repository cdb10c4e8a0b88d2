import { expect, test } from 'vitest'
import { cookieHeader, deviceName, readClient, readCookies } from './client.ts'

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    'Chrome on Windows',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Linux; Android 13) SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari on Mac'],
  ['curl/8.5.0', 'A program'],
  ['Call 0123 at once/1 (Windows NT 10.0) ', 'A program'],
  ['', 'A program'],
  ['<script>alert(1)</script>', 'A program'],
  [null, 'A program'],
])('%j is "%s"', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})

test('cookies are read by name; malformed and contradictory ones are left out', () => {
  const cookies = readCookies('a=1; b=x=y; a=2; =3; c; d=; b=x=y')
  expect([...cookies]).toEqual([
    ['b', 'x=y'],
    ['d', ''],
  ])
  expect(readCookies(null).size).toBe(0)
})

test('every cookie is Secure, SameSite=Strict and for the whole site', () => {
  expect(cookieHeader('access_token', 'x', { maxAge: 600 })).toBe(
    'access_token=x; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Strict',
  )
  expect(cookieHeader('user_id', 'x', { maxAge: 600, isReadable: true })).toBe(
    'user_id=x; Max-Age=600; Path=/; Secure; SameSite=Strict',
  )
})

test.each([
  [{ origin: 'null' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ 'sec-fetch-mode': 'cors' }, false],
  [{ 'user-agent': 'Mozilla/5.0 Chrome/140.0' }, false],
  [{}, false],
])('headers %j mean a browser: %s', (headers, isBrowser) => {
  expect(readClient(new Headers(headers)).isBrowser).toBe(isBrowser)
})

const bearer = (authorization: string) => readClient(new Headers({ authorization })).bearer

test('a bearer token must have the form of our tokens', () => {
  expect(bearer(`Bearer ${'A'.repeat(43)}`)).toBe('A'.repeat(43))
  for (const text of ['Bearer x', `Basic ${'A'.repeat(43)}`, 'Bearer eyJhbGciOiJub25lIn0.e30.']) {
    expect(bearer(text)).toBeNull()
  }
})

const OF_SESSION = 'A'.repeat(43)

test.each([
  [`Bearer apo_${OF_SESSION}`, `apo_${OF_SESSION}`, null],
  [`bearer  apo_${OF_SESSION}`, `apo_${OF_SESSION}`, null],
  // It must not be treated as a missing token, because cookies would then count.
  ['Bearer apo_x', 'apo_x', null],
  [`Bearer ${OF_SESSION}`, null, OF_SESSION],
  [`BEARER ${OF_SESSION}`, null, OF_SESSION],
  ['Bearer x', null, null],
])('%s is the access token %s and the session %s, and cookies are ignored', (...given) => {
  const [authorization, accessToken, session] = given
  const client = readClient(new Headers({ authorization, cookie: 'access_token=b' }))
  expect([client.accessToken, client.bearer]).toEqual([accessToken, session])
  expect([...client.cookies]).toEqual([])
})

test('HTTP basic authentication is not a token, and cookies still count', () => {
  const client = readClient(new Headers({ authorization: 'Basic abc', cookie: 'a=b' }))
  expect([client.accessToken, client.bearer, [...client.cookies]]).toEqual([
    null,
    null,
    [['a', 'b']],
  ])
})
