import { expect, test } from 'vitest'
import { byClinicDay, clinicDayOf, endOfDayAfter, isCalendarDate, startOfDate } from './rules.ts'

const at = (iso: string) => Date.parse(iso)
const HOUR = 3_600_000

test.each([
  ['the spring Sunday in London', 'Europe/London', '2026-03-29T10:00:00Z', 23],
  ['the autumn Sunday in London', 'Europe/London', '2026-10-25T10:00:00Z', 25],
  ['the spring Sunday in New York', 'America/New_York', '2026-03-08T12:00:00Z', 23],
  ['the autumn Sunday in New York', 'America/New_York', '2026-11-01T12:00:00Z', 25],
  ['any Sunday in Phoenix', 'America/Phoenix', '2026-03-08T12:00:00Z', 24],
  ['a Monday in Honolulu', 'Pacific/Honolulu', '2026-03-02T09:00:00Z', 24],
])('%s has the right number of hours', (_, zone, iso, hours) => {
  const day = clinicDayOf(zone, at(iso))
  expect(day.end - day.start).toBe(hours * HOUR)
  expect(clinicDayOf(zone, day.start)).toEqual(day)
  expect(clinicDayOf(zone, day.end - 1)).toEqual(day)
  expect(clinicDayOf(zone, day.end).start).toBe(day.end)
  expect(startOfDate(zone, day.date)).toBe(day.start)
})

test('a late evening in New York belongs to the day there, not in London', () => {
  const late = at('2026-03-03T03:30:00Z')
  expect(clinicDayOf('America/New_York', late).date).toBe('2026-03-02')
  expect(clinicDayOf('Europe/London', late).date).toBe('2026-03-03')
})

test('times around a clock change stay on their day and in order', () => {
  const starts = [
    '2026-10-24T22:30:00Z',
    '2026-10-24T23:30:00Z',
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
    '2026-10-25T23:30:00Z',
    '2026-10-26T00:00:00Z',
  ].map(at)
  const days = byClinicDay('Europe/London', starts)
  expect(days.map(({ day, instants }) => [day.date, instants.length])).toEqual([
    ['2026-10-24', 1],
    ['2026-10-25', 4],
    ['2026-10-26', 1],
  ])
})

test('"today" ends with the calendar day of the place, also when it has 23 hours', () => {
  const now = at('2026-03-28T20:00:00Z')
  expect(endOfDayAfter('Europe/London', now, 0)).toBe(at('2026-03-29T00:00:00Z'))
  expect(endOfDayAfter('Europe/London', now, 1)).toBe(at('2026-03-29T23:00:00Z'))
  expect(endOfDayAfter('America/Los_Angeles', now, 0)).toBe(at('2026-03-29T07:00:00Z'))
})

test('dates too far away for a calendar of appointments are recognized', () => {
  expect(isCalendarDate('2026-03-02')).toBe(true)
  expect(isCalendarDate('0001-01-01')).toBe(false)
  expect(isCalendarDate('9999-12-31')).toBe(false)
})
