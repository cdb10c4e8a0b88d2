import { expect, test } from 'vitest'
import { writeBooked } from '#tests/harness/booked.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeWorld } from '#tests/harness/world.ts'
import { seedReminder } from './demo-reminder.ts'

test('the demo’s mailbox gets one reminder, written once', async () => {
  await using world = await makeWorld()
  const provider = await makeProvider(world)
  const { account } = await makePatient(world, { email: 'patient@demo.example' })
  await writeBooked(world, provider, { patientNo: account.no, startsAt: '2026-03-05T10:00:00Z' })
  const now = world.services.now()
  expect(await seedReminder(world.database, { now })).toBe(true)
  expect(await seedReminder(world.database, { now })).toBe(false)
  await world.drainOutbox()
  expect(world.mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['patient@demo.example', 'Reminder: your visit to Dr Amara Okafor on Thursday 5 March'],
  ])
})
