import { expect, test } from 'vitest'
import { pageNumbers } from './pagination.tsx'

test.each([
  { page: 1, pages: 2, shown: [1, 2] },
  { page: 1, pages: 9, shown: [1, 2, 0, 9] },
  { page: 5, pages: 9, shown: [1, 0, 4, 5, 6, 0, 9] },
  { page: 9, pages: 9, shown: [1, 0, 8, 9] },
  { page: 2, pages: 4, shown: [1, 2, 3, 4] },
])('on page $page of $pages the links are $shown, 0 being a gap', ({ page, pages, shown }) => {
  expect(pageNumbers(page, pages)).toEqual(shown)
})
