import { expect, test } from 'vitest'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedMove } from './demo-move.ts'

test('the demo has a coming visit that was moved, written once', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp)
  const { account, caller } = await makePatient(testApp, { email: 'patient@demo.example' })
  const book = (startsAt: string) =>
    insertVisit(testApp, provider, { patientNo: account.no, startsAt })
  await book('2026-03-05T09:00:00Z')
  await book('2026-03-06T09:00:00Z')
  const options = { now: testApp.services.now() }
  expect(await seedMove(testApp.database, options)).toBe(true)
  expect(await seedMove(testApp.database, options)).toBe(false)
  const { visits } = await caller.booking.visits({ when: 'coming' })
  expect(visits.map(({ moves }) => moves.map(({ from, to }) => [from, to]))).toEqual([
    [],
    [['2026-03-13T09:00:00.000Z', '2026-03-06T09:00:00.000Z']],
  ])
})
