import { expect, test } from 'vitest'
import { moveInCalendar } from './other-dates.tsx'

// March 2026 begins on a Sunday; only these days have times.
const days = ['2026-03-02', '2026-03-04', '2026-03-09', '2026-03-20', '2026-03-23']
const grid = { days, firstWeekday: 1 } as const
const move = (key: string, from: string) => moveInCalendar(key, from, grid)

test('left and right go to the nearest day that has times', () => {
  expect(move('ArrowRight', '2026-03-04')).toEqual({ day: '2026-03-09' })
  expect(move('ArrowLeft', '2026-03-09')).toEqual({ day: '2026-03-04' })
})

test('up and down keep the weekday where they can', () => {
  expect(move('ArrowDown', '2026-03-02')).toEqual({ day: '2026-03-09' })
  expect(move('ArrowDown', '2026-03-09')).toEqual({ day: '2026-03-23' })
  expect(move('ArrowUp', '2026-03-23')).toEqual({ day: '2026-03-09' })
  expect(move('ArrowDown', '2026-03-04')).toEqual({ day: '2026-03-09' })
})

test('arrows at the edge and the page keys change the month', () => {
  expect(move('ArrowRight', '2026-03-23')).toEqual({ months: 1 })
  expect(move('ArrowUp', '2026-03-02')).toEqual({ months: -1 })
  expect(move('PageDown', '2026-03-02')).toEqual({ months: 1 })
  expect(move('PageUp', '2026-03-02')).toEqual({ months: -1 })
})

test('Home and End stay within the week, which begins where the region says', () => {
  expect(move('Home', '2026-03-04')).toEqual({ day: '2026-03-02' })
  expect(move('End', '2026-03-02')).toEqual({ day: '2026-03-04' })
  const sundays = { days: ['2026-03-08', '2026-03-09'], firstWeekday: 7 } as const
  expect(moveInCalendar('Home', '2026-03-09', sundays)).toEqual({ day: '2026-03-08' })
})

test('other keys do nothing', () => {
  expect(move('a', '2026-03-02')).toBeNull()
  expect(move('Enter', '2026-03-02')).toBeNull()
})
