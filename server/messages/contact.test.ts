import { expect, test } from 'vitest'
import type { ContactInput } from '#contract/messages.ts'
import { createCaller } from '#server/app-router.ts'
import { AppError } from '#server/kernel/errors.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const input = {
  first_name: 'Ann',
  last_name: "O'Neil-Şahin",
  email: 'Ann@Example.com',
  message: 'Can you see my son on Friday?\nHe is six.',
} satisfies ContactInput

async function codeOf(asking: Promise<unknown>): Promise<string> {
  const error: unknown = await asking.then(
    () => new Error('it was accepted'),
    (reason: unknown) => reason,
  )
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof AppError ? cause.code : String(error)
}

async function countStored(testApp: TestApp): Promise<{ messages: number; jobs: number }> {
  const messages = await testApp.database.db.selectFrom('contact_messages').select('id').execute()
  const jobs = await testApp.database.db.selectFrom('outbox').select('id').execute()
  return { messages: messages.length, jobs: jobs.length }
}

describeEngines('the contact form', (makeDatabase) => {
  test('a message to a provider reaches their address, and replies go to the sender', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const provider = await makeProvider(testApp, { title: 'Dr', last_name: 'Okafor' })
    const { reference } = await testApp
      .caller()
      .messages.contact({ ...input, providerId: provider.id })
    expect(testApp.mails).toEqual([])
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(1)
    const [mail] = testApp.mails
    expect(mail).toMatchObject({
      to: provider.email,
      replyTo: 'ann@example.com',
      subject: "Message from Ann O'Neil-Şahin",
    })
    expect(mail?.messageId).toMatch(/^out_[0-9a-z]{26}@localhost$/)
    expect(mail?.text).toContain('Hello Amara,\nSomeone has sent you a message')
    expect(mail?.text).toContain('> Can you see my son on Friday?\n> He is six.')
    expect(mail?.text).toContain(reference)
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(1)
  })

  test('a message without a recipient goes to the people who run the site', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await testApp.caller().messages.contact(input)
    await testApp.drainOutbox()
    expect(testApp.mails.map((mail) => mail.to)).toEqual([testApp.services.config.supportEmail])
  })

  test('the sender gets no copy', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await testApp.caller().messages.contact(input)
    await testApp.drainOutbox()
    expect(testApp.mails.filter((mail) => mail.to === 'ann@example.com')).toEqual([])
  })

  test('an unverified provider gets the same response as an unknown one', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const hidden = await makeProvider(testApp, { verification_status: 'Unverified' })
    const { contact } = testApp.caller().messages
    const nobody = `prv_${'z'.repeat(26)}`
    expect(await codeOf(contact({ ...input, providerId: hidden.id }))).toBe('provider_not_found')
    expect(await codeOf(contact({ ...input, providerId: nobody }))).toBe('provider_not_found')
    expect(await countStored(testApp)).toEqual({ messages: 0, jobs: 0 })
  })

  test('a message and its outbox job are stored together or not at all', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await testApp.caller().messages.contact(input)
    const taken = await testApp.database.db.selectFrom('outbox').select('id').executeTakeFirst()
    const newId = testApp.services.newId
    // Reusing the outbox id makes the insert fail.
    testApp.services.newId = (prefix) => (prefix === 'out' ? (taken?.id ?? '') : newId(prefix))
    expect(await codeOf(testApp.caller().messages.contact(input))).toBe('internal')
    expect(await countStored(testApp)).toEqual({ messages: 1, jobs: 1 })
  })
})

test.each([
  ['email', 'ann@example.com\r\nBcc: everybody@example.com'],
  ['email', 'ann@example.com\nBcc: everybody@example.com'],
  ['first_name', 'Ann\r\nBcc: everybody@example.com'],
  ['last_name', 'Lee\nSubject: changed'],
  ['email', 'ann＠example.com'],
  ['email', 'ann@\u212Aelvin.example'],
  ['first_name', 'An\u200Bn'],
  ['last_name', '\u202Eeel'],
  ['first_name', '<img src=x onerror=alert(1)>'],
  ['message', 'short'],
  ['message', 'x'.repeat(10_000)],
])(
  '%s of %j is refused with a message for that field, and nothing is stored',
  async (field, value) => {
    await using testApp = await makeTestApp()
    const body = JSON.stringify({ ...input, [field]: value })
    const response = await testApp.app.fetch(
      new Request('http://localhost:3000/trpc/messages.contact', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      }),
    )
    if (body.length <= 10_240) {
      expect(response.status).toBe(400)
      const answer: unknown = await response.json()
      expect(answer).toMatchObject({
        error: { data: { appCode: 'invalid_input', issues: [{ path: field }] } },
      })
    } else expect(response.status).toBe(413)
    expect(await countStored(testApp)).toEqual({ messages: 0, jobs: 0 })
  },
)

test('letters of every script are accepted', async () => {
  await using testApp = await makeTestApp()
  const message = 'Добрый день, можно ли записаться на пятницу? 你好。'.repeat(20)
  await testApp
    .caller()
    .messages.contact({ ...input, first_name: 'Łukasz', last_name: '陳', message })
  await testApp.drainOutbox()
  expect(testApp.mails[0]?.text).toContain(`> ${message}`)
})

test('bidi control characters are removed from a message', async () => {
  await using testApp = await makeTestApp()
  await testApp
    .caller()
    .messages.contact({ ...input, message: 'Pay \u202e0001\u202c pounds\u0007 now' })
  await testApp.drainOutbox()
  expect(testApp.mails[0]?.text).toContain('> Pay 0001 pounds now')
})

test('markup in a message is shown as text', async () => {
  await using testApp = await makeTestApp()
  const message = '<script>alert(1)</script> & <a href="https://evil.example">this</a> {{7*7}}'
  await testApp.caller().messages.contact({ ...input, message })
  await testApp.drainOutbox()
  const html = testApp.mails[0]?.html ?? ''
  expect(html).not.toContain('<script')
  expect(html).not.toContain('href="https://evil')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;a href=&quot;')
  expect(testApp.mails[0]?.text).toContain(`> ${message}`)
})

test('a filled honeypot is refused with an error, and nothing is stored', async () => {
  await using testApp = await makeTestApp()
  const asking = testApp.caller().messages.contact({ ...input, website: 'https://spam.example' })
  expect(await codeOf(asking)).toBe('message_rejected')
  expect(await countStored(testApp)).toEqual({ messages: 0, jobs: 0 })
  await testApp.caller().messages.contact({ ...input, website: '' })
  expect(await countStored(testApp)).toEqual({ messages: 1, jobs: 1 })
})

test('a form sent faster than anybody can fill it in is refused', async () => {
  await using testApp = await makeTestApp()
  const { contact } = testApp.caller().messages
  expect(await codeOf(contact({ ...input, elapsedMs: 2_999 }))).toBe('message_too_fast')
  expect(await countStored(testApp)).toEqual({ messages: 0, jobs: 0 })
  await contact({ ...input, elapsedMs: 3_000 })
  expect(await countStored(testApp)).toEqual({ messages: 1, jobs: 1 })
})

test('five messages an hour from one network, and refused ones do not count', async () => {
  await using testApp = await makeTestApp()
  const { contact } = testApp.caller().messages
  for (let count = 0; count < 10; count += 1) {
    expect(await codeOf(contact({ ...input, elapsedMs: 1 }))).toBe('message_too_fast')
  }
  for (let count = 0; count < 5; count += 1) await contact(input)
  expect(await codeOf(contact(input))).toBe('rate_limited')
  expect(await countStored(testApp)).toEqual({ messages: 5, jobs: 5 })
  testApp.advance(4_200_000)
  await contact(input)
  expect(await countStored(testApp)).toEqual({ messages: 6, jobs: 6 })
})

test('twenty messages an hour to one provider, across networks', async () => {
  await using testApp = await makeTestApp()
  const one = await makeProvider(testApp)
  const other = await makeProvider(testApp)
  const write = (n: number, to: { id: string }) =>
    createCaller({ ...testApp.context(), network: `203.0.113.${n}` }).messages.contact({
      ...input,
      providerId: to.id,
    })
  for (let n = 0; n < 20; n += 1) await write(n, one)
  expect(await codeOf(write(20, one))).toBe('rate_limited')
  await write(20, other)
  expect(await countStored(testApp)).toEqual({ messages: 21, jobs: 21 })
})

test('no personal data reaches the log', async () => {
  await using testApp = await makeTestApp({
    mail: { send: () => Promise.reject(new Error('the server is down')) },
  })
  await testApp.caller().messages.contact({ ...input, message: 'canary canary canary' })
  await testApp.drainOutbox()
  const log = JSON.stringify(testApp.logged)
  expect(log).toContain('a delivery failed')
  for (const word of ['canary', 'example.com', 'Şahin']) expect(log).not.toContain(word)
})
