import * as z from 'zod/mini'

/** Pages count from 1; the ceiling keeps a crawler from asking for the end of the universe. */
export const MAX_PAGE = 10_000
const invalidPage = { error: 'page_invalid' }
export const Page = z
  .int(invalidPage)
  .check(z.minimum(1, invalidPage), z.maximum(MAX_PAGE, invalidPage))

/** Rows on a page of search results. */
export const SEARCH_PAGE_SIZE = 10
