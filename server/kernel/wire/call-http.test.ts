import { createServer, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { callHttp, type HttpCall } from './call-http.ts'

async function upstream(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}/path?a=1`
  return {
    ask: (changed: Partial<HttpCall> = {}) =>
      callHttp(url, { method: 'GET', headers: {}, timeoutMs: 5_000, maxBytes: 100, ...changed }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

test('method, headers and body arrive, and the whole response is read', async () => {
  await using server = await upstream((request, response) => {
    response.writeHead(418, { 'content-type': 'text/x-echo' })
    response.write(`${request.method} ${request.url} ${String(request.headers['x-own'])} `)
    request.pipe(response)
  })
  const answer = await server.ask({ method: 'POST', headers: { 'x-own': 'yes' }, body: 'tö' })
  expect([
    answer.status,
    answer.headers.get('content-type'),
    answer.headers.get('location'),
  ]).toEqual([418, 'text/x-echo', null])
  expect(answer.body.toString('utf8')).toBe('POST /path?a=1 yes tö')
})

test('a redirect is returned, not followed', async () => {
  let asked = 0
  await using server = await upstream((_request, response) => {
    asked++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const answer = await server.ask()
  expect([answer.status, answer.headers.get('location'), asked]).toEqual([302, '/elsewhere', 1])
})

test('a response that is too long is an error before it is read completely', async () => {
  await using server = await upstream((_request, response) => {
    // The response never ends: a caller that waits for its end runs into the test timeout.
    response.write('x'.repeat(101))
  })
  await expect(server.ask()).rejects.toThrow('more than 100 bytes')
})

test('a timeout, a partial response and an unreachable server are errors', async () => {
  await using silent = await upstream(() => {})
  await expect(silent.ask({ timeoutMs: 50 })).rejects.toThrow('aborted')
  await using stuck = await upstream((_request, response) => void response.write('half'))
  await expect(stuck.ask({ timeoutMs: 50 })).rejects.toThrow('aborted')
  await using broken = await upstream((_request, response) => {
    response.writeHead(200, { 'content-length': '50' })
    response.write('half', () => response.destroy())
  })
  await expect(broken.ask()).rejects.toThrow('other side closed')
  const gone = await upstream(() => {})
  await gone[Symbol.asyncDispose]()
  await expect(gone.ask()).rejects.toThrow('ECONNREFUSED')
  const call: HttpCall = { method: 'GET', headers: {}, timeoutMs: 1_000, maxBytes: 1 }
  await expect(callHttp('file:///etc/passwd', call)).rejects.toThrow('not implemented')
})

test('the size cap counts decompressed bytes', async () => {
  await using server = await upstream((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(10_000)))
  })
  await expect(server.ask()).rejects.toThrow('more than 100 bytes')
})
