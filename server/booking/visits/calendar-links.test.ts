import { expect, test } from 'vitest'
import { referenceOf } from '#contract/ids.ts'
import { DEFAULT_REMINDERS } from '#contract/reminders.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

async function visitOf(testApp: TestApp, state: 'confirmed' | 'cancelled' = 'confirmed') {
  const provider = await makeProvider(testApp, { last_name: 'O’Neil & Søn', region: 'usa' })
  const { account, caller } = await makePatient(testApp)
  const { id } = await insertVisit(testApp, provider, {
    patientNo: account.no,
    startsAt: '2026-07-14T13:30:00Z',
    region: 'usa',
    state,
  })
  return { id, caller, visit: () => caller.booking.visit({ id }) }
}

function readLink(link = '') {
  const { host, pathname, searchParams } = new URL(link)
  return { at: host + pathname, ...Object.fromEntries(searchParams) }
}

test('calendars on the web open with when, who and where, and never with what for', async () => {
  await using testApp = await makeTestApp()
  const { id, visit } = await visitOf(testApp)
  const { calendarLinks: links } = await visit()
  const place = 'Borough Practice, 12 Harper Road, London, SE1 6ET'
  expect(readLink(links?.google)).toEqual({
    at: 'calendar.google.com/calendar/render',
    action: 'TEMPLATE',
    text: 'Visit to Dr Amara O’Neil & Søn',
    dates: '20260714T133000Z/20260714T140000Z',
    ctz: 'America/New_York',
    location: place,
    details: `Reference: ${referenceOf(id)}`,
  })
  expect(readLink(links?.outlook)).toEqual({
    at: 'outlook.live.com/calendar/0/deeplink/compose',
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: 'Visit to Dr Amara O’Neil & Søn',
    startdt: '2026-07-14T13:30:00.000Z',
    enddt: '2026-07-14T14:00:00.000Z',
    location: place,
    body: `Reference: ${referenceOf(id)}`,
  })
  expect(links?.outlook).not.toContain('+')
  expect(JSON.stringify(links)).not.toMatch(/cough/)
})

test('a cancelled visit goes into no calendar, and a discreet one names nobody', async () => {
  await using testApp = await makeTestApp()
  expect((await (await visitOf(testApp, 'cancelled')).visit()).calendarLinks).toBeNull()
  const { caller, visit } = await visitOf(testApp)
  await caller.reminders.save({ ...DEFAULT_REMINDERS, discreet: true })
  const { calendarLinks: links } = await visit()
  expect(readLink(links?.google)).toMatchObject({ text: 'Appointment' })
  expect(JSON.stringify(links)).not.toMatch(/Neil|Borough(%20|\+| )Practice/)
})
