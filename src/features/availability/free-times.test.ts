import { expect, test } from 'vitest'
import { groupPlaces, groupTimes } from './free-times.ts'

const at = (...times: string[]) => times.map((time) => ({ startsAt: `2026-03-02T${time}:00Z` }))

test('times are grouped by the clinic’s own clock: noon and five o’clock divide the day', () => {
  const groups = groupTimes(at('09:00', '11:45', '12:00', '16:59', '17:00'), 'Europe/London')
  expect(groups.map(([part, slots]) => [part, slots.length])).toEqual([
    ['Morning', 2],
    ['Afternoon', 2],
    ['Evening', 1],
  ])
})

test('the same instants fall elsewhere in New York, and empty parts are left out', () => {
  const groups = groupTimes(at('14:00', '15:00'), 'America/New_York')
  expect(groups.map(([part]) => part)).toEqual(['Morning'])
})

test('a day without times has no groups', () => {
  expect(groupTimes([], 'Europe/London')).toEqual([])
})

test('times are grouped by place where they name one, each place where its first time is', () => {
  const [nine, ten, noon] = at('09:00', '10:00', '12:00')
  if (!nine || !ten || !noon) throw new Error('no times')
  const slots = [
    { ...nine, place: 'Borough' },
    { ...ten, place: 'Soho' },
    { ...noon, place: 'Borough' },
  ]
  expect(groupPlaces(slots).map(([place, those]) => [place, those.length])).toEqual([
    ['Borough', 2],
    ['Soho', 1],
  ])
  expect(groupPlaces([nine, ten])).toEqual([[undefined, [nine, ten]]])
})
