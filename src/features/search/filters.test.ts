import { expect, test } from 'vitest'
import { appliedFilters, choose, filterChoices, withoutFilters } from './filters.tsx'
import { readResultsSearch } from './results-search.ts'

const search = readResultsSearch({
  postcode: 'SE1 6ET',
  radius: 5,
  page: 3,
  available: '3',
  fee_max: 75,
  language: 'pl',
})

test('what is applied is named in words, each with the search without it', () => {
  const applied = appliedFilters(search, 'uk')
  expect(applied.map((one) => one.label)).toEqual([
    'Free within 3 days',
    'Up to £75',
    'Speaks Polish',
  ])
  expect(applied[1]?.without).toMatchObject({ postcode: 'SE1 6ET', available: '3', language: 'pl' })
  expect(applied[1]?.without.fee_max).toBeUndefined()
  expect(applied[1]?.without.page).toBeUndefined()
})

test('the fee in the address is on offer even when it is not a round one', () => {
  const fee = filterChoices(search, 'usa').find((one) => one.key === 'fee_max')
  expect(fee?.options.map((option) => option.label)).toContain('Up to $75')
  expect(fee?.value).toBe('75')
})

test('choosing sets a filter and an empty value takes it away', () => {
  expect(choose(search, 'gender', 'female').gender).toBe('female')
  expect(choose(search, 'available', '').available).toBeUndefined()
  expect(choose(search, 'available', '').refused).toBeUndefined()
})

test('clearing everything keeps the place, the specialty, the distance and the order', () => {
  expect(withoutFilters({ ...search, sort: 'soonest' })).toEqual({
    postcode: 'SE1 6ET',
    radius: 5,
    sort: 'soonest',
  })
})

test('an area of the map can be taken back only when a place is left', () => {
  const point = { latitude: 51.5, longitude: -0.1 }
  expect(appliedFilters({ ...point, postcode: 'SE1' }, 'uk').map((one) => one.label)).toEqual([
    'Area chosen on the map',
  ])
  expect(appliedFilters(point, 'uk')).toEqual([])
  expect(withoutFilters(point)).toMatchObject(point)
})
