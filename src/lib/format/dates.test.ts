import { expect, onTestFinished, test } from 'vitest'
import { syncServerTime } from '#app/lib/dates/server-clock.ts'
import {
  dayOf,
  formatCountdown,
  formatDate,
  formatDay,
  formatLongDate,
  formatRelativeDay,
  formatTime,
  zoneLabel,
} from './dates.ts'

const LONDON = 'Europe/London'
const NEW_YORK = 'America/New_York'

test('times are the clinic own: 24 hours in the UK, 12 hours in the USA', () => {
  expect(formatTime('2026-03-02T14:30:00Z', LONDON)).toBe('14:30')
  expect(formatTime('2026-03-02T14:30:00Z', NEW_YORK)).toBe('9:30 am')
  expect(formatTime('2026-03-02T17:00:00Z', NEW_YORK)).toBe('12:00 pm')
})

test('a time that clocks show twice that day says which of the two it is', () => {
  const texts = (zone: string, ...times: string[]) => times.map((at) => formatTime(at, zone))
  const night = ['2026-10-24T23:59:00Z', '2026-10-25T00:00:00Z', '2026-10-25T00:59:00Z']
  expect(texts(LONDON, ...night)).toEqual(['00:59', '01:00 BST', '01:59 BST'])
  const later = ['2026-10-25T01:00:00Z', '2026-10-25T01:59:00Z', '2026-10-25T02:00:00Z']
  expect(texts(LONDON, ...later)).toEqual(['01:00 GMT', '01:59 GMT', '02:00'])
  const there = ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-01T07:30:00Z']
  expect(texts(NEW_YORK, ...there)).toEqual(['1:30 am EDT', '1:30 am EST', '2:30 am'])
  // One is skipped in spring; none occurs twice.
  expect(texts(LONDON, '2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z')).toEqual(['00:30', '02:30'])
})

test('British summer time moves the clock and the name of the zone', () => {
  expect(formatTime('2026-07-02T14:30:00Z', LONDON)).toBe('15:30')
  expect(zoneLabel('2026-07-02T14:30:00Z', LONDON)).toBe('London time, BST')
  expect(zoneLabel('2026-03-02T14:30:00Z', LONDON)).toBe('London time, GMT')
  expect(zoneLabel('2026-07-02T14:30:00Z', NEW_YORK)).toBe('Eastern Time, EDT')
})

test('an instant near midnight belongs to the clinic day, not to the reader day', () => {
  expect(dayOf('2026-03-02T02:00:00Z', NEW_YORK)).toBe('2026-03-01')
  expect(dayOf('2026-03-02T02:00:00Z', LONDON)).toBe('2026-03-02')
})

test('days read in the order of the region', () => {
  expect(formatDay('2026-02-19', LONDON)).toBe('Thu 19 Feb')
  expect(formatDay('2026-02-19', LONDON, 'long')).toBe('Thursday 19 February')
  expect(formatDay('2026-02-19', NEW_YORK, 'long')).toBe('Thursday February 19')
  expect(formatLongDate('2026-02-19T01:00:00Z', LONDON)).toBe('Thursday 19 February 2026')
  expect(formatLongDate('2026-02-19T01:00:00Z', NEW_YORK)).toBe('Wednesday, February 18, 2026')
  expect(formatDate('2026-02-19', 'uk')).toBe('19/02/2026')
  expect(formatDate('2026-02-19', 'usa')).toBe('02/19/2026')
})

test.each([
  { date: '2026-03-28', text: 'Today' },
  { date: '2026-03-29', text: 'Tomorrow' },
  { date: '2026-03-30', text: 'Mon 30 Mar' },
])('on the eve of a clock change $date is called $text', ({ date, text }) => {
  expect(formatRelativeDay(date, LONDON, Date.parse('2026-03-28T23:30:00Z'))).toBe(text)
})

test.each([
  [582_000, '9:42'],
  [581_001, '9:42'],
  [900_000, '15:00'],
  [1, '0:01'],
  [0, '0:00'],
  [-5_000, '0:00'],
])('%i ms read %s', (ms, text) => {
  expect(formatCountdown(ms)).toBe(text)
})

test('a day is called today by the server’s clock once it is known, also where the device’s is wrong', () => {
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000)
  const answer = (at: Date) => new Response(null, { headers: { date: at.toUTCString() } })
  syncServerTime(answer(inTwoDays))
  onTestFinished(() => syncServerTime(answer(new Date())))
  expect(formatRelativeDay(inTwoDays.toISOString().slice(0, 10), 'UTC')).toBe('Today')
})
