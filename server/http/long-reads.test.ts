import { expect, test } from 'vitest'
import { isLongInput, MAX_URL_LENGTH } from '#contract/base/long-input.ts'
import { largestValue } from '#tests/harness/largest-input.ts'
import { inputSchema, isQuery, procedurePaths } from '#tests/harness/procedures.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { JSON_LIMIT } from './route-guards.ts'

const SITE = 'http://localhost:3000'

function read(path: string, input: object): Request {
  return new Request(`${SITE}/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`)
}

function post(path: string, input: object, headers: Record<string, string> = {}): Request {
  return new Request(`${SITE}/trpc/${path}`, {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json', ...headers },
  })
}

const queries = procedurePaths.filter(isQuery)

/** The URL of a read in a batch of its own, as tRPC's client makes it. */
function urlOf(path: string, input: unknown): string {
  return `/trpc/${path}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input }))}`
}

test.each(queries)(
  'the largest input of %s fits into a URL, or into the body of a POST',
  (path) => {
    const largest = largestValue(inputSchema(path))
    if (!isLongInput(largest))
      expect(urlOf(path, largest).length).toBeLessThanOrEqual(MAX_URL_LENGTH)
    expect(Buffer.byteLength(JSON.stringify(largest))).toBeLessThan(JSON_LIMIT)
  },
)

test('the longest input that still goes in a URL fits, whatever the procedure', () => {
  let input = { text: '' }
  while (!isLongInput({ text: `${input.text}x` })) input = { text: `${input.text}x` }
  for (const path of queries) {
    expect(urlOf(path, input).length).toBeLessThanOrEqual(MAX_URL_LENGTH)
  }
})

test('some inputs are too long for a URL, among them drafts of hours', () => {
  const long = queries.filter((path) => isLongInput(largestValue(inputSchema(path))))
  expect(long).toEqual(expect.arrayContaining(['availability.preview', 'availability.explain']))
})

test('every query is answered by POST as by GET', async () => {
  await using testApp = await makeTestApp()
  for (const path of queries) {
    const byGet = await testApp.app.fetch(read(path, {}), '203.0.113.8')
    const byPost = await testApp.app.fetch(post(path, {}), '203.0.113.9')
    expect([path, byPost.status]).toEqual([path, byGet.status])
    expect(byPost.status).not.toBe(405)
  }
})

test('a read by POST is not kept, takes no key, counts like one by GET, and comes from our pages', async () => {
  await using testApp = await makeTestApp()
  const ask = (selectedRegion: string, headers?: Record<string, string>) =>
    testApp.app.fetch(post('search.specialities', { selectedRegion }, headers), '203.0.113.9')
  const byGet = await testApp.app.fetch(read('search.specialities', { selectedRegion: 'usa' }))
  const key = { 'idempotency-key': 'one-and-the-same' }
  const byPost = await ask('usa', key)
  expect(await byPost.text()).toBe(await byGet.text())
  expect(byGet.headers.get('cache-control')).toBe('public, max-age=86400')
  expect(byPost.headers.get('cache-control')).toBe('no-store')
  expect((await ask('uk', key)).status).toBe(200)
  expect((await ask('uk', { origin: 'https://evil.example' })).status).toBe(403)
  const statuses: number[] = []
  for (let index = 0; index <= 120; index += 1) {
    statuses.push((await testApp.app.fetch(post('search.providers', {}), '203.0.113.7')).status)
  }
  expect([statuses[0], statuses[119], statuses[120]]).toEqual([400, 400, 429])
})

test('a write by GET stays refused', async () => {
  await using testApp = await makeTestApp()
  expect((await testApp.app.fetch(read('auth.signOut', {}))).status).toBe(405)
})
