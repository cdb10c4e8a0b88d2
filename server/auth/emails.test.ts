import { expect, test } from 'vitest'
import { type Mail, makeSmtpMail } from '#server/gateways/mail.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { MAX_ATTEMPTS } from '#server/kernel/outbox.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { startSmtpServer } from '#tests/harness/servers/smtp-server.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const FROM = 'Apposite <no-reply@care.example>'
const HOUR = 3_600_000

const person = {
  first_name: 'Ngozi',
  last_name: 'Obi',
  email: 'ngozi@mail.example',
  password: 'under the mango tree',
  phone_number: '+44 20 7946 0123',
  date_of_birth: '1990-02-28',
  terms: true,
}

function register(testApp: TestApp) {
  return new Browser(testApp).act('auth.registerPatient', person)
}

function forget(testApp: TestApp, email: string) {
  return new Browser(testApp).act('auth.forgotPassword', { email, userType: 'patient' })
}

function outboxOf(testApp: TestApp) {
  return testApp.database.db.selectFrom('outbox').selectAll().orderBy('id').execute()
}

/** The outbox metrics operators see: jobs waiting and jobs that failed. */
async function readOutboxMetrics(testApp: TestApp): Promise<string[]> {
  const request = new Request('http://localhost:3000/metrics')
  const text = await (await testApp.app.fetch(request, '127.0.0.1')).text()
  return [...text.matchAll(/^apposite_outbox_((?:waiting|failed) .*)$/gm)].map(
    ([, line = '']) => line,
  )
}

/** A mail server that rejects all recipients, or only some, with the given reply code. */
function startRejectingServer(answer: (address: string, nth: number) => number | null) {
  let asked = 0
  return startSmtpServer({
    onRcptTo({ address }, _session, done) {
      asked += 1
      const responseCode = answer(address, asked)
      done(responseCode === null ? null : Object.assign(new Error('refused'), { responseCode }))
    },
  })
}

test('the registration email arrives as text and HTML, and its link confirms the address', async () => {
  await using server = await startSmtpServer()
  await using testApp = await makeTestApp({ mail: makeSmtpMail(server.url, FROM) })
  await register(testApp)
  expect(server.received).toEqual([])
  await testApp.drainOutbox()
  const [got, ...others] = server.received
  expect(others).toEqual([])
  expect([got?.from, got?.to]).toEqual(['no-reply@care.example', [person.email]])
  expect(got?.email).toMatchObject({
    subject: 'Confirm your email address',
    from: { name: 'Apposite', address: 'no-reply@care.example' },
    to: [{ address: person.email }],
    messageId: expect.stringMatching(/^<out_\w+@localhost>$/) as unknown,
  })
  const text = got?.email.text ?? ''
  const token = /verify\/([\w-]{43})/.exec(text)?.[1] ?? ''
  expect(got?.email.html).toContain(`/verify/${token}`)
  expect(got?.email.html).toContain('width=device-width')
  expect((await new Browser(testApp).act('auth.verifyEmail', { token })).status).toBe(200)
  const kept = await testApp.database.db.selectFrom('mails').selectAll().execute()
  expect(kept).toMatchObject([{ sent: 1, to_address: person.email }])
  expect(JSON.stringify(kept)).not.toContain(token)
})

test('a temporarily rejected email is retried with growing delays, sent once, and its link still works', async () => {
  await using server = await startRejectingServer((_address, nth) => (nth <= 3 ? 451 : null))
  await using testApp = await makeTestApp({ mail: makeSmtpMail(server.url, FROM) })
  await register(testApp)
  const waits: number[] = []
  for (let tries = 1; tries <= 3; tries += 1) {
    await testApp.drainOutbox()
    const [row] = await outboxOf(testApp)
    expect(row).toMatchObject({ attempts: tries, done_at: null, last_error: 'Error 451' })
    waits.push((row?.due_at ?? 0) - testApp.services.now())
    // Not before the retry is due.
    await testApp.drainOutbox()
    expect((await outboxOf(testApp))[0]?.attempts).toBe(tries)
    testApp.advance(waits.at(-1) ?? 0)
  }
  expect(waits).toEqual([5_000, 10_000, 20_000])
  await testApp.drainOutbox()
  expect(server.received).toHaveLength(1)
  const token = /verify\/([\w-]{43})/.exec(server.received[0]?.email.text ?? '')?.[1] ?? ''
  expect((await new Browser(testApp).act('auth.verifyEmail', { token })).status).toBe(200)
})

test('an unreachable mail server loses no email', async () => {
  const gone = await startSmtpServer()
  await gone[Symbol.asyncDispose]()
  await using testApp = await makeTestApp({ mail: makeSmtpMail(gone.url, FROM) })
  const { status } = await register(testApp)
  expect(status).toBe(200)
  await testApp.drainOutbox()
  expect(await outboxOf(testApp)).toMatchObject([
    { attempts: 1, done_at: null, failed_at: null, last_error: 'Error ESOCKET' },
  ])
  await using server = await startSmtpServer()
  testApp.services.mail = makeSmtpMail(server.url, FROM)
  testApp.advance(HOUR)
  await testApp.drainOutbox()
  expect(server.received).toHaveLength(1)
})

test('a permanently rejected email fails visibly for operators, and delays no other', async () => {
  await using server = await startRejectingServer((address) =>
    address === person.email ? 550 : null,
  )
  await using testApp = await makeTestApp({ mail: makeSmtpMail(server.url, FROM) })
  await register(testApp)
  const other = await makeAccount(testApp)
  await forget(testApp, other.email)
  await testApp.drainOutbox()
  expect(server.received.map(({ to }) => to)).toEqual([[other.email]])
  expect(await readOutboxMetrics(testApp)).toEqual(['waiting 1', 'failed 0'])
  for (let tries = 1; tries < MAX_ATTEMPTS; tries += 1) {
    testApp.advance(2 * HOUR)
    await testApp.drainOutbox()
  }
  const failed = (await outboxOf(testApp)).filter(({ failed_at }) => failed_at !== null)
  expect(failed).toMatchObject([
    { topic: 'account.letter', attempts: MAX_ATTEMPTS, done_at: null, last_error: 'Error 550' },
  ])
  expect(await readOutboxMetrics(testApp)).toEqual(['waiting 0', 'failed 1'])
  expect(testApp.logged.filter((line) => line['level'] === 50)).toMatchObject([
    { msg: 'a delivery was given up', topic: 'account.letter', attempts: MAX_ATTEMPTS },
  ])
  expect(JSON.stringify(testApp.logged)).not.toContain(person.email)
})

test('an action that is rolled back sends no email', async () => {
  await using server = await startSmtpServer()
  await using testApp = await makeTestApp({ mail: makeSmtpMail(server.url, FROM) })
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  // Every mutation writes an audit row in its transaction: without that table none can commit.
  await testApp.database.db.schema.alterTable('audit').renameTo('audit_gone').execute()
  const undone = [
    await register(testApp),
    await forget(testApp, account.email),
    await browser.act('auth.sendCode', { purpose: 'erase' }),
  ]
  for (const { status } of undone) expect(status).toBeGreaterThanOrEqual(500)
  await testApp.drainOutbox()
  expect(server.received).toEqual([])
  const { db } = testApp.database
  expect(await outboxOf(testApp)).toEqual([])
  expect(await db.selectFrom('links').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('codes').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('accounts').select('no').execute()).toEqual([{ no: account.no }])
})

test('whoever deleted their account gets the email about that, and none that was still waiting', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await browser.act('auth.changeEmail', { email: 'new@mail.example', password: PASSWORD })
  expect((await browser.act('erasure.erase', { confirm: true })).status).toBe(200)
  await testApp.drainOutbox()
  expect(testApp.mails.map(({ to, subject }) => [to, subject])).toEqual([
    [account.email, 'Your account was deleted'],
  ])
})

test('the warning about a change of address goes to the old one, even if the change comes first', async () => {
  const received: Mail[] = []
  let isPutOff = true
  await using testApp = await makeTestApp({
    mail: {
      send(mail) {
        if (isPutOff && mail.to === 'owner@mail.example') {
          return Promise.reject(new UpstreamError('The mail server', new Error('451')))
        }
        received.push(mail)
        return Promise.resolve('kept')
      },
    },
  })
  const account = await makeAccount(testApp, { email: 'owner@mail.example' })
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await browser.act('auth.changeEmail', { email: 'attacker@mail.example', password: PASSWORD })
  await testApp.drainOutbox()
  const token = /verify\/([\w-]{43})/.exec(received[0]?.text ?? '')?.[1] ?? ''
  expect((await browser.act('auth.verifyEmail', { token })).status).toBe(200)
  isPutOff = false
  testApp.advance(HOUR)
  await testApp.drainOutbox()
  const warned = received.filter(({ subject }) => subject.includes('is about to change'))
  expect(warned.map(({ to }) => to)).toEqual(['owner@mail.example'])
})
