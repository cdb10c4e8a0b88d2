import { expect, test } from 'vitest'
import { nearestTimes } from './nearest-times.ts'

const day = (date: string, ...times: string[]) => ({
  date,
  slots: times.map((time) => ({ startsAt: `${date}T${time}:00Z` })),
})

test('the three free times closest to the lost one are offered, earliest first', () => {
  const days = [day('2026-03-02', '09:00', '10:00', '11:30'), day('2026-03-03', '10:30')]
  const wanted = { date: '2026-03-02', time: '10:30' }
  expect(nearestTimes(days, wanted, 'Europe/London')).toEqual([
    '2026-03-02T09:00:00Z',
    '2026-03-02T10:00:00Z',
    '2026-03-02T11:30:00Z',
  ])
})

test('nearness is measured on the clinic’s clock', () => {
  const days = [day('2026-03-02', '14:00', '15:00', '20:00', '21:00')]
  const wanted = { date: '2026-03-02', time: '15:30' }
  expect(nearestTimes(days, wanted, 'America/New_York')[0]).toBe('2026-03-02T15:00:00Z')
  expect(nearestTimes([], wanted, 'America/New_York')).toEqual([])
})
