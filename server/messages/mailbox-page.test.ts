import { expect, test } from 'vitest'
import { limits } from '#server/kernel/limits/rate-limit.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const input = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  message: 'Is <b>Friday</b> free? See https://example.com/diary?a=1&b=2',
}

async function page(testApp: TestApp, path: string): Promise<{ status: number; text: string }> {
  const response = await testApp.app.fetch(new Request(`http://localhost:3000${path}`))
  return { status: response.status, text: await response.text() }
}

async function testAppWithMail() {
  const testApp = await makeTestApp()
  const provider = await makeProvider(testApp, { email: 'provider@demo.example' })
  await testApp.caller().messages.contact({ ...input, providerId: provider.id })
  testApp.advance(1_000)
  await testApp.caller().messages.contact({ ...input, first_name: 'Bea' })
  await testApp.drainOutbox()
  return testApp
}

test('an empty mailbox says so', async () => {
  await using testApp = await makeTestApp()
  expect((await page(testApp, '/demo/mailbox')).text).toContain('No emails yet.')
  const one = await page(testApp, '/demo/mailbox?to=%3Cscript%3E@x.example')
  expect(one.text).toContain('No emails for this address yet.')
  expect(one.text).not.toContain('<script>@')
})

test('the list shows every email, newest first, or those to one address', async () => {
  await using testApp = await testAppWithMail()
  const all = (await page(testApp, '/demo/mailbox')).text
  expect(all.indexOf('Message from Bea Lee')).toBeGreaterThan(0)
  expect(all.indexOf('Message from Ann Lee')).toBeGreaterThan(all.indexOf('Message from Bea Lee'))
  const one = (await page(testApp, '/demo/mailbox?to=Provider@demo.example')).text
  expect(one).toContain('Message from Ann Lee')
  expect(one).not.toContain('Message from Bea Lee')
  expect(one).toContain('<time datetime="2026-03-02T09:00:01.000Z">2026-03-02 09:00 UTC</time>')
})

test('an email can be read, with its URLs as links and its markup as text', async () => {
  await using testApp = await testAppWithMail()
  const list = (await page(testApp, '/demo/mailbox?to=provider@demo.example')).text
  const path = /href="(\/demo\/mailbox\/eml_[^"]+)"/.exec(list)?.[1] ?? ''
  const mail = await page(testApp, path)
  expect(mail.text).toContain('&lt;b&gt;Friday&lt;/b&gt;')
  expect(mail.text).toContain('<a href="https://example.com/diary?a=1&amp;b=2">')
  expect(mail.text).not.toContain('style=')
  const html = await testApp.app.fetch(new Request(`http://localhost:3000${path}/html`))
  const policy = html.headers.get('content-security-policy')
  expect(policy).toMatch(/default-src 'none'.*sandbox/)
  expect(policy).not.toContain('allow-scripts')
  const body = await html.text()
  expect(body).toContain('Message from Ann Lee')
  // The site's own pages refuse to be framed, so links must leave the frame.
  expect(body).toContain('<base target="_top">')
})

test('JSON has the same contents', async () => {
  await using testApp = await testAppWithMail()
  const { text } = await page(testApp, '/demo/mailbox.json?to=provider@demo.example')
  expect(JSON.parse(text)).toMatchObject({
    mails: [
      {
        to: 'provider@demo.example',
        replyTo: 'ann@example.com',
        subject: 'Message from Ann Lee',
        at: '2026-03-02T09:00:01.000Z',
      },
    ],
  })
})

test.each(['/demo/mailbox/eml_nothing', '/demo/mailbox/../x', '/demo/mailboxes', '/demo/other'])(
  '%s is not found',
  async (path) => {
    await using testApp = await testAppWithMail()
    expect((await page(testApp, path)).status).toBe(404)
  },
)

test('mailbox pages are limited per network and minute', async () => {
  await using testApp = await makeTestApp()
  const read = async (path: string, peer: string) =>
    (await testApp.app.fetch(new Request(`http://localhost:3000${path}`), peer)).status
  const { calls } = limits.demo
  const paths = ['/demo/mailbox', '/demo/mailbox.json', `/demo/mailbox/eml_${'0'.repeat(26)}`]
  const answers: number[] = []
  for (let at = 0; at < calls; at += 1) {
    answers.push(await read(paths[at % paths.length] ?? '', '192.0.2.1'))
  }
  expect(new Set(answers)).toEqual(new Set([200, 404]))
  for (const path of paths) expect(await read(path, '192.0.2.1')).toBe(429)
  expect(await read('/demo/mailbox', '198.51.100.7')).toBe(200)
})
