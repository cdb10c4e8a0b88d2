import { expect, test } from 'vitest'
import { OutboxId } from '#contract/base/ids.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'
import { seedFailedEmail, seedReminder } from './demo-emails.ts'

describeEngines('the demo’s failed emails', (makeDatabase) => {
  test('failed emails are written once, each with an id that can be resent', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await makeProvider(testApp, { email: 'provider@demo.example' })
    const now = testApp.services.now()
    const wrote = await Promise.all([
      seedFailedEmail(testApp.database, { now }),
      seedFailedEmail(testApp.database, { now }),
    ])
    expect(wrote.toSorted()).toEqual([false, true])
    const rows = await testApp.database.db
      .selectFrom('outbox')
      .select(['id', 'failed_at'])
      .execute()
    expect(rows.map(({ failed_at: at }) => at)).toEqual([now - 5 * 3_600_000])
    expect(OutboxId.safeParse(rows[0]?.id).success).toBe(true)
  })
})

test('the demo’s mailbox gets one confirmation and one reminder, whose links show the visit', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp)
  const { account } = await makePatient(testApp, { email: 'patient@demo.example' })
  const { id } = await insertVisit(testApp, provider, {
    patientNo: account.no,
    startsAt: '2026-03-05T10:00:00Z',
  })
  const now = testApp.services.now()
  expect(await seedReminder(testApp.database, { now })).toBe(true)
  expect(await seedReminder(testApp.database, { now })).toBe(false)
  await testApp.drainOutbox()
  const mails = testApp.mails.filter(({ to }) => to === 'patient@demo.example')
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'Booked: your visit to Dr Amara Okafor',
    'Reminder: your visit to Dr Amara Okafor on Thursday 5 March',
  ])
  for (const { text } of mails) {
    const [, mac = ''] = new RegExp(`/visit/${id}/([\\w-]+)`).exec(text) ?? []
    expect(await testApp.caller().visits.byLink({ id, mac })).toMatchObject({ id })
  }
})
