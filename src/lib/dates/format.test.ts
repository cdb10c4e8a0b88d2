import { expect, onTestFinished, test } from 'vitest'
import {
  dayOf,
  formatCountdown,
  formatDate,
  formatDay,
  formatDistance,
  formatLongDate,
  formatMajorUnits,
  formatMoney,
  formatRadius,
  formatRelativeDay,
  formatTime,
  parseMinorUnits,
  readDistance,
  zoneLabel,
} from './format.ts'
import { syncServerTime } from './server-clock.ts'

const LONDON = 'Europe/London'
const NEW_YORK = 'America/New_York'

test.each([
  { minor: 6_000, currency: 'GBP', text: '£60' },
  { minor: 6_250, currency: 'GBP', text: '£62.50' },
  { minor: 0, currency: 'USD', text: '$0' },
  { minor: 123_450, currency: 'USD', text: '$1,234.50' },
] as const)('$minor minor units of $currency read $text', ({ minor, currency, text }) => {
  expect(formatMoney({ minor, currency })).toBe(text)
})

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

test('distance has one decimal and a singular', () => {
  expect(formatDistance(0)).toBe('0 miles away')
  expect(formatDistance(0.94)).toBe('0.9 miles away')
  expect(formatDistance(0.96)).toBe('1 mile away')
  expect(formatDistance(1)).toBe('1 mile away')
  expect(formatDistance(12.34)).toBe('12.3 miles away')
  expect(formatRadius(1)).toBe('within 1 mile')
  expect(formatRadius(25)).toBe('within 25 miles')
})

test('a distance in an address that is none is ignored', () => {
  expect(readDistance('2.4')).toBe(2.4)
  expect(readDistance('0.0')).toBe(0)
  for (const bad of ['0', '-1', 'NaN', 'near', '1e9', '', '1.23456', '<b>2</b>', ' 2']) {
    expect(readDistance(bad)).toBeNull()
  }
})

test.each([
  ['60', 6_000],
  [' 60.5 ', 6_050],
  ['1,200.05', 120_005],
  ['0.99', 99],
])('%s is %i in minor units', (text, minor) => {
  expect(parseMinorUnits(text)).toBe(minor)
  expect(parseMinorUnits(formatMajorUnits(minor))).toBe(minor)
})

test.each(['', 'sixty', '60.555', '-5', '1e3', '12345678', '1e9'])('%o is no amount', (text) => {
  expect(parseMinorUnits(text)).toBeNaN()
})

test('a day is called today by the server’s clock once it is known, also where the device’s is wrong', () => {
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000)
  const answer = (at: Date) => new Response(null, { headers: { date: at.toUTCString() } })
  syncServerTime(answer(inTwoDays))
  onTestFinished(() => syncServerTime(answer(new Date())))
  expect(formatRelativeDay(inTwoDays.toISOString().slice(0, 10), 'UTC')).toBe('Today')
})
