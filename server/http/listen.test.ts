import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { request as httpRequest } from 'node:http'
import { connect, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeGalleryFixture, makePicture } from '#tests/harness/gallery.ts'
import { waitUntil } from '#tests/harness/servers/server-process.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { type Listening, listen } from './listen.ts'

/** The configuration of a test app, on this machine only and on any free port unless one is given. */
const configOf = ({ services }: TestApp, port = 0) => ({
  ...services.config,
  port,
  host: '127.0.0.1',
})

/** Serves a test app until the end of the test. */
async function serve(testApp: TestApp): Promise<Listening & AsyncDisposable & { url: string }> {
  const listening = await listen(testApp.app, configOf(testApp))
  const url = `http://127.0.0.1:${listening.port}`
  return { ...listening, url, [Symbol.asyncDispose]: () => listening.stop() }
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
  await using server = await serve(testApp)
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
})

test.each(['TRACE', 'OPTIONS', 'PROPFIND', 'DELETE', 'BREW', 'G€T'])(
  'the verb %s is answered 405 with Allow and every security header',
  async (method) => {
    await using testApp = await makeTestApp()
    await using server = await serve(testApp)
    const answer = await raw(server.port, head(method))
    expect(answer).toMatch(/^HTTP\/1\.1 405 /)
    expect(answer.toLowerCase()).toMatch(/\r\nallow: get, head/)
    expectSecured(answer)
  },
)

test('the verb CONNECT is answered 405 like the others: this is no proxy', async () => {
  await using testApp = await makeTestApp()
  await using server = await serve(testApp)
  const answer = await raw(server.port, 'CONNECT db.example:443 HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 405 /)
  expect(answer.toLowerCase()).toMatch(/\r\nallow: get, head/)
  expectSecured(answer)
})

test('an expectation that is none of ours is 417, with every security header', async () => {
  await using testApp = await makeTestApp()
  await using server = await serve(testApp)
  const answer = await raw(server.port, head('GET', ['Expect: a miracle']))
  expect(answer).toMatch(/^HTTP\/1\.1 417 /)
  expectSecured(answer)
})

test('HEAD of a call is its GET without the body', async () => {
  await using testApp = await makeTestApp()
  await using server = await serve(testApp)
  const url = `${server.url}/trpc/search.specialities?input=%7B%7D`
  const [asked, got] = [await fetch(url, { method: 'HEAD' }), await fetch(url)]
  expect(asked.status).toBe(200)
  expect(asked.headers.get('etag')).toBe(got.headers.get('etag'))
  expect(await asked.text()).toBe('')
  expect((await fetch(url.replace('specialities', 'prove'), { method: 'HEAD' })).status).toBe(405)
})

test('two lengths in one request are refused and the socket is closed', async () => {
  await using testApp = await makeTestApp()
  await using server = await serve(testApp)
  const smuggled = head('POST', ['Content-Length: 5', 'Transfer-Encoding: chunked'])
  const answer = await raw(
    server.port,
    `${smuggled.replace('Connection: close\r\n', '')}0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expectSecured(answer)
})

test('twenty kilobytes of headers are 431', async () => {
  await using testApp = await makeTestApp()
  await using server = await serve(testApp)
  const answer = await raw(server.port, head('GET', [`X-Long: ${'x'.repeat(20_000)}`]))
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  expectSecured(answer)
})

test.each([
  ['nonsense', 'hello\r\n\r\n'],
  ['a host that is none', 'GET /home HTTP/1.1\r\nHost: a b@c/\r\nConnection: close\r\n\r\n'],
  ['an address that is none', 'GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['no host', 'GET /home HTTP/1.1\r\nConnection: close\r\n\r\n'],
])('%s is refused as a bad request', async (_name, bytes) => {
  await using testApp = await makeTestApp()
  await using server = await serve(testApp)
  const answer = await raw(server.port, bytes)
  expect(answer).toMatch(/^HTTP\/1\.1 40\d /)
  expect(answer).not.toMatch(/node_modules|at .*\.ts/)
  expectSecured(answer)
})

test('a body over the limit is refused while it is still being sent', async () => {
  await using testApp = await makeTestApp()
  await using server = await serve(testApp)
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
  const server = await listen(slow, configOf(testApp))
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
  await using server = await serve(testApp)
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')))
  socket.resume()
  socket.write('hello\r\n\r\n')
  // This end of the socket stays open; writing shows that the server's end is gone.
  const drip = setInterval(() => socket.write('more'), 5)
  expect(await closed).toBe('closed')
  clearInterval(drip)
})

test('a port that is taken is an error to the caller', async () => {
  await using testApp = await makeTestApp()
  await using server = await serve(testApp)
  const taken = listen(testApp.app, configOf(testApp, server.port))
  await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

/** A hundredth of the real limits, to keep the tests fast. */
const pace = { graceMs: 300, bytesPerSecond: 4_096, everyMs: 20, silentMs: 600 }

type UploadPace = { pieces: number; pauseMs: number; length?: number }

async function open() {
  const studio = await makeGalleryFixture()
  const { browser } = await studio.enter('editor')
  const server = await listen(studio.testApp.app, configOf(studio.testApp), pace)
  const uploadHead = (length: number) =>
    [
      'POST /upload/gallery-image HTTP/1.1',
      'Host: localhost:3000',
      'Connection: close',
      'Content-Type: image/jpeg',
      `Content-Length: ${length}`,
      ...Object.entries(browser.headers()).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n')
  return {
    studio,
    port: server.port,
    /** Announces a body length, sends some of the body in pieces with a pause after each, and listens. */
    async send(body: Uint8Array, { pieces, pauseMs, length = body.length }: UploadPace) {
      const socket = connect(server.port, '127.0.0.1')
      socket.on('error', () => undefined)
      const answer = text(socket).catch(() => 'cut off')
      socket.write(uploadHead(length))
      const size = Math.ceil(body.length / pieces)
      for (let at = 0; at < body.length && !socket.destroyed; at += size) {
        socket.write(body.subarray(at, at + size))
        await sleep(pauseMs)
      }
      return answer
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await studio[Symbol.asyncDispose]()
    },
  }
}

/** A picture padded with this many bytes. */
async function pictureOf(size: number): Promise<Uint8Array> {
  const image = await makePicture()
  const padded = new Uint8Array(size)
  padded.set(image)
  return padded
}

test('an upload that takes three times as long as others may succeeds while it goes on', async () => {
  await using slow = await open()
  const answer = await slow.send(await pictureOf(60_000), { pieces: 10, pauseMs: 100 })
  expect(answer).toMatch(/^HTTP\/1\.1 201 /)
  expect(await slow.studio.files()).toHaveLength(3)
})

test('one that stands still is cut with 408, and so is one that drips', async () => {
  await using slow = await open()
  const body = await pictureOf(60_000)
  const answers = await Promise.all([
    slow.send(body.subarray(0, 2_000), { pieces: 1, pauseMs: 0, length: 60_000 }),
    slow.send(body.subarray(0, 400), { pieces: 40, pauseMs: 50, length: 60_000 }),
  ])
  for (const answer of answers) expect(answer).toMatch(/^(?:HTTP\/1\.1 408 |cut off)/)
  expect(await slow.studio.files()).toEqual([])
})

test('whoever was answered already gains no time by sending on', async () => {
  await using slow = await open()
  const lines = [
    'POST /upload/gallery-image HTTP/1.1',
    'Host: localhost:3000',
    'Content-Length: 5000000',
  ]
  const socket = connect(slow.port, '127.0.0.1')
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')))
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
  })
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  // Well above the minimum rate, which would let it continue for many minutes.
  const stream = setInterval(() => socket.write(new Uint8Array(2_000)), 20)
  expect(await closed).toBe('closed')
  clearInterval(stream)
  expect(heard).toMatch(/^HTTP\/1\.1 40[13] /)
})

test('many who drip leave the door open for others, and are all cut', async () => {
  await using slow = await open()
  const dripping = Array.from({ length: 100 }, () =>
    slow.send(new Uint8Array(60), { pieces: 30, pauseMs: 40, length: 5_000 }),
  )
  const health = await fetch(`http://127.0.0.1:${slow.port}/healthz`)
  expect(health.status).toBe(200)
  const answers = await Promise.all(dripping)
  expect(answers.filter((answer) => !/^(?:HTTP\/1\.1 408 |cut off)/.test(answer))).toEqual([])
  expect((await fetch(`http://127.0.0.1:${slow.port}/healthz`)).status).toBe(200)
})

/** A server with one large response, closed with the test. */
async function serveLargeResponse(bytes: number, more: Partial<typeof pace> = {}) {
  await using stack = new AsyncDisposableStack()
  const testApp = stack.use(await makeTestApp())
  const large = {
    fetch: () => Promise.resolve(new Response(new Uint8Array(bytes))),
  }
  const server = await listen(large, configOf(testApp), { ...pace, ...more })
  stack.defer(() => server.stop())
  const ending = stack.move()
  return { port: server.port, [Symbol.asyncDispose]: () => ending.disposeAsync() }
}

/**
 * Requests the response and reads a little of it at each interval. Resolves with the bytes read once the
 * server has closed its socket, which a client that does not read cannot see by itself.
 */
async function readSlowly(port: number, everyMs: number | null): Promise<number> {
  const accepted: Socket[] = []
  const onSocket = (message: unknown) => {
    accepted.push(ServerSocket.parse(message).socket)
  }
  subscribe('net.server.socket', onSocket)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write('GET /home HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const theirs = () => accepted.find(({ remotePort }) => remotePort === socket.localPort)
  await waitUntil(() => socket.localPort !== undefined && theirs() !== undefined)
  unsubscribe('net.server.socket', onSocket)
  let read = 0
  const drip = setInterval(() => {
    if (everyMs === null) return
    const chunk: unknown = socket.read(1_024)
    if (chunk instanceof Buffer) read += chunk.length
  }, everyMs ?? 1_000)
  await waitUntil(() => theirs()?.closed ?? false)
  clearInterval(drip)
  socket.destroy()
  return read
}

const ServerSocket = z.object({ socket: z.instanceof(Socket) })

test('whoever connects and says nothing is cut', async () => {
  await using large = await serveLargeResponse(10)
  const socket = connect(large.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  expect(socket.bytesWritten).toBe(0)
})

test('whoever reads nothing of an answer is cut, however large it is', async () => {
  await using large = await serveLargeResponse(20_000_000, { bytesPerSecond: 1 })
  expect(await readSlowly(large.port, null)).toBe(0)
})

test('whoever drips an answer is cut', async () => {
  await using large = await serveLargeResponse(20_000_000, {
    bytesPerSecond: 100_000_000,
    silentMs: 600_000,
  })
  expect(await readSlowly(large.port, 20)).toBeLessThan(10_000_000)
})

test('whoever reads at an honest pace gets all of it', async () => {
  await using large = await serveLargeResponse(3_000_000, { silentMs: 600_000 })
  const response = await fetch(`http://127.0.0.1:${large.port}/home`)
  await sleep(800)
  expect((await response.arrayBuffer()).byteLength).toBe(3_000_000)
})
