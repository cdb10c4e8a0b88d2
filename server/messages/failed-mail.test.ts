import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { FailedPage } from '#contract/messages.ts'
import type { Services } from '#server/context.ts'
import { deliverOutbox } from '#server/jobs/deliver-outbox.ts'
import { MAX_ATTEMPTS } from '#server/kernel/outbox.ts'
import { blankProvider } from '#server/profiles/store.ts'
import { makeAccount, makePatient } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

const HOUR = 3_600_000

/** A mail server that can be down. */
function makeServer() {
  const sent: string[] = []
  const server = { isDown: true, sent }
  const mail: Services['mail'] = {
    send: (email) => {
      if (server.isDown) {
        return Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))
      }
      sent.push(email.to)
      return Promise.resolve('sent')
    },
  }
  return { server, mail }
}

async function listFailed(browser: Browser) {
  return FailedPage.parse((await browser.ask('messages.failed', { page: 1 })).data)
}

describeEngines('an email that could not be delivered', (makeDatabase) => {
  async function open() {
    const { server, mail } = makeServer()
    const testApp = await makeTestApp({ database: await makeDatabase(), mail })
    await makeAccount(testApp, { email: 'maya@mail.example' })
    await new Browser(testApp).act('auth.forgotPassword', {
      email: 'maya@mail.example',
      userType: 'patient',
    })
    for (let tried = 0; tried < MAX_ATTEMPTS; tried += 1) {
      await deliverOutbox(testApp.services)
      testApp.advance(2 * HOUR)
    }
    return { testApp, server }
  }

  test('is listed with recipient and reason, never with its contents', async () => {
    const { testApp } = await open()
    await using _ = testApp
    const admin = await signInDemoStaff(testApp, 'admin')
    const page = await listFailed(admin)
    expect(page).toMatchObject({ total: 1, total_pages: 1, current_page: 1 })
    expect(page.deliveries).toMatchObject([
      {
        kind: 'reset_password',
        to: ['maya@mail.example'],
        tries: MAX_ATTEMPTS,
        why: 'Error ECONNREFUSED',
        hasSecret: true,
      },
    ])
    const { payload } = await testApp.database.db
      .selectFrom('outbox')
      .select('payload')
      .where('failed_at', 'is not', null)
      .executeTakeFirstOrThrow()
    const { secret } = z
      .object({ secret: z.string().check(z.minLength(20)) })
      .parse(JSON.parse(payload))
    expect(JSON.stringify(page)).not.toContain(secret)
    expect((await admin.ask('messages.failedCount')).data).toEqual({ failed: 1 })
  })

  test('is sent when retried, and the retry is audited', async () => {
    const { testApp, server } = await open()
    await using _ = testApp
    const admin = await signInDemoStaff(testApp, 'admin')
    const [email] = (await listFailed(admin)).deliveries
    server.isDown = false
    expect((await admin.act('messages.retry', { id: email?.id })).status).toBe(200)
    await deliverOutbox(testApp.services)
    expect(server.sent).toEqual(['maya@mail.example'])
    expect(await listFailed(admin)).toMatchObject({ total: 0, deliveries: [] })
    const again = await admin.act('messages.retry', { id: email?.id })
    expect([again.status, again.code]).toEqual([404, 'not_found'])
    const rows = await testApp.database.db
      .selectFrom('audit')
      .select(['actor_kind', 'entity', 'details'])
      .where('action', '=', 'mail.retried')
      .execute()
    expect(rows).toEqual([
      { actor_kind: 'staff', entity: email?.id, details: '{"topic":"account.letter"}' },
    ])
  })

  test('has the full number of attempts when retried', async () => {
    const { testApp } = await open()
    await using _ = testApp
    const admin = await signInDemoStaff(testApp, 'admin')
    const [email] = (await listFailed(admin)).deliveries
    await admin.act('messages.retry', { id: email?.id })
    await deliverOutbox(testApp.services)
    expect(await listFailed(admin)).toMatchObject({ total: 0 })
    for (let tried = 1; tried < MAX_ATTEMPTS; tried += 1) {
      testApp.advance(2 * HOUR)
      await deliverOutbox(testApp.services)
    }
    // The previous session has expired.
    await admin.act('auth.enterDemo', { email: 'admin@demo.example' })
    expect((await listFailed(admin)).deliveries).toMatchObject([{ tries: MAX_ATTEMPTS }])
  })
})

test('an author sees the number, with masked addresses, and may not retry', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp, { email: 'maya@mail.example' })
  await testApp.database.db
    .insertInto('outbox')
    .values({
      id: `out_${'1'.repeat(26)}`,
      topic: 'bank.changed',
      payload: JSON.stringify({ what: 'added', userId: account.id, account: '' }),
      created_at: 1,
      attempts: 24,
      due_at: 1,
      done_at: null,
      failed_at: 2,
      last_error: 'Error 550',
    })
    .execute()
  const author = await signInDemoStaff(testApp, 'author')
  expect((await listFailed(author)).deliveries).toMatchObject([
    { kind: 'bank_account', to: ['maxxxxxxxxxxxxxxx'], hasSecret: false },
  ])
  const refused = await author.act('messages.retry', { id: `out_${'1'.repeat(26)}` })
  expect([refused.status, refused.code, refused.message]).toEqual([
    403,
    'admins_only',
    'Only superusers and admins may do this.',
  ])
})

test('an unreadable failed delivery is shown as such, beside the others', async () => {
  await using testApp = await makeTestApp()
  const account = await makeAccount(testApp, { email: 'maya@mail.example' })
  const facts = { what: 'added', userId: account.id, account: '' }
  const letter = { letter: 'confirm_address', userId: account.id, secret: '', next: '' }
  const rows = [
    { topic: 'bank.changed', payload: '{"what":"add' },
    { topic: 'bank.changed', payload: 'null' },
    { topic: 'booking.confirmed', payload: '{"bookingId":{"id":1}}' },
    // Encrypted with a key that is no longer set.
    { topic: 'account.letter', payload: JSON.stringify({ ...letter, to: 'AAAA' }) },
    { topic: 'bank.changed', payload: JSON.stringify(facts) },
  ]
  const more = { created_at: 1, attempts: 24, due_at: 1, done_at: null, last_error: 'SyntaxError' }
  await testApp.database.db
    .insertInto('outbox')
    .values(
      rows.map((row, at) => ({
        ...row,
        ...more,
        id: `out_${String(at).repeat(26)}`,
        failed_at: 9 - at,
      })),
    )
    .execute()
  const admin = await signInDemoStaff(testApp, 'admin')
  const { deliveries } = await listFailed(admin)
  expect(deliveries.map(({ kind, isReadable, to }) => [kind, isReadable, to])).toEqual([
    ['bank_account', false, []],
    ['bank_account', false, []],
    ['visit', false, []],
    ['confirm_email', false, []],
    ['bank_account', true, ['maya@mail.example']],
  ])
})

test('failed emails about a visit list only those who would get them, and no erased addresses', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp)
  const { account } = await makePatient(testApp)
  const { db } = testApp.database
  const { id: bookingId } = await insertVisit(testApp, provider, {
    patientNo: account.no,
    startsAt: '2026-03-10T10:00:00Z',
  })
  const topics = ['booking.confirmed', 'booking.kept', 'booking.proposed', 'outcome.no_show']
  for (const [at, topic] of topics.entries()) {
    await db
      .insertInto('outbox')
      .values({
        id: `out_${String(at).repeat(26)}`,
        topic,
        payload: JSON.stringify({ bookingId, sequence: 0, at: '' }),
        created_at: 1,
        attempts: 24,
        due_at: 1,
        done_at: null,
        failed_at: 9 - at,
        last_error: 'Error 550',
      })
      .execute()
  }
  const admin = await signInDemoStaff(testApp, 'admin')
  const recipients = async () => (await listFailed(admin)).deliveries.map(({ to }) => to)
  const both = [account.email, provider.email]
  expect(await recipients()).toEqual([both, [provider.email], [account.email], [account.email]])
  await db.updateTable('accounts').set({ erased_at: 1 }).where('no', '=', account.no).execute()
  expect(await recipients()).toEqual([[provider.email], [provider.email], [], []])
  await blankProvider(db, provider, 1)
  expect(await recipients()).toEqual([[], [], [], []])
})
