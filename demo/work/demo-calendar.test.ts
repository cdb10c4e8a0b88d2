import { expect, test } from 'vitest'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import { readOutsideCalendars } from '#server/outside-calendars/read-calendars.ts'
import { reindexProviders } from '#server/search/reindex.ts'
import { signInProviderCaller } from '#tests/harness/accounts.ts'
import { DEFAULT_HOURS, makeClinician } from '#tests/harness/clinician.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedDesk, seedOutside } from './demo-calendar.ts'

test('desk visits take the last free time of a day and are written once', async () => {
  await using testApp = await makeTestApp()
  const slots = ['03T10', '03T15', '04T10', '05T10', '06T10'].map((at) =>
    Date.parse(`2026-03-${at}:00:00Z`),
  )
  const provider = await makeProvider(testApp, { email: 'provider@demo.example', slots })
  const { secrets, now } = testApp.services
  const options = {
    now: now(),
    reindex: reindexProviders,
    seal: (text: string) => secrets.seal('desk', text),
  }
  expect(await seedDesk(testApp.database, options)).toBe(true)
  expect(await seedDesk(testApp.database, options)).toBe(false)
  const caller = await signInProviderCaller(testApp, provider)
  const { visits } = await caller.booking.week({ from: '2026-03-02' })
  expect(visits.map(({ desk, patientName, startsAt }) => [desk, patientName, startsAt])).toEqual([
    ['phone', 'Ida Rowe', '2026-03-03T15:00:00.000Z'],
    ['walk_in', 'Sam Whitfield', '2026-03-04T10:00:00.000Z'],
    ['phone', 'Noor Haddad', '2026-03-05T10:00:00.000Z'],
  ])
  const free = await testApp.caller().availability.freeTimes({ providerId: provider.id })
  expect(free.days.flatMap(({ slots: open }) => open.map(({ startsAt }) => startsAt))).toEqual([
    '2026-03-03T10:00:00.000Z',
    '2026-03-06T10:00:00.000Z',
  ])
})

test('the outside calendar’s busy times cannot be booked and are written once', async () => {
  await using testApp = await makeTestApp()
  const clinician = await makeClinician(testApp, { email: 'provider@demo.example' })
  await clinician.save(DEFAULT_HOURS)
  const options = {
    now: testApp.services.now(),
    seal: () => ({ sealed: '', fingerprint: 'demo' }),
    regenerate: regenerateSlots,
    reindex: reindexProviders,
  }
  expect(await seedOutside(testApp.database, options)).toBe(true)
  expect(await seedOutside(testApp.database, options)).toBe(false)
  const { calendars } = await clinician.caller.outsideCalendars.list({})
  expect(calendars).toMatchObject([{ name: 'Family', busy: 4, failure: null }])
  expect(await clinician.free('2026-03-11', 1)).not.toContain('2026-03-11T16:00')
  await readOutsideCalendars(testApp.services)
  expect(await clinician.caller.outsideCalendars.list({})).toMatchObject({ calendars })
})
