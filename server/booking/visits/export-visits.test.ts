import { expect, test } from 'vitest'
import { HOURS_EXPORT_PATH, VISITS_EXPORT_PATH } from '#contract/booking-provider.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { parseStrictCalendar } from '#tests/harness/calendar-parsers.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

const APRIL = { from: '2026-04-01', to: '2026-04-30' }

/** A signed-in provider with visits of a patient with a malicious name. */
async function open() {
  const testApp = await makeTestApp()
  const { provider, account } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp, { first_name: '=1+1', last_name: 'Ellis' })
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const visit = (startsAt: string, of = provider) =>
    insertVisit(testApp, of, { patientNo: patient.no, startsAt })
  const take = async (path: string, body: object) => {
    const response = await browser.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { response, text: await response.text() }
  }
  return { testApp, visit, take, patient, browser }
}

test('the file has the provider’s own visits of the requested days, in local time at their place', async () => {
  const { testApp, visit, take } = await open()
  await using _ = testApp
  await visit('2026-03-31T22:30:00Z')
  await visit('2026-03-31T23:00:00Z')
  await visit('2026-04-30T22:30:00Z')
  await visit('2026-04-30T23:00:00Z')
  await visit('2026-04-10T09:00:00Z', (await makeProviderAccount(testApp)).provider)
  const { response, text } = await take(VISITS_EXPORT_PATH, APRIL)
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="visits-2026-04-01-2026-04-30.csv"',
  )
  const lines = text.trim().split('\r\n').slice(1)
  expect(lines.map((line) => line.split(',').slice(1, 4))).toEqual([
    ['2026-04-01', '00:00', '00:30'],
    ['2026-04-30', '23:30', '00:00'],
  ])
  // Spreadsheets must not read a name as a formula.
  expect(text).toContain("'=1+1 Ellis")
  expect(text).not.toContain('cough')
})

test('the same visits as a calendar', async () => {
  const { testApp, visit, take } = await open()
  await using _ = testApp
  const { id } = await visit('2026-04-10T09:00:00Z')
  const { response, text } = await take(VISITS_EXPORT_PATH, { ...APRIL, format: 'ics' })
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const { events } = parseStrictCalendar(text)
  expect(events).toMatchObject([
    { uid: `${id}@apposite`, summary: 'Visit: =1+1 Ellis', start: '2026-04-10T09:00:00Z' },
  ])
})

test('erased accounts are not named, and each export is audited', async () => {
  const { testApp, visit, take, patient } = await open()
  await using _ = testApp
  const { db } = testApp.database
  await visit('2026-04-10T09:00:00Z')
  await db.updateTable('accounts').set({ erased_at: 1 }).where('no', '=', patient.no).execute()
  expect((await take(VISITS_EXPORT_PATH, APRIL)).text).not.toContain('Ellis')
  await take(HOURS_EXPORT_PATH, {})
  const audit = await db.selectFrom('audit').select(['action', 'details']).execute()
  const audited = audit.filter(({ action }) => /export/.test(action))
  expect(audited.map(({ action }) => action)).toEqual(['visit.exported', 'availability.exported'])
  expect(JSON.parse(audited[0]?.details ?? '')).toEqual({ ...APRIL, format: 'csv' })
})

test.each([
  [{ from: '2026-04-02', to: '2026-04-01' }, 'dates_inverted'],
  [{ from: '2026-04-01', to: '2029-04-01' }, 'date_too_far'],
  [{ from: 'tomorrow' }, 'date_invalid'],
  [{ format: 'pdf' }, 'invalid_input'],
  [{ more: 1 }, 'unknown_field'],
])('%o is refused', async (input, code) => {
  const { testApp, take } = await open()
  await using _ = testApp
  const { response, text } = await take(VISITS_EXPORT_PATH, input)
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(text).toContain(code)
})

test('hours, dates, time off and blocks are a line each, with formula-like notes quoted', async () => {
  const { testApp, take, browser } = await open()
  await using _ = testApp
  const { id: placeId } = await testApp.database.db
    .selectFrom('places')
    .select('id')
    .executeTakeFirstOrThrow()
  const settings = {
    noticeMinutes: 0,
    horizonDays: 30,
    bufferMinutes: 0,
    closedOnHolidays: false,
    rotation: { weeks: 1, from: '2026-03-02' },
  }
  const hours = [{ placeId, week: 1, weekday: 3, from: 540, to: 660 }]
  await browser.act('availability.saveHours', { version: 0, settings, hours })
  const block = { version: 1, date: '2026-03-11', from: 540, to: 600, note: '@SUM(A1)' }
  await browser.act('availability.addBlock', block)
  const { response, text } = await take(HOURS_EXPORT_PATH, {})
  expect(response.headers.get('content-disposition')).toContain('hours-2026-03-02.csv')
  const lines = text.trim().split('\r\n').slice(1)
  expect(lines[0]).toBe('Weekly hours,1,Wednesday,09:00,11:00,,Borough Practice,,Europe/London')
  expect(lines[1]).toContain('Block,,2026-03-11,09:00,10:00,,,')
  expect(lines[1]).toContain("'@SUM(A1)")
  // In the zone of the main place.
  expect(lines[1]).toMatch(/,Europe\/London$/)
})
