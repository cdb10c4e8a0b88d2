import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { growthDuring, writeTinyChunks } from '#tests/harness/servers/tiny-chunks.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { listen } from './listen.ts'

const HEAD = [
  'POST /webhooks/stripe HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
  'Connection: close',
  '\r\n',
].join('\r\n')

test('a body in chunks of one byte each is refused, and takes no memory', async () => {
  await using testApp = await makeTestApp()
  const config = { ...testApp.services.config, port: 0, host: '127.0.0.1' }
  const server = await listen(testApp.app, config)
  const grown = await growthDuring(async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(HEAD)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += String(chunk)
    })
    await writeTinyChunks(socket, 5_000_000)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })
  await server.stop()
  expect(grown).toBeLessThan(50_000_000)
})
