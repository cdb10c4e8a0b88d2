import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { listen } from './listen.ts'

test.each([
  ['the same', 'Host: localhost'],
  ['another one', 'host: evil.example'],
  ['an empty one', 'HOST:'],
])('a second Host header is refused: %s', async (_what, second) => {
  await using testApp = await makeTestApp()
  const config = { ...testApp.services.config, port: 0, host: '127.0.0.1' }
  const server = await listen(testApp.app, config)
  try {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${second}\r\n\r\n`)
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(answer.toLowerCase()).toContain("content-security-policy: default-src 'self'")
  } finally {
    await server.stop()
  }
})
