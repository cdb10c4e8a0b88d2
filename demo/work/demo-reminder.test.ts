import { expect, test } from 'vitest'
import { writeBooked } from '#tests/harness/booked.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedReminder } from './demo-reminder.ts'

test('the demo’s mailbox gets one reminder, written once', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp)
  const { account } = await makePatient(testApp, { email: 'patient@demo.example' })
  await writeBooked(testApp, provider, { patientNo: account.no, startsAt: '2026-03-05T10:00:00Z' })
  const now = testApp.services.now()
  expect(await seedReminder(testApp.database, { now })).toBe(true)
  expect(await seedReminder(testApp.database, { now })).toBe(false)
  await testApp.drainOutbox()
  expect(testApp.mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['patient@demo.example', 'Reminder: your visit to Dr Amara Okafor on Thursday 5 March'],
  ])
})
