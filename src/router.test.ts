import { expect, test } from 'vitest'
import { parsePlainSearch, stringifyPlainSearch } from './router.tsx'

test('a ZIP code stays text and stands in the address without quotes', () => {
  expect(stringifyPlainSearch({ postcode: '02134', page: 2, exact: true })).toBe(
    '?postcode=02134&page=2&exact=true',
  )
  expect(parsePlainSearch('?postcode=02134&page=2')).toEqual({ postcode: '02134', page: '2' })
})

test('what is not there is left out, and nothing at all is no question mark', () => {
  expect(stringifyPlainSearch({ postcode: undefined, list: [1], more: { a: 1 }, none: null })).toBe(
    '',
  )
})

test('any text survives the way there and back', () => {
  for (const postcode of ['SE1 6ET', 'a&b=c?d#e', '100%', '“São Paulo”', '{"a":1}', '1e5']) {
    expect(parsePlainSearch(stringifyPlainSearch({ postcode }))).toEqual({ postcode })
  }
})
