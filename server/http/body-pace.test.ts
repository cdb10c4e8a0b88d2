import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeGalleryFixture, makePicture } from '#tests/harness/gallery.ts'
import { waitUntil } from '#tests/harness/servers/server-process.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { listen } from './listen.ts'

/** A hundredth of the real limits, to keep the tests fast. */
const pace = { graceMs: 300, bytesPerSecond: 4_096, everyMs: 20, silentMs: 600 }

type UploadPace = { pieces: number; pauseMs: number; length?: number }

async function open() {
  const studio = await makeGalleryFixture()
  const { browser } = await studio.enter('editor')
  const config = { ...studio.testApp.services.config, port: 0, host: '127.0.0.1' }
  const server = await listen(studio.testApp.app, config, pace)
  const head = (length: number) =>
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
      socket.write(head(length))
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
  const config = { ...testApp.services.config, port: 0, host: '127.0.0.1' }
  const server = await listen(large, config, { ...pace, ...more })
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
