import { expect, test } from 'vitest'
import {
  formatRange,
  formatWallClock,
  formatWeekdayDate,
  parseTime,
  timeOptions,
} from './hours-format.ts'

test.each([
  ['9', 540],
  ['09', 540],
  ['930', 570],
  ['0930', 570],
  ['9:30', 570],
  ['9.30', 570],
  ['9h30', 570],
  ['9am', 540],
  ['9 AM', 540],
  ['9:30 p.m.', 1_290],
  ['9p', 1_260],
  ['12am', 0],
  ['12 pm', 720],
  ['21:30', 1_290],
  ['2130', 1_290],
  ['noon', 720],
  ['midnight', 0],
  ['0', 0],
  [' 7 ', 420],
])('%o is read as a time', (text, minutes) => {
  expect(parseTime(text)).toBe(minutes)
})

test.each(['', 'soon', '25', '24:00', '9:60', '13am', '0pm', '-1', '9:5', '99999', '9 to 5'])(
  '%o is no time of a day',
  (text) => {
    expect(parseTime(text)).toBeNull()
  },
)

test.each(['24:00', '2400', '24', '0', '00:00', 'midnight', '12am'])(
  '%o as an end is the end of the day',
  (text) => {
    expect(parseTime(text, { isEnd: true })).toBe(1_440)
  },
)

test('one digit after the start means the half of the day that lies after it', () => {
  expect(parseTime('5', { isEnd: true, after: 540 })).toBe(1_020)
  expect(parseTime('530', { isEnd: true, after: 540 })).toBe(1_050)
  // Unambiguous times, and times without a usable start, stay as they are.
  expect(parseTime('05:00', { isEnd: true, after: 540 })).toBe(300)
  expect(parseTime('5am', { isEnd: true, after: 540 })).toBe(300)
  expect(parseTime('5', { isEnd: true, after: 1_080 })).toBe(300)
  expect(parseTime('5', { isEnd: true, after: 'soon' })).toBe(300)
})

test('times stand on the clock of the region, and what is no time as it was typed', () => {
  expect(formatWallClock(570, false)).toBe('09:30')
  expect(formatWallClock(570, true)).toBe('9:30 am')
  expect(formatWallClock('soonish', true)).toBe('soonish')
  expect(formatRange({ from: 540, to: 1_020 }, true)).toBe('9:00 am to 5:00 pm')
})

test('quarters of an hour are picked from: starts from midnight, ends after the start', () => {
  expect(timeOptions({})).toHaveLength(96)
  expect(timeOptions({}).at(-1)).toBe(1_425)
  expect(timeOptions({ isEnd: true, after: 1_390 })).toEqual([1_395, 1_410, 1_425, 1_440])
  expect(timeOptions({ isEnd: true }).slice(0, 2)).toEqual([15, 30])
})

test('a date with its weekday has a comma in the USA only', () => {
  expect(formatWeekdayDate('2026-03-02', 'uk')).toBe('Mon 2 March 2026')
  expect(formatWeekdayDate('2026-03-02', 'usa')).toBe('Mon, March 2, 2026')
})
