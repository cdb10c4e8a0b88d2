import { afterEach, expect, test, vi } from 'vitest'
import { makeApiClient } from './trpc.ts'

type Sent = { url: URL; init: RequestInit | undefined }

/** Responds to every call with its own path, in the shape of a batch. */
function echo(): Sent[] {
  const sent: Sent[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.origin)
    sent.push({ url, init })
    const paths = url.pathname.replace('/trpc/', '').split(',')
    return Promise.resolve(Response.json(paths.map((path) => ({ result: { data: path } }))))
  })
  return sent
}

afterEach(() => vi.restoreAllMocks())

test('calls of one tick travel together, ten at most in a request', async () => {
  const sent = echo()
  const { auth, search } = makeApiClient()
  const calls = Array.from({ length: 11 }, () => search.specialities.query({}))
  await Promise.all([...calls, auth.me.query()])
  const counts = sent.map(({ url }) => url.pathname.split(',').length)
  expect(counts).toEqual([10, 2])
})

test('a long address is sent in parts', async () => {
  const sent = echo()
  const { search } = makeApiClient()
  const text = 'x'.repeat(60).repeat(20)
  await Promise.all([1, 2].map(() => search.suggest.query({ selectedRegion: 'uk', text })))
  expect(sent).toHaveLength(2)
})

test('a request is aborted once nobody waits for any of its calls', async () => {
  const sent = echo()
  const { search } = makeApiClient()
  const [one, other] = [new AbortController(), new AbortController()]
  await Promise.all([
    search.specialities.query({}, { signal: one.signal }),
    search.specialities.query({}, { signal: other.signal }),
  ])
  one.abort()
  expect(sent[0]?.init?.signal?.aborted).toBe(false)
  other.abort()
  expect(sent[0]?.init?.signal?.aborted).toBe(true)
})
