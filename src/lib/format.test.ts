import { expect, test } from 'vitest'
import { formatMoney } from './format-money.ts'
import {
  dayOf,
  formatDate,
  formatDay,
  formatLongDate,
  formatRelativeDay,
  formatTime,
  zoneLabel,
} from './format-time.ts'

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

test('British summer time moves the clock and the name of the zone', () => {
  expect(formatTime('2026-07-02T14:30:00Z', LONDON)).toBe('15:30')
  expect(zoneLabel('2026-07-02T14:30:00Z', LONDON)).toBe('London time, BST')
  expect(zoneLabel('2026-03-02T14:30:00Z', LONDON)).toBe('London time, GMT')
  expect(zoneLabel('2026-07-02T14:30:00Z', NEW_YORK)).toBe('New York time, EDT')
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
