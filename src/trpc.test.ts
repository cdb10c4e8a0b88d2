import { afterEach, expect, test, vi } from 'vitest'
import { PlaceId } from '#contract/base/ids.ts'
import { makeApiClient } from './trpc.ts'

type Sent = { url: URL; init: RequestInit | undefined }

/** Responds to every call with its own path, in the shape of a batch if it is one. */
function echo(): Sent[] {
  const sent: Sent[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.origin)
    sent.push({ url, init })
    const paths = url.pathname.replace('/trpc/', '').split(',')
    const answers = paths.map((path) => ({ result: { data: path } }))
    return Promise.resolve(Response.json(url.searchParams.has('batch') ? answers : answers[0]))
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

test('a read whose input is too long for a URL goes alone, by POST', async () => {
  const sent = echo()
  const { availability, search } = makeApiClient()
  const settings = {
    noticeMinutes: 0,
    horizonDays: 60,
    bufferMinutes: 0,
    closedOnHolidays: false,
    rotation: { weeks: 3, from: '2026-03-02' },
  }
  const placeId = PlaceId.parse(`plc_${'0'.repeat(26)}`)
  const hours = [1, 2, 3].flatMap((week) =>
    [1, 2, 3, 4, 5].flatMap((weekday) => [
      { placeId, week, weekday, from: 540, to: 720 },
      { placeId, week, weekday, from: 780, to: 1_020 },
    ]),
  )
  const draft = { settings, hours }
  await Promise.all([
    availability.preview.query({ draft }),
    search.specialities.query({}),
    availability.explain.query({ draft, date: '2026-03-03' }),
  ])
  expect(sent).toHaveLength(3)
  const requestTo = (path: string) => sent.find(({ url }) => url.pathname === `/trpc/${path}`)
  expect(requestTo('search.specialities')?.init?.method).toBe('GET')
  expect(requestTo('availability.preview')?.init).toMatchObject({
    method: 'POST',
    body: JSON.stringify({ draft }),
  })
  expect(requestTo('availability.explain')?.init).toMatchObject({
    method: 'POST',
    body: JSON.stringify({ draft, date: '2026-03-03' }),
  })
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
