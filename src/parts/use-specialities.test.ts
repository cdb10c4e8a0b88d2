import { afterEach, expect, test } from 'vitest'
import { cacheSpecialities, readSpecialities } from './use-specialities.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const MINUTE = 60_000
const list = [{ slug: 'dentist', name: 'Dentist', plural: 'Dentists', about: 'Teeth and gums.' }]

afterEach(() => localStorage.clear())

test('specialities are kept under speciality_{region}, one list for each region', () => {
  cacheSpecialities('uk', list, START)
  expect(localStorage.getItem('speciality_uk')).not.toBeNull()
  expect(readSpecialities('uk', START)).toEqual({ savedAt: START, specialities: list })
  expect(readSpecialities('usa', START)).toBeNull()
})

test.each([
  { minutes: 0, isGood: true },
  { minutes: 1_439, isGood: true },
  { minutes: 1_440, isGood: false },
  { minutes: -1, isGood: false },
])('a list $minutes minutes old is good: $isGood', ({ minutes, isGood }) => {
  cacheSpecialities('usa', list, START)
  expect(readSpecialities('usa', START + minutes * MINUTE) !== null).toBe(isGood)
})

test.each(['', 'not json', '[]', '{"savedAt":1}', '{"savedAt":1,"specialities":[{"slug":1}]}'])(
  'what somebody else left under the key (%j) counts as nothing',
  (text) => {
    localStorage.setItem('speciality_uk', text)
    expect(readSpecialities('uk', START)).toBeNull()
  },
)
