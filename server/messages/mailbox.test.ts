import { expect, test } from 'vitest'
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
  expect((await page(testApp, '/demo/mailbox')).text).toContain('No mail yet.')
  const one = await page(testApp, '/demo/mailbox?to=%3Cscript%3E@x.example')
  expect(one.text).toContain('No mail for this address yet.')
  expect(one.text).not.toContain('<script>@')
})

test('the list shows every mail, newest first, or those to one address', async () => {
  await using testApp = await testAppWithMail()
  const all = (await page(testApp, '/demo/mailbox')).text
  expect(all.indexOf('Message from Bea Lee')).toBeGreaterThan(0)
  expect(all.indexOf('Message from Ann Lee')).toBeGreaterThan(all.indexOf('Message from Bea Lee'))
  const one = (await page(testApp, '/demo/mailbox?to=Provider@demo.example')).text
  expect(one).toContain('Message from Ann Lee')
  expect(one).not.toContain('Message from Bea Lee')
  expect(one).toContain('<time datetime="2026-03-02T09:00:01.000Z">2026-03-02 09:00 UTC</time>')
})

test('a mail can be read, with its addresses as links and its markup as text', async () => {
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
  // The site's own pages refuse to be framed, so that a link that stayed inside would be dead.
  expect(body).toContain('<base target="_top">')
})

test('programs read the same as JSON', async () => {
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
  '%s is not there',
  async (path) => {
    await using testApp = await testAppWithMail()
    expect((await page(testApp, path)).status).toBe(404)
  },
)
