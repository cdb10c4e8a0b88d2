import { expect, test } from 'vitest'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const at = (iso: string) => Date.parse(iso)
const HOUR = 3_600_000

test('free times are grouped by the clinic’s day, while they can still be paid for', async () => {
  await using testApp = await makeTestApp()
  const slots = [
    '2026-03-02T08:30:00Z',
    // The last moment is seven minutes ahead: five as the payment deadline, and two to start with.
    '2026-03-02T09:06:00Z',
    '2026-03-02T09:07:00Z',
    '2026-03-02T17:00:00Z',
    '2026-03-04T10:00:00Z',
    '2026-03-20T10:00:00Z',
  ]
  const { id } = await makeProvider(testApp, { slots: slots.map(at) })
  const times = await testApp.caller().availability.freeTimes({ providerId: id, days: 7 })
  expect(times).toEqual({
    timeZone: 'Europe/London',
    consultationMinutes: 30,
    from: '2026-03-02',
    to: '2026-03-08',
    days: [
      {
        date: '2026-03-02',
        slots: [{ startsAt: '2026-03-02T09:07:00.000Z' }, { startsAt: '2026-03-02T17:00:00.000Z' }],
      },
      { date: '2026-03-04', slots: [{ startsAt: '2026-03-04T10:00:00.000Z' }] },
    ],
    nextFree: '2026-03-02T09:07:00.000Z',
    nextDay: '2026-03-20',
  })
})

test('on days of clock changes every hour is shown once, under its own day', async () => {
  await using testApp = await makeTestApp()
  const spring = at('2026-03-28T23:00:00Z')
  const autumn = at('2026-10-24T22:00:00Z')
  const hours = Array.from({ length: 28 }, (_, n) => n * HOUR)
  const { id } = await makeProvider(testApp, {
    slots: [...hours.map((n) => spring + n), ...hours.map((n) => autumn + n)],
  })
  const caller = testApp.caller()
  const count = async (from: string) => {
    const { days } = await caller.availability.freeTimes({ providerId: id, from, days: 1 })
    return days.map((day) => [day.date, day.slots.length])
  }
  expect(await count('2026-03-28')).toEqual([['2026-03-28', 1]])
  expect(await count('2026-03-29')).toEqual([['2026-03-29', 23]])
  expect(await count('2026-10-25')).toEqual([['2026-10-25', 25]])
})

test('a clinic in another zone has its own days', async () => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp, {
    region: 'usa',
    place: { time_zone: 'America/Los_Angeles', latitude: 34.05, longitude: -118.24 },
    slots: [at('2026-03-03T01:00:00Z'), at('2026-03-03T17:00:00Z')],
  })
  const { from, days } = await testApp.caller().availability.freeTimes({ providerId: id, days: 14 })
  expect(from).toBe('2026-03-02')
  expect(days.map(({ date }) => date)).toEqual(['2026-03-02', '2026-03-03'])
})

test.each([
  ['a day long past', '1999-01-01', []],
  ['a day far ahead', '2200-01-01', []],
])('%s has no times and is not an error', async (_, from, days) => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp)
  const times = await testApp.caller().availability.freeTimes({ providerId: id, from, days: 14 })
  expect(times).toMatchObject({ from, days, nextFree: '2026-03-03T09:00:00.000Z' })
})

test.each([
  { from: '2026-02-31', days: 14 },
  { from: 'tomorrow', days: 14 },
  { from: '0000-01-01', days: 14 },
  { from: '9999-12-31', days: 42 },
  { days: 0 },
  { days: 43 },
])('%o is refused', async (input) => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp)
  const call = testApp.caller().availability.freeTimes({ providerId: id, ...input })
  await expect(call).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('the calendar of an unverified provider cannot be read', async () => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp, { verification_status: 'Unverified' })
  const caller = testApp.caller()
  const unknown = `prv_${'z'.repeat(26)}`
  for (const providerId of [id, unknown]) {
    await expect(caller.availability.freeTimes({ providerId, days: 14 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'We couldn’t find that provider. They may no longer take bookings here.',
    })
  }
})
