import { expect, test } from 'vitest'
import { UpstreamError } from '#server/kernel/errors.ts'
import { startSmtpServer } from '#tests/harness/servers/smtp-server.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { makeDemoMail, makeSmtpMail } from './mail.ts'

const FROM = 'Apposite <no-reply@care.example>'

const mail = {
  messageId: 'out_1@care.example',
  to: 'doctor@clinic.example',
  replyTo: 'ann@example.com',
  subject: 'Message from Łukasz 陳',
  text: 'Zażółć gęślą jaźń\n',
  html: '<p>Zażółć gęślą jaźń</p>',
}

const message = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  message: 'Can you see my son on Friday?',
}

test('an email arrives complete: sender, recipient, reply address, both bodies, any script', async () => {
  await using server = await startSmtpServer()
  expect(await makeSmtpMail(server.url, FROM).send(mail)).toBe('sent')
  const [got] = server.received
  expect([got?.from, got?.to]).toEqual(['no-reply@care.example', ['doctor@clinic.example']])
  expect(got?.email).toMatchObject({
    messageId: '<out_1@care.example>',
    subject: 'Message from Łukasz 陳',
    from: { name: 'Apposite', address: 'no-reply@care.example' },
    to: [{ address: 'doctor@clinic.example' }],
    replyTo: [{ address: 'ann@example.com' }],
  })
  expect(got?.email.text?.trim()).toBe('Zażółć gęślą jaźń')
  expect(got?.email.html?.trim()).toBe('<p>Zażółć gęślą jaźń</p>')
})

test('an email with an unsubscribe URL has one-click headers (RFC 8058), others do not', async () => {
  await using server = await startSmtpServer()
  const smtp = makeSmtpMail(server.url, FROM)
  const unsubscribe = 'https://care.example/unsubscribe/usr_1.mac'
  await smtp.send({ ...mail, unsubscribe })
  await smtp.send(mail)
  const headersOf = (at: number) =>
    server.received[at]?.email.headers.flatMap(({ key, value }) =>
      key.startsWith('list-') ? [[key, value]] : [],
    )
  expect(headersOf(0)).toEqual([
    ['list-unsubscribe', `<${unsubscribe}>`],
    ['list-unsubscribe-post', 'List-Unsubscribe=One-Click'],
  ])
  expect(headersOf(1)).toEqual([])
})

test('a name and password in the URL are used', async () => {
  const seen: string[] = []
  await using server = await startSmtpServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth(auth, _session, done) {
      seen.push(`${auth.username}:${auth.password}`)
      done(null, { user: 'apposite' })
    },
  })
  const url = `smtp://apposite:p%40ss@127.0.0.1:${server.port}`
  await makeSmtpMail(url, FROM).send(mail)
  expect(seen).toEqual(['apposite:p@ss'])
  expect(server.received).toHaveLength(1)
})

test.each(['to', 'replyTo', 'subject', 'messageId', 'unsubscribe'] as const)(
  'a line break in %s is refused before anything is sent',
  async (field) => {
    await using server = await startSmtpServer()
    const bad = { ...mail, [field]: 'x@y.example\r\nBcc: everybody@example.com' }
    await expect(makeSmtpMail(server.url, FROM).send(bad)).rejects.toThrow('line break')
    expect(server.received).toEqual([])
  },
)

test('an address with commas is one recipient or none', async () => {
  await using server = await startSmtpServer()
  const several = { ...mail, to: 'a@one.example, b@two.example' }
  await makeSmtpMail(server.url, FROM)
    .send(several)
    .catch(() => undefined)
  for (const got of server.received) expect(got.to).toHaveLength(1)
})

test.each([450, 550])('a server that answers %d is an upstream failure', async (code) => {
  await using server = await startSmtpServer({
    onRcptTo(_address, _session, done) {
      done(Object.assign(new Error('no'), { responseCode: code }))
    },
  })
  await expect(makeSmtpMail(server.url, FROM).send(mail)).rejects.toThrow(UpstreamError)
})

test('an address quoted in a rejection is left out of the log and the outbox', async () => {
  await using server = await startSmtpServer({
    onRcptTo(address, _session, done) {
      const refusal = new Error(`mailbox ${address.address} is unknown here`)
      done(Object.assign(refusal, { responseCode: 550 }))
    },
  })
  await using testApp = await makeTestApp({
    mail: makeSmtpMail(server.url, FROM),
    config: { supportEmail: 'canary@care.example' },
  })
  await testApp.caller().messages.contact(message)
  await testApp.drainOutbox()
  const [row] = await testApp.database.db.selectFrom('outbox').selectAll().execute()
  expect(row).toMatchObject({ attempts: 1, done_at: null, last_error: 'Error 550' })
  expect(JSON.stringify(testApp.logged)).toContain('"responseCode":550')
  expect(JSON.stringify([testApp.logged, row])).not.toContain('canary')
})

test('an unreachable server is an upstream failure', async () => {
  const server = await startSmtpServer()
  await server[Symbol.asyncDispose]()
  await expect(makeSmtpMail(server.url, FROM).send(mail)).rejects.toThrow(UpstreamError)
})

test('nothing is sent unencrypted to a server other than localhost', async () => {
  await using server = await startSmtpServer()
  // 0.0.0.0 reaches the same server but is not a loopback name.
  const url = `smtp://0.0.0.0:${server.port}`
  await expect(makeSmtpMail(url, FROM).send(mail)).rejects.toThrow(UpstreamError)
  expect(server.received).toEqual([])
})

test('the demo stores emails', async () => {
  expect(await makeDemoMail().send(mail)).toBe('kept')
})

test('a contact message travels from the form to the mail server', async () => {
  await using server = await startSmtpServer()
  await using testApp = await makeTestApp({ mail: makeSmtpMail(server.url, FROM) })
  await testApp.caller().messages.contact(message)
  await testApp.drainOutbox()
  expect(server.received[0]?.to).toEqual([testApp.services.config.supportEmail])
  expect(server.received[0]?.email.text).toContain('> Can you see my son on Friday?')
  const rows = await testApp.database.db.selectFrom('mails').select(['sent']).execute()
  expect(rows).toEqual([{ sent: 1 }])
})

test('an invitation is an alternative part with its method, and an attachment', async () => {
  await using server = await startSmtpServer()
  await makeSmtpMail(server.url, 'Apposite <no-reply@care.example>').send({
    messageId: 'out_1@localhost',
    to: 'ada@mail.example',
    replyTo: null,
    subject: 'Your visit is booked',
    text: 'Your visit is booked.',
    html: '<p>Your visit is booked.</p>',
    files: [
      {
        name: 'visit-2026-03-03.ics',
        type: 'text/calendar; charset=utf-8; method=REQUEST',
        text: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n',
      },
    ],
  })
  const parts = server.received[0]?.email.attachments ?? []
  const seen = parts.map(({ mimeType, method, filename }) => [mimeType, method, filename])
  expect(seen).toEqual([
    ['text/calendar', 'REQUEST', null],
    ['application/ics', undefined, 'visit-2026-03-03.ics'],
  ])
})
