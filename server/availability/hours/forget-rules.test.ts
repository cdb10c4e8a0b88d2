import { expect, test } from 'vitest'
import { DataExport } from '#contract/profiles.ts'
import { DAY_MS } from '#contract/time.ts'
import { extendSlots } from '#server/availability/slots/extend-slots.ts'
import { refreshNextFreeOf } from '#server/search/index-rows.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const settings = {
  noticeMinutes: 0,
  horizonDays: 30,
  bufferMinutes: 0,
  closedOnHolidays: false,
  rotation: { weeks: 1, from: '2026-03-02' },
}

/** A provider with hours, an extra date and an absence, each with a note that names someone. */
async function makeProviderWithRules(testApp: TestApp) {
  const { account, provider } = await makeProviderAccount(testApp)
  const { id: placeId } = await testApp.database.db
    .selectFrom('places')
    .select('id')
    .executeTakeFirstOrThrow()
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const hours = [{ placeId, week: 1, weekday: 3, from: 540, to: 660 }]
  const answers = [
    await browser.act('availability.saveHours', { version: 0, settings, hours }),
    await browser.act('availability.addDates', {
      version: 1,
      placeId,
      dates: ['2026-03-07'],
      from: 600,
      to: 720,
      note: 'Instead of Canary day',
    }),
    await browser.act('availability.addAbsence', {
      version: 2,
      placeId: null,
      from: '2026-03-09',
      to: '2026-03-13',
      note: 'Canary islands',
    }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  return { browser, provider }
}

test('whoever asks for their data gets their hours, dates and absences with it', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await makeProviderWithRules(testApp)
  const { provider } = DataExport.parse((await browser.act('profiles.exportData')).data)
  expect(provider).toMatchObject({
    availability: {
      settings: { notice_minutes: 0, horizon_days: 30, rotation_from: '2026-03-02' },
      hours: [{ place: 'Borough Practice', weekday: 3, from_minute: 540, to_minute: 660 }],
      extra_dates: [{ date: '2026-03-07', note: 'Instead of Canary day' }],
      absences: [{ from_date: '2026-03-09', to_date: '2026-03-13', note: 'Canary islands' }],
    },
  })
})

test('whoever erases their account leaves no hours behind, and no night makes slots of them', async () => {
  await using testApp = await makeTestApp()
  const { browser } = await makeProviderWithRules(testApp)
  await browser.act('erasure.erase', { confirm: true })
  testApp.advance(2 * DAY_MS)
  await extendSlots(testApp.services, refreshNextFreeOf)
  const { db } = testApp.database
  const kept = [
    await db.selectFrom('schedules').selectAll().execute(),
    await db.selectFrom('weekly_hours').selectAll().execute(),
    await db.selectFrom('extra_dates').selectAll().execute(),
    await db.selectFrom('absences').selectAll().execute(),
    await db.selectFrom('slots').selectAll().execute(),
  ]
  expect(kept).toEqual([[], [], [], [], []])
})
