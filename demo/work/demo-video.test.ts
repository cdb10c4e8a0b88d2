import { expect, test } from 'vitest'
import { reindexProviders as reindex } from '#server/search/reindex.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { signInProvider } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'
import { seedVideo } from './demo-video.ts'

test('the demo’s patient and provider have a video visit they can join, whenever it starts', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp, { email: 'provider@demo.example', offers_video: 1 })
  const { account, caller } = await makePatient(testApp, { email: 'patient@demo.example' })
  for (const startsAt of ['2026-03-05T10:00:00Z', '2026-03-06T10:00:00Z']) {
    await insertVisit(testApp, provider, { patientNo: account.no, startsAt })
  }
  const now = testApp.services.now()
  await seedVideo(testApp.database, { now, reindex })
  await seedVideo(testApp.database, { now, reindex })
  const { visits } = await caller.booking.visits({ when: 'coming' })
  expect(visits.map(({ mode, startsAt }) => [mode, startsAt])).toEqual([
    ['video', '2026-03-02T09:10:00.000Z'],
    ['in_person', '2026-03-05T10:00:00.000Z'],
    ['video', '2026-03-06T10:00:00.000Z'],
  ])
  const id = visits[0]?.id ?? ''
  const { url } = await caller.visits.join({ id })
  const other = await signInProvider(testApp)
  expect((await other.caller.visits.join({ id })).url).toBe(url)
  // A day later that visit is over: the demo starts with another.
  testApp.advance(86_400_000)
  await seedVideo(testApp.database, { now: testApp.services.now(), reindex })
  const later = await caller.booking.visits({ when: 'coming' })
  expect(later.visits[0]).toMatchObject({ mode: 'video', startsAt: '2026-03-03T09:10:00.000Z' })
})
