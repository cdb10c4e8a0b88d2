import { expect, test } from 'vitest'
import { type Ask, makeAsk, makeClient } from './batching-client.ts'

type Sent = { url: URL; init: RequestInit }

/** A server that echoes the number of each call, or whatever `answer` says. */
function server(answer?: (calls: string[]) => unknown): { ask: Ask; sent: Sent[] } {
  const sent: Sent[] = []
  const ask = makeAsk({
    url: '/trpc',
    maxItems: 3,
    maxUrlLength: 200,
    fetch: (address, init) => {
      const url = new URL(address, 'http://site')
      sent.push({ url, init })
      const calls = url.pathname.replace('/trpc/', '').split(',')
      return Promise.resolve(
        Response.json(answer?.(calls) ?? calls.map((_, at) => ({ result: { data: at } }))),
      )
    },
  })
  return { ask, sent }
}

const callTo = (path: string, signal?: AbortSignal) => ({ path, input: { path }, signal })

test('reads of one turn travel together by GET, each with its own input and answer', async () => {
  const { ask, sent } = server()
  const answers = await Promise.all([ask('query', callTo('a.b')), ask('query', callTo('c.d'))])
  expect(answers).toEqual([0, 1])
  expect(sent.map(({ url, init }) => [init.method, url.pathname])).toEqual([
    ['GET', '/trpc/a.b,c.d'],
  ])
  const input: unknown = JSON.parse(sent[0]?.url.searchParams.get('input') ?? '')
  expect(input).toEqual({ 0: { path: 'a.b' }, 1: { path: 'c.d' } })
})

test('writes go by POST with their inputs in the body', async () => {
  const { ask, sent } = server()
  await ask('mutation', callTo('a.b'))
  expect(sent[0]?.url.search).toBe('?batch=1')
  expect(sent[0]?.init).toMatchObject({ method: 'POST', body: '{"0":{"path":"a.b"}}' })
})

test('more calls than a request may carry, or a longer address, are sent in parts', async () => {
  const { ask, sent } = server()
  await Promise.all(['a', 'b', 'c', 'd'].map((path) => ask('query', callTo(path))))
  await Promise.all([ask('query', callTo('x'.repeat(60))), ask('query', callTo('y'.repeat(60)))])
  expect(sent.map(({ url }) => url.pathname.length)).toEqual([11, 7, 66, 66])
})

test('a refusal of one call leaves the others their answers', async () => {
  const data = { appCode: 'busy' }
  const { ask } = server(() => [{ error: { message: 'Busy.', data } }, { result: { data: 1 } }])
  const [refused, answered] = await Promise.allSettled([
    ask('query', callTo('a')),
    ask('query', callTo('b')),
  ])
  expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'Busy.', data } })
  expect(answered).toEqual({ status: 'fulfilled', value: 1 })
})

test('a refusal of the whole request reaches every call, and so does nonsense', async () => {
  const whole = server(() => ({ error: { message: 'Too many.', data: {} } }))
  const calls = [whole.ask('query', callTo('a')), whole.ask('query', callTo('b'))]
  for (const one of await Promise.allSettled(calls)) {
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'Too many.' } })
  }
  await expect(server(() => 7).ask('query', callTo('a'))).rejects.toThrow('Unable to read')
})

test('a request is given up when nobody waits for it any more', async () => {
  const { ask, sent } = server()
  const [one, other] = [new AbortController(), new AbortController()]
  await Promise.all([
    ask('query', callTo('a', one.signal)),
    ask('query', callTo('b', other.signal)),
  ])
  one.abort()
  expect(sent[0]?.init.signal?.aborted).toBe(false)
  other.abort()
  expect(sent[0]?.init.signal?.aborted).toBe(true)
})

test('the rooms of the router are objects, reads and writes their methods', async () => {
  const asked: unknown[] = []
  type Ways = Record<'query' | 'mutate', (input: number) => Promise<unknown>>
  const client = makeClient<{ search: { providers: Ways }; then?: unknown }>((kind, call) => {
    asked.push([kind, call.path, call.input])
    return Promise.resolve(null)
  })
  expect(client.then).toBeUndefined()
  await client.search.providers.query(1)
  await client.search.providers.mutate(2)
  expect(asked).toEqual([
    ['query', 'search.providers', 1],
    ['mutation', 'search.providers', 2],
  ])
})
