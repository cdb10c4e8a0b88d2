import { expect, test } from 'vitest'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedProposal } from './demo-proposal.ts'

test('the demo has a coming visit whose provider proposes other times, written once', async () => {
  await using testApp = await makeTestApp()
  const free = [6, 7, 8, 9].map((day) => Date.parse(`2026-03-0${day}T10:00:00Z`))
  const provider = await makeProvider(testApp, { slots: free })
  const { account, caller } = await makePatient(testApp, { email: 'patient@demo.example' })
  const startsAt = '2026-03-05T09:00:00Z'
  await insertVisit(testApp, provider, { patientNo: account.no, startsAt })
  const options = { now: testApp.services.now() }
  expect(await seedProposal(testApp.database, options)).toBe(true)
  expect(await seedProposal(testApp.database, options)).toBe(false)
  const { visits } = await caller.booking.visits({ when: 'coming' })
  expect(visits[0]?.proposed?.times.map((time) => Date.parse(time.startsAt))).toEqual(
    free.slice(0, 3),
  )
})
