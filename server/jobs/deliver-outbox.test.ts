import { expect, test } from 'vitest'
import type { Mail, MailGateway } from '#server/gateways/mail.ts'
import { LEASE_MS, MAX_ATTEMPTS } from '#server/kernel/outbox.ts'
import { readOutboxPayload } from '#server/kernel/outbox-topics.ts'
import { deliverMessage } from '#server/messages/contact.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { deliverLocal, deliverMails, deliverOutbox } from './deliver-outbox.ts'
import { startJobs } from './loop.ts'
import { jobsFor } from './registry.ts'
import { claim, countOutbox, deleteDelivered, listDue } from './store.ts'

const HOUR = 3_600_000

const input = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  message: 'Can you see my son on Friday?',
}

async function enqueueContactEmails(testApp: TestApp, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    testApp.advance(4_200_000)
    await testApp.caller().messages.contact(input)
  }
}

async function addUndeliverableJob(testApp: TestApp, id: string, row: object = {}): Promise<void> {
  await testApp.database.db
    .insertInto('outbox')
    .values({
      id,
      topic: 'nobody.knows',
      payload: '{}',
      created_at: testApp.services.now(),
      attempts: 0,
      due_at: 0,
      done_at: null,
      failed_at: null,
      last_error: null,
      ...row,
    })
    .execute()
}

/** A mail server that can be switched off and on, and fails when one email is sent twice concurrently. */
function switchableMail() {
  const sent: Mail[] = []
  const underWay = new Set<string>()
  let isUp = true
  const gateway: MailGateway = {
    send: async (mail) => {
      if (!isUp) throw new Error('connection refused')
      if (underWay.has(mail.messageId)) throw new Error('this email is already being sent')
      underWay.add(mail.messageId)
      await new Promise((resolve) => setTimeout(resolve, 5))
      underWay.delete(mail.messageId)
      sent.push(mail)
      return 'sent'
    },
  }
  return {
    sent,
    gateway,
    turn: (up: boolean) => {
      isUp = up
    },
  }
}

describeEngines('the outbox', (makeDatabase) => {
  test('an action that is rolled back enqueues nothing', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const acting = testApp.context().transaction(async (tx) => {
      await tx.outbox.add('message.received', { messageId: `msg_${'0'.repeat(26)}` })
      throw new Error('rolled back')
    })
    await expect(acting).rejects.toThrow('rolled back')
    await testApp.drainOutbox()
    expect(testApp.mails).toEqual([])
    expect(await countOutbox(testApp.database.db)).toMatchObject({ waiting: 0, failed: 0 })
  })

  test('a commit that enqueued something wakes this process’s loop, others do not', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    let woken = 0
    testApp.services.outbox.onWake(() => {
      woken += 1
    })
    await testApp.context().transaction(() => Promise.resolve())
    expect(woken).toBe(0)
    await enqueueContactEmails(testApp, 1)
    expect(woken).toBe(1)
  })

  test('a crash between sending and recording sends the email again, with the same Message-ID', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await enqueueContactEmails(testApp, 1)
    const { db } = testApp.database
    const [due] = await listDue(db, { now: testApp.services.now(), limit: 1 })
    if (due === undefined) throw new Error('nothing is due')
    await claim(db, due, testApp.services.now())
    const { messageId } = readOutboxPayload('message.received', due.payload)
    await deliverMessage(testApp.services, { messageId, deliveryId: due.id })
    // As if the worker had died before it recorded the email. Its lease blocks others until it expires.
    await db.deleteFrom('mails').execute()
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(1)
    testApp.advance(LEASE_MS)
    await testApp.drainOutbox()
    await testApp.drainOutbox()
    expect(testApp.mails.map((mail) => mail.messageId)).toEqual([
      testApp.mails[0]?.messageId,
      testApp.mails[0]?.messageId,
    ])
    expect(await db.selectFrom('mails').select('message_id').execute()).toHaveLength(1)
  })

  test('a crash between recording and marking sends nothing more', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await enqueueContactEmails(testApp, 1)
    const { db } = testApp.database
    const [due] = await listDue(db, { now: testApp.services.now(), limit: 1 })
    if (due === undefined) throw new Error('nothing is due')
    await claim(db, due, testApp.services.now())
    const { messageId } = readOutboxPayload('message.received', due.payload)
    await deliverMessage(testApp.services, { messageId, deliveryId: due.id })
    testApp.advance(LEASE_MS)
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(1)
    expect(await countOutbox(db)).toMatchObject({ waiting: 0, failed: 0 })
  })

  test('a job that cannot be delivered fails visibly and does not delay others', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await addUndeliverableJob(testApp, `out_${'z'.repeat(26)}`)
    await enqueueContactEmails(testApp, 2)
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(2)
    expect(await countOutbox(testApp.database.db)).toMatchObject({ waiting: 1, failed: 0 })
    for (let tries = 1; tries < MAX_ATTEMPTS; tries += 1) {
      testApp.advance(2 * HOUR)
      await testApp.drainOutbox()
    }
    expect(await countOutbox(testApp.database.db)).toMatchObject({ waiting: 0, failed: 1 })
    const row = await testApp.database.db
      .selectFrom('outbox')
      .selectAll()
      .where('topic', '=', 'nobody.knows')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ attempts: MAX_ATTEMPTS, last_error: 'Error' })
    expect(testApp.logged.filter((line) => line['level'] === 50)).toMatchObject([
      { msg: 'a delivery was given up', topic: 'nobody.knows' },
    ])
    testApp.advance(100 * HOUR)
    await testApp.drainOutbox()
    expect(testApp.logged.filter((line) => line['level'] === 50)).toHaveLength(1)
  })

  test('jobs of a newer version are left untouched', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await addUndeliverableJob(testApp, `out_${'z'.repeat(26)}`)
    await deliverMails(testApp.services)
    await deliverLocal(testApp.services)
    const row = await testApp.database.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ attempts: 0, done_at: null, failed_at: null, last_error: null })
  })

  test('a job without what its topic needs fails, rather than being done without it', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await addUndeliverableJob(testApp, `out_${'z'.repeat(26)}`, { topic: 'picture.dropped' })
    await testApp.drainOutbox()
    const { db } = testApp.database
    const row = await db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ attempts: 1, done_at: null })
    expect(row.last_error).not.toBeNull()
  })

  test('an unreadable job fails as visibly, and does not delay others', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await addUndeliverableJob(testApp, `out_${'z'.repeat(26)}`, {
      topic: 'message.received',
      payload: '{',
    })
    await enqueueContactEmails(testApp, 1)
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(1)
    for (let tries = 1; tries < MAX_ATTEMPTS; tries += 1) {
      testApp.advance(2 * HOUR)
      await testApp.drainOutbox()
    }
    expect(await countOutbox(testApp.database.db)).toMatchObject({ waiting: 0, failed: 1 })
  })

  test('a mail server that never responds delays only emails', async () => {
    const mail: MailGateway = { send: () => new Promise(() => undefined) }
    await using testApp = await makeTestApp({ database: await makeDatabase(), mail })
    await enqueueContactEmails(testApp, 1)
    const id = `out_${'z'.repeat(26)}`
    const payload = JSON.stringify({ providerId: 'prv_gone' })
    await addUndeliverableJob(testApp, id, {
      topic: 'provider.changed',
      payload,
      due_at: testApp.services.now(),
    })
    const jobs = jobsFor(testApp.services.config).filter(({ name }) => name.includes('outbox'))
    const loop = startJobs(testApp.services, jobs)
    for (const { name } of jobs) loop.wake(name)
    await expect
      .poll(async () => {
        const { db } = testApp.database
        return db.selectFrom('outbox').select('done_at').where('id', '=', id).executeTakeFirst()
      })
      .toEqual({ done_at: testApp.services.now() })
    expect(await countOutbox(testApp.database.db)).toMatchObject({ waiting: 1, failed: 0 })
    void loop.stop()
  })

  test('a mail server outage of two hours loses and repeats no email', async () => {
    const mail = switchableMail()
    await using testApp = await makeTestApp({ database: await makeDatabase(), mail: mail.gateway })
    await enqueueContactEmails(testApp, 5)
    mail.turn(false)
    for (let waited = 0; waited < 2 * HOUR; waited += 60_000) {
      await testApp.drainOutbox()
      testApp.advance(60_000)
    }
    expect(await countOutbox(testApp.database.db)).toMatchObject({ waiting: 5, failed: 0 })
    mail.turn(true)
    for (let waited = 0; waited < 2 * HOUR; waited += 60_000) {
      await testApp.drainOutbox()
      testApp.advance(60_000)
    }
    expect(mail.sent).toHaveLength(5)
    expect(new Set(mail.sent.map((one) => one.messageId)).size).toBe(5)
    expect(await countOutbox(testApp.database.db)).toMatchObject({ waiting: 0, failed: 0 })
  })

  test('four concurrent workers send every email once', async () => {
    const mail = switchableMail()
    await using testApp = await makeTestApp({ database: await makeDatabase(), mail: mail.gateway })
    await enqueueContactEmails(testApp, 25)
    await Promise.all(Array.from({ length: 4 }, () => deliverOutbox(testApp.services)))
    expect(mail.sent).toHaveLength(25)
    expect(new Set(mail.sent.map((one) => one.messageId)).size).toBe(25)
    const rows = await testApp.database.db.selectFrom('outbox').select('attempts').execute()
    expect(rows.map((row) => row.attempts)).toEqual(Array.from({ length: 25 }, () => 1))
  })

  test('stopping between two deliveries leaves the rest for the next start', async () => {
    const stopping = new AbortController()
    const sent: Mail[] = []
    await using testApp = await makeTestApp({
      database: await makeDatabase(),
      mail: {
        send: (mail) => {
          sent.push(mail)
          stopping.abort()
          return Promise.resolve('sent')
        },
      },
    })
    await enqueueContactEmails(testApp, 3)
    await deliverOutbox(testApp.services, stopping.signal)
    expect(sent).toHaveLength(1)
    expect(await countOutbox(testApp.database.db)).toMatchObject({ waiting: 2, failed: 0 })
    await testApp.drainOutbox()
    expect(sent).toHaveLength(3)
  })

  test('delivered jobs are deleted in time, failed ones are not', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await enqueueContactEmails(testApp, 1)
    await testApp.drainOutbox()
    const { db } = testApp.database
    await addUndeliverableJob(testApp, `out_${'z'.repeat(26)}`)
    await db
      .updateTable('outbox')
      .set({ failed_at: 1 })
      .where('topic', '=', 'nobody.knows')
      .execute()
    await deleteDelivered(db, testApp.services.now() + 1)
    const rows = await db.selectFrom('outbox').select('topic').execute()
    expect(rows).toEqual([{ topic: 'nobody.knows' }])
  })
})
