import { expect, test } from 'vitest'
import { midSentence } from '#app/lib/format/words.ts'
import { SearchFilters, type SearchResults } from '#contract/search.ts'
import {
  announcement,
  approximateSentence,
  costSentence,
  countLine,
  fewSentence,
  noResultsTitle,
  restoreSentence,
  resultsHeading,
  searchedSentence,
  widenedSentence,
} from './results-heading.tsx'
import { coveringRadius } from './results-search.ts'

const results: SearchResults = {
  place: {
    label: 'SE1 6ET',
    level: 'sector',
    isApproximate: false,
    latitude: 51.5,
    longitude: -0.1,
  },
  radius: 25,
  widened: true,
  total: 2,
  page: 1,
  pages: 1,
  results: [],
}

test('the heading says who and near where, and the count how many and how far', () => {
  expect(resultsHeading('Dentists', results.place)).toBe('Dentists near SE1 6ET')
  expect(resultsHeading('Dentists', { ...results.place, level: 'point' })).toBe(
    'Dentists in the area you chose',
  )
  expect(countLine({ total: 1_234, radius: 1 })).toBe('1,234 within 1 mile')
  expect(countLine({ total: 0, radius: 5 })).toBe('None within 5 miles')
})

test('a screen reader hears the heading, the count and the page', () => {
  expect(announcement(results, 'Dentists')).toBe('Dentists near SE1 6ET: 2 within 25 miles')
  expect(announcement({ ...results, page: 2, pages: 3 }, 'GPs')).toBe(
    'GPs near SE1 6ET: 2 within 25 miles, page 2 of 3',
  )
})

test('widening is explained, and filters are named as the reason when there are any', () => {
  const asked = SearchFilters.parse({ postcode: 'SE1 6ET' })
  expect(widenedSentence(results, asked, 'Dentists')).toBe(
    'We widened the search to 25 miles because fewer than 3 dentists are within 10 miles.',
  )
  expect(widenedSentence(results, { ...asked, mode: 'video' }, 'GPs')).toBe(
    'We widened the search to 25 miles because fewer than 3 GPs within 10 miles match your filters.',
  )
})

test('what a filter costs is said with the distance that was searched', () => {
  const costly = { label: 'Video', total: 14, people: 'Dentists' }
  expect(costSentence(results, costly)).toBe(
    'We searched within 25 miles of SE1 6ET. Without “Video” there are 14.',
  )
  expect(fewSentence({ ...results, total: 1 }, costly)).toBe(
    'Only 1 matches your filters within 25 miles of SE1 6ET. Without “Video” you’d see 14 dentists.',
  )
  expect(restoreSentence({ ...results, total: 1_400 }, 'Video', 'GPs')).toBe(
    'We removed “Video” and found 1,400 GPs within 25 miles of SE1 6ET.',
  )
  expect(restoreSentence({ ...results, total: 1 }, 'Video', 'GPs')).toBe(
    'We removed “Video” and found 1 match within 25 miles of SE1 6ET.',
  )
})

test('no results: the title names the distance, or the filters where they are the reason', () => {
  expect(noResultsTitle('Dentists', 1, false)).toBe('No dentists within 1 mile')
  expect(noResultsTitle('Doctors and dentists', 5, false)).toBe(
    'No doctors or dentists within 5 miles',
  )
  expect(noResultsTitle('Doctors and dentists', 5, true)).toBe(
    'No doctors or dentists match your filters',
  )
  expect(searchedSentence({ ...results, widened: false })).toBe(
    'We searched within 25 miles of SE1 6ET.',
  )
  expect(searchedSentence(results)).toBe('We widened the search to 25 miles around SE1 6ET.')
})

test('a town has a middle; a postcode that is not known exactly is somewhere in its area', () => {
  expect(approximateSentence(results.place)).toMatch(/ the middle of the area around SE1 6ET\.$/)
  expect(approximateSentence({ ...results.place, level: 'place', label: 'Leeds' })).toMatch(
    / the middle of Leeds\.$/,
  )
})

test('where only the town of a postcode is known, the page says which town that is', () => {
  const place = { ...results.place, label: 'BT9 5AA', standsIn: 'Belfast' }
  expect(approximateSentence(place)).toBe(
    'We don’t know exactly where BT9 5AA is, so distances are measured from the middle of Belfast.',
  )
})

test('abbreviations keep their capitals within a sentence', () => {
  expect(midSentence('ENT specialists')).toBe('ENT specialists')
  expect(midSentence('Dentists')).toBe('dentists')
})

test('an area of the map becomes the smallest radius on offer that covers it', () => {
  expect(coveringRadius(0.4)).toBe(1)
  expect(coveringRadius(5)).toBe(5)
  expect(coveringRadius(5.1)).toBe(10)
  expect(coveringRadius(400)).toBe(50)
})
