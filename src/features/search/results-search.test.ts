import { expect, test } from 'vitest'
import {
  filtersOf,
  hasPlace,
  readResultsSearch,
  refusedCodes,
  searchAround,
  withFilters,
} from './results-search.ts'

test('an empty address is a search with every default and nowhere to search', () => {
  const search = readResultsSearch({})
  expect(search.refused).toBeUndefined()
  const filters = filtersOf(search, 'usa')
  expect(filters).toMatchObject({
    selectedRegion: 'usa',
    postcode: '',
    radius: 10,
    sort: 'distance',
    page: 1,
    distance_filter_clicked: false,
  })
  expect(hasPlace(filters)).toBe(false)
})

test('every documented field is read, as text and as the router parses it', () => {
  const typed = {
    selectedRegion: 'uk',
    postcode: 'SE1 6ET',
    specialty: 'dentist',
    radius: 5,
    sort: 'soonest',
    page: 2,
    distance_filter_clicked: true,
    available: '3',
    fee_max: 80,
    language: 'pl',
    gender: 'female',
    mode: 'video',
    latitude: 51.5,
    longitude: -0.1,
  }
  const written = Object.fromEntries(Object.entries(typed).map(([key, value]) => [key, `${value}`]))
  expect(readResultsSearch(written)).toEqual(typed)
  expect(readResultsSearch({ ...typed, available: 3 })).toEqual(typed)
  expect(filtersOf(readResultsSearch(written), 'usa')).toEqual(typed)
})

test('a distance nobody chose may be written out: as text, too, it is no reason to complain', () => {
  for (const said of ['false', '0', false]) {
    const search = readResultsSearch({ postcode: 'SE1 6ET', distance_filter_clicked: said })
    expect(search.refused).toBeUndefined()
    expect(filtersOf(search, 'uk').distance_filter_clicked).toBe(false)
  }
  expect(readResultsSearch({ distance_filter_clicked: 'perhaps' }).refused).toBeDefined()
})

test('what else an address has, such as the mark of an advertisement, is no filter', () => {
  const raw = { postcode: 'SE1 6ET', utm_source: 'news', fbclid: 'x', constructor: 'x' }
  // The router passes it on unparsed.
  const search = { ...raw, ...readResultsSearch(raw) }
  expect(filtersOf(search, 'uk')).toEqual(
    filtersOf(readResultsSearch({ postcode: 'SE1 6ET' }), 'uk'),
  )
})

test('a ZIP code that the router took for a number is text again', () => {
  expect(readResultsSearch({ postcode: 78701 }).postcode).toBe('78701')
  expect(readResultsSearch({ postcode: '02134' }).postcode).toBe('02134')
})

test.each([
  [{ radius: -1 }, 'radius_invalid'],
  [{ radius: '7' }, 'radius_invalid'],
  [{ radius: 'DROP TABLE' }, 'radius_invalid'],
  [{ page: 'abc' }, 'page_invalid'],
  [{ page: 0 }, 'page_invalid'],
  [{ page: 1e9 }, 'page_invalid'],
  [{ sort: 'paid' }, 'sort_invalid'],
  [{ fee_max: -5 }, 'fee_invalid'],
  [{ latitude: 91 }, 'coordinates_invalid'],
  [{ latitude: 51.5 }, 'coordinates_invalid'],
  [{ latitude: 91, longitude: 0 }, 'coordinates_invalid'],
  [{ longitude: 'east' }, 'coordinates_invalid'],
  [{ specialty: "x' OR 1=1" }, 'specialty_unknown'],
  [{ postcode: 'x'.repeat(10_000) }, 'place_invalid'],
  [{ language: 'klingon' }, 'invalid_input'],
  [{ page: ['1', '2'] }, 'page_invalid'],
  [{ postcode: { a: 1 } }, 'place_invalid'],
])('%j is left out, said, and harms nothing else', (bad, code) => {
  const search = readResultsSearch({ selectedRegion: 'uk', ...bad })
  expect(refusedCodes(search)).toEqual([code])
  expect(search.selectedRegion).toBe('uk')
  expect(filtersOf(search, 'uk')).toMatchObject({ radius: 10, page: 1, sort: 'distance' })
})

test('what was refused is still known after the address was rewritten, and gone once corrected', () => {
  const search = readResultsSearch({ postcode: 'SE1', radius: -1, page: 'abc' })
  const again = readResultsSearch({ ...search })
  expect(refusedCodes(again)).toEqual(['radius_invalid', 'page_invalid'])

  expect(readResultsSearch({ ...again, radius: 5, page: 1 }).refused).toBeUndefined()
  expect(readResultsSearch({ refused: '<script>,radius' }).refused).toBe('radius')
})

test('another filter starts on page one again and keeps the rest', () => {
  const search = readResultsSearch({ postcode: 'Leeds', page: 4, view: 'map', refused: 'sort' })
  expect(withFilters(search, { sort: 'soonest' })).toEqual({
    postcode: 'Leeds',
    view: 'map',
    sort: 'soonest',
  })
})

test('nothing of the address reaches the page unread: every key is written out', () => {
  const search = readResultsSearch({ view: 'upside-down', refused: '<b>', radius: 'x' })
  expect(Object.keys(search)).toEqual(expect.arrayContaining(['view', 'refused', 'page', 'gender']))
  expect(search.view).toBeUndefined()
  expect(search.refused).toBe('radius')
})

test('beyond the date line the centre of a map keeps a longitude that a search takes', () => {
  const around = (lon: number) => searchAround({ lat: 13.5, lon, radiusMiles: 4 })
  expect(around(190)).toEqual({ latitude: 13.5, longitude: -170, radius: 5 })
  expect(around(-190.00001).longitude).toBe(170)
  expect(around(144.77777).longitude).toBe(144.7778)
})
