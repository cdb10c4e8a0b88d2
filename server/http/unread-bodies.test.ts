import { expect, test } from 'vitest'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const SITE = 'http://localhost:3000'

/** A POST whose body is a stream that counts how often it is read. */
function streamed(path: string, size: number, most = Number.POSITIVE_INFINITY) {
  const read = { times: 0 }
  const body = new ReadableStream({
    pull(controller) {
      read.times += 1
      if (read.times > most) controller.close()
      else controller.enqueue(new Uint8Array(size).fill(32))
    },
  })
  // The DOM types lack `duplex`, which Node requires.
  const options = {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
    duplex: 'half',
  }
  return { read, request: new Request(`${SITE}/trpc/${path}`, options) }
}

test.each([
  ['one call', 'profiles.exportData'],
  ['a batch', 'profiles.exportData,booking.hold?batch=1'],
])('of what a stranger sends to %s that needs a session, nothing is read', async (_what, path) => {
  await using testApp = await makeTestApp()
  const { read, request } = streamed(path, 16_384)
  const response = await testApp.app.fetch(request)
  expect(response.status).toBe(401)
  expect(await response.text()).toContain('sign_in_required')
  expect(response.headers.get('connection')).toBe('close')
  // The stream fills its own queue once, which counts as reads.
  expect(read.times).toBeLessThan(3)
})

test('a batch with a call that is open to strangers is read, and cut off at the limit', async () => {
  await using testApp = await makeTestApp()
  const { read, request } = streamed('profiles.exportData,messages.contact?batch=1', 4_096)
  const response = await testApp.app.fetch(request)
  expect(response.status).toBe(413)
  expect(read.times).toBeLessThan(8)
})

test('a chunked body of somebody signed in is cut off at the limit, and read below it', async () => {
  await using testApp = await makeTestApp()
  const browser = new Browser(testApp)
  await browser.signIn(await makeAccount(testApp))
  const send = async (most?: number) => {
    const { read, request } = streamed('profiles.exportData', 16_384, most)
    const { headers, body } = request
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
    const response = await browser.fetch('/trpc/profiles.exportData', init)
    return { status: response.status, times: read.times }
  }
  const endless = await send()
  expect(endless.status).toBe(413)
  expect(endless.times).toBeLessThan(8)
  expect((await send(4)).status).toBe(400)
})
