import { expect, test } from 'vitest'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedReminder } from './demo-reminder.ts'

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
    'Reminder: your visit to Dr Amara Okafor on Thursday 5 March',
    'Your visit to Dr Amara Okafor is booked',
  ])
  for (const { text } of mails) {
    const [, mac = ''] = new RegExp(`/visit/${id}/([\\w-]+)`).exec(text) ?? []
    expect(await testApp.caller().visits.byLink({ id, mac })).toMatchObject({ id })
  }
})
