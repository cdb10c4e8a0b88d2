import { expect, test } from 'vitest'
import { choiceOf, formatWallTime, readDate, readTime, wallTime } from './slot-choice.ts'

test('a choice is written in the clinic’s own clock, on both sides of the clock change', () => {
  expect(choiceOf('2026-03-27T10:30:00Z', 'Europe/London')).toEqual({
    date: '2026-03-27',
    time: '10:30',
  })
  expect(choiceOf('2026-03-30T09:30:00Z', 'Europe/London')).toEqual({
    date: '2026-03-30',
    time: '10:30',
  })
  expect(choiceOf('2026-03-03T01:00:00Z', 'America/Los_Angeles')).toEqual({
    date: '2026-03-02',
    time: '17:00',
  })
})

test('midnight is 00:00, not 24:00', () => {
  expect(wallTime('2026-03-02T00:00:00Z', 'Europe/London')).toBe('00:00')
})

test('only a real day and a real time are taken from a URL', () => {
  expect(readDate('2026-03-02')).toBe('2026-03-02')
  expect(readTime('09:05')).toBe('09:05')
  for (const bad of ['2026-02-30', '2026-13-01', '02/03/2026', '<b>', '', 7, null, undefined]) {
    expect(readDate(bad)).toBeUndefined()
  }
  for (const bad of ['24:00', '9:05', '09:60', "09:00'--", 9, null, undefined]) {
    expect(readTime(bad)).toBeUndefined()
  }
})

test('a wall time is said as the place says it, noon and midnight included', () => {
  expect(formatWallTime('14:05', 'Europe/London')).toBe('14:05')
  expect(formatWallTime('14:05', 'America/Chicago')).toBe('2:05 pm')
  expect(formatWallTime('12:00', 'America/Chicago')).toBe('12:00 pm')
  expect(formatWallTime('00:30', 'America/Chicago')).toBe('12:30 am')
})
