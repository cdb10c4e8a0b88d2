import { expect, test } from 'vitest'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import { readOutsideCalendars } from '#server/outside-calendars/read-calendars.ts'
import { reindexProviders } from '#server/search/index-rows.ts'
import { DEFAULT_HOURS, makeClinician } from '#tests/harness/hours.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedOutside } from './demo-outside.ts'

test('the demo has a calendar kept elsewhere, whose busy times nobody can book, written once', async () => {
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
