import { expect, test } from 'vitest'
import { isLongInput, MAX_URL_LENGTH } from '#contract/base/long-input.ts'
import { largestValue } from '#tests/harness/largest-input.ts'
import { inputSchema, isQuery, procedurePaths } from '#tests/harness/procedures.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { JSON_LIMIT } from './http/route-guards.ts'

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
    const url = `http://localhost:3000/trpc/${path}`
    const answers = await Promise.all([
      testApp.app.fetch(new Request(`${url}?input=%7B%7D`)),
      testApp.app.fetch(
        new Request(url, {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'application/json' },
        }),
        '203.0.113.9',
      ),
    ])
    const [byGet, byPost] = answers.map(({ status }) => status)
    expect([path, byPost]).toEqual([path, byGet])
    expect(byPost).not.toBe(405)
  }
})
