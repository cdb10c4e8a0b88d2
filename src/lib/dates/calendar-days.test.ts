import { expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  daysBetween,
  lastDayOf,
  monthOf,
  weekdayOf,
  weeksOf,
} from './calendar-days.ts'

test('days are added across months, leap days and the clock change', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
})

test('the distance between two days is whole, also over the clock change', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
  expect(daysBetween('2026-03-30', '2026-03-28')).toBe(-2)
})

test('months are added across years', () => {
  expect(addMonths('2026-12', 1)).toBe('2027-01')
  expect(addMonths('2026-01', -1)).toBe('2025-12')
  expect(monthOf('2026-03-02')).toBe('2026-03')
  expect(lastDayOf('2028-02')).toBe('2028-02-29')
})

test('a week begins on Monday in the UK and on Sunday in the USA', () => {
  expect(weekdayOf('2026-03-01')).toBe(7)
  const [first, second] = weeksOf('2026-03', 1)
  expect(first).toEqual([null, null, null, null, null, null, '2026-03-01'])
  expect(second?.[0]).toBe('2026-03-02')
  expect(weeksOf('2026-03', 7)[0]?.[0]).toBe('2026-03-01')
})

test('the grid of a month holds each of its days once', () => {
  for (const month of ['2026-02', '2026-03', '2026-08', '2028-02']) {
    for (const firstWeekday of [1, 7] as const) {
      const days = weeksOf(month, firstWeekday)
        .flat()
        .filter((day) => day !== null)
      expect(days).toHaveLength(Number(lastDayOf(month).slice(8)))
      expect(days[0]).toBe(`${month}-01`)
      expect(days.at(-1)).toBe(lastDayOf(month))
    }
  }
})
