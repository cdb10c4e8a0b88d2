import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { UpstreamError } from '#server/kernel/errors.ts'
import { PaypalHttp } from './paypal-http.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const TOKEN = '{"access_token":"t","expires_in":3600}'

type Answer = (response: ServerResponse) => void

const failing =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end('{}')
const succeeding: Answer = (response) => response.end('{"id":"1"}')
/** Accepts the request and never responds. */
const silent: Answer = () => {}

/** A server that sends these responses in turn, repeating the last one, and a client that retries soon. */
async function startFakePaypal(answers: Answer[], timeoutMs = 60_000) {
  const asked: IncomingMessage[] = []
  const askedAt: number[] = []
  const server = createServer((request, response) => {
    if (request.url === '/v1/oauth2/token') {
      response.end(TOKEN)
      return
    }
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    asked.push(request)
    askedAt.push(performance.now())
    answer?.(response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const http = new PaypalHttp({
    access: () =>
      Promise.resolve({
        base: `http://127.0.0.1:${port}`,
        environment: 'sandbox',
        clientId: 'id',
        clientSecret: 'secret',
        webhookId: 'hook',
      }),
    now: () => START,
    chance: () => 0.1,
    timeoutMs,
  })
  return {
    asked,
    /** Milliseconds from each request to the next. */
    waits: () => askedAt.slice(1).map((time, index) => time - (askedAt[index] ?? 0)),
    read: () => http.send({ method: 'GET', path: '/v2/x' }),
    http,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

test.each([500, 503, 429, 409])(
  'a call answered %i is retried with exponential backoff and jitter',
  async (status) => {
    await using at = await startFakePaypal([failing(status), failing(status), succeeding])
    expect(await at.read()).toEqual({ id: '1' })
    const [first, second] = at.waits()
    expect(first).toBeGreaterThan(48)
    expect(second).toBeGreaterThan(98)
  },
)

test('it gives up after three tries', async () => {
  await using at = await startFakePaypal([failing(500)])
  await expect(at.read()).rejects.toBeInstanceOf(UpstreamError)
  expect(at.asked).toHaveLength(3)
})

test.each([
  ['1', 1_048],
  ['0', 48],
  ['soon', 48],
])('it does not retry sooner than Retry-After %s', async (header, ms) => {
  await using at = await startFakePaypal([failing(429, { 'retry-after': header }), succeeding])
  await at.read()
  expect(at.waits()[0]).toBeGreaterThan(ms)
})

test('a Retry-After beyond five seconds fails at once', async () => {
  await using at = await startFakePaypal([failing(429, { 'retry-after': '6' }), succeeding])
  await expect(at.read()).rejects.toBeInstanceOf(UpstreamError)
  expect(at.asked).toHaveLength(1)
})

test('a POST without a request id is never retried, one with an id is', async () => {
  await using at = await startFakePaypal([failing(500), failing(500), succeeding])
  const post = { method: 'POST', path: '/v2/x', body: '{}' } as const
  await expect(at.http.send(post)).rejects.toBeInstanceOf(UpstreamError)
  expect(await at.http.send({ ...post, requestId: 'pay:1' })).toEqual({ id: '1' })
  expect(at.asked).toHaveLength(3)
})

test('a hanging call ends at its timeout, and is not retried after it', async () => {
  await using at = await startFakePaypal([silent], 500)
  await expect(at.read()).rejects.toBeInstanceOf(UpstreamError)
  expect(at.asked).toHaveLength(1)
})
