import { afterEach, expect, test, vi } from 'vitest'
import { describeFailure, retryTransient } from './errors.ts'

afterEach(() => vi.restoreAllMocks())

/** An error as the client creates it from the server's response. */
function refusal(
  appCode: string,
  rest: { message?: string; details?: object; issues?: object[] } = {},
) {
  const { message = appCode, ...data } = rest
  return Object.assign(new Error(message), {
    data: { appCode, details: {}, issues: [], requestId: 'req_1', ...data },
  })
}

test("a typed refusal is told in the server's own sentence", () => {
  const message = 'We can’t find the postcode “XX1”. Check it and try again.'
  const failure = describeFailure(
    refusal('postcode_unknown', { message, details: { region: 'uk', code: 'XX1' } }),
  )
  expect(failure).toEqual({
    code: 'postcode_unknown',
    sentence: message,
    reference: null,
    fields: {},
    near: null,
    retryAfter: null,
    work: 1,
  })
})

test('a place to search instead comes along where there is one', () => {
  const details = { region: 'uk', code: 'BT58 4AA', near: 'Belfast' }
  expect(describeFailure(refusal('postcode_unknown', { details })).near).toBe('Belfast')
})

test.for(['internal', 'busy', 'upstream_unavailable'])(
  'a fault of ours, %s, has a reference for support',
  (code) => {
    expect(describeFailure(refusal(code)).reference).toBe('req_1')
  },
)

test('how long to wait is known when the server says it', () => {
  const failure = describeFailure(refusal('rate_limited', { details: { retryAfterSeconds: 42 } }))
  expect(failure.retryAfter).toBe(42)
})

test('issues of single fields are found by the name of the field', () => {
  const issues = [{ path: 'email', message: 'Enter a valid email address.' }]
  expect(describeFailure(refusal('invalid_input', { issues })).fields).toEqual({
    email: 'Enter a valid email address.',
  })
})

test('a code newer than this page is told in the sentence that came with it', () => {
  const message = 'The moon is in the way. Try again at dawn.'
  expect(describeFailure(refusal('code_of_tomorrow', { message })).sentence).toBe(message)
})

test('what only looks like an answer of ours is an unknown failure, not a crash', () => {
  expect(describeFailure(Object.assign(new Error('x'), { data: { appCode: 7 } })).code).toBe(
    'unknown',
  )
})

test('no network is told as being offline, however deep the cause lies', () => {
  const cause = new TypeError('Failed to fetch')
  expect(describeFailure(new Error('wrapped', { cause })).code).toBe('offline')
})

test('a browser that knows it is offline is believed', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  expect(describeFailure(new Error('boom')).code).toBe('offline')
})

test('code that is gone from the server asks for a reload while the network is there', () => {
  const lost = new TypeError('Failed to fetch dynamically imported module: /assets/a.js')
  expect(describeFailure(lost).code).toBe('outdated')
})

test('an answer that did not come in time is a time-out', () => {
  const cause = new DOMException('signal timed out', 'TimeoutError')
  expect(describeFailure(new Error('wrapped', { cause })).code).toBe('timeout')
})

test.each(['a string', null, undefined, 7, { data: null }])('%j thrown is unknown', (thrown) => {
  expect(describeFailure(thrown)).toMatchObject({ code: 'unknown', reference: null })
})

test.each([
  { code: 'busy', again: true },
  { code: 'rate_limited', again: false },
  { code: 'internal', again: false },
])('$code is asked again at once: $again', ({ code, again }) => {
  expect(retryTransient(1, refusal(code))).toBe(again)
  expect(retryTransient(2, refusal(code))).toBe(false)
})
