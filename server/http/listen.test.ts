import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { type Listening, listen } from './listen.ts'

async function serve(testApp: TestApp): Promise<Listening & { url: string }> {
  const config = { ...testApp.services.config, port: 0, host: '127.0.0.1' }
  const listening = await listen(testApp.app, config)
  return { ...listening, url: `http://127.0.0.1:${listening.port}` }
}

/** Sends raw bytes and reads until the server closes. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(bytes)
  return text(socket)
}

function head(method: string, extra: string[] = []): string {
  const lines = [`${method} /home HTTP/1.1`, 'Host: localhost', 'Connection: close', ...extra]
  return `${lines.join('\r\n')}\r\n\r\n`
}

function expectSecured(answer: string): void {
  expect(answer.toLowerCase()).toContain("content-security-policy: default-src 'self'")
  expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff')
}

test('pages, calls and bodies work over a socket', async () => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const homepage = await fetch(`${server.url}/trpc/gallery.homepage`)
  expect([homepage.status, homepage.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ])
  expect(homepage.headers.get('content-length')).toBe(
    String((await homepage.clone().arrayBuffer()).byteLength),
  )
  const sent = await fetch(`${server.url}/trpc/messages.contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann@example.com',
      message: 'Can you see my son on Friday?',
    }),
  })
  expect(sent.status).toBe(200)
  await server.stop()
})

test.each(['TRACE', 'OPTIONS', 'PROPFIND', 'DELETE', 'BREW', 'G€T'])(
  'the verb %s is answered 405 with Allow and every security header',
  async (method) => {
    await using testApp = await makeTestApp()
    const server = await serve(testApp)
    const answer = await raw(server.port, head(method))
    expect(answer).toMatch(/^HTTP\/1\.1 405 /)
    expect(answer.toLowerCase()).toMatch(/\r\nallow: get, head/)
    expectSecured(answer)
    await server.stop()
  },
)

test('the verb CONNECT is answered 405 like the others: this is no proxy', async () => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const answer = await raw(server.port, 'CONNECT db.example:443 HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 405 /)
  expect(answer.toLowerCase()).toMatch(/\r\nallow: get, head/)
  expectSecured(answer)
  await server.stop()
})

test('an expectation that is none of ours is 417, with every security header', async () => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const answer = await raw(server.port, head('GET', ['Expect: a miracle']))
  expect(answer).toMatch(/^HTTP\/1\.1 417 /)
  expectSecured(answer)
  await server.stop()
})

test('HEAD of a call is its GET without the body', async () => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const url = `${server.url}/trpc/search.specialities?input=%7B%7D`
  const [asked, got] = [await fetch(url, { method: 'HEAD' }), await fetch(url)]
  expect(asked.status).toBe(200)
  expect(asked.headers.get('etag')).toBe(got.headers.get('etag'))
  expect(await asked.text()).toBe('')
  expect((await fetch(url.replace('specialities', 'prove'), { method: 'HEAD' })).status).toBe(405)
  await server.stop()
})

test('two lengths in one request are refused and the socket is closed', async () => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const smuggled = head('POST', ['Content-Length: 5', 'Transfer-Encoding: chunked'])
  const answer = await raw(
    server.port,
    `${smuggled.replace('Connection: close\r\n', '')}0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expectSecured(answer)
  await server.stop()
})

test('twenty kilobytes of headers are 431', async () => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const answer = await raw(server.port, head('GET', [`X-Long: ${'x'.repeat(20_000)}`]))
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  expectSecured(answer)
  await server.stop()
})

test.each([
  ['nonsense', 'hello\r\n\r\n'],
  ['a host that is none', 'GET /home HTTP/1.1\r\nHost: a b@c/\r\nConnection: close\r\n\r\n'],
  ['an address that is none', 'GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['no host', 'GET /home HTTP/1.1\r\nConnection: close\r\n\r\n'],
])('%s is refused as a bad request', async (_name, bytes) => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const answer = await raw(server.port, bytes)
  expect(answer).toMatch(/^HTTP\/1\.1 40\d /)
  expect(answer).not.toMatch(/node_modules|at .*\.ts/)
  expectSecured(answer)
  await server.stop()
})

test('a body over the limit is refused while it is still being sent', async () => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const answer = await new Promise<{ status: number | undefined; body: string }>(
    (resolve, reject) => {
      const request = httpRequest(`${server.url}/trpc/gallery.homepage`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      })
      request.on('error', reject)
      request.on('response', (response) => {
        resolve(text(response).then((body) => ({ status: response.statusCode, body })))
      })
      request.write('x'.repeat(100_000))
    },
  )
  expect(answer.status).toBe(413)
  expect(answer.body).toContain('body_too_large')
  await server.stop()
})

test('stopping waits for the request under way, and takes no new one', async () => {
  await using testApp = await makeTestApp()
  const begun = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const slow = {
    fetch: async (request: Request) => {
      begun.resolve()
      await finish.promise
      return testApp.app.fetch(request)
    },
  }
  const config = { ...testApp.services.config, port: 0, host: '127.0.0.1' }
  const server = await listen(slow, config)
  const url = `http://127.0.0.1:${server.port}/healthz`
  const answering = fetch(url)
  await begun.promise
  let isStopped = false
  const stopping = server.stop().finally(() => {
    isStopped = true
  })
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  expect(isStopped).toBe(false)
  finish.resolve()
  expect((await answering).status).toBe(200)
  await stopping
})

test('an idle connection does not hold up a stop', async () => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const socket = connect(server.port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')))
  await server.stop()
  expect(await closed).toBe('closed')
})

test('a refused caller who never closes does not keep the socket', async () => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')))
  socket.resume()
  socket.write('hello\r\n\r\n')
  // This end of the socket stays open; writing shows that the server's end is gone.
  const drip = setInterval(() => socket.write('more'), 5)
  expect(await closed).toBe('closed')
  clearInterval(drip)
  await server.stop()
})

test('a port that is taken is an error to the caller', async () => {
  await using testApp = await makeTestApp()
  const server = await serve(testApp)
  const config = { ...testApp.services.config, port: server.port, host: '127.0.0.1' }
  await expect(listen(testApp.app, config)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await server.stop()
})
