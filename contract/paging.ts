import * as z from 'zod/mini'

/** Pages count from 1; the ceiling keeps a crawler from asking for the end of the universe. */
export const MAX_PAGE = 10_000
const refused = { error: 'page_invalid' }
export const Page = z.int(refused).check(z.minimum(1, refused), z.maximum(MAX_PAGE, refused))

/** Rows on a page of search results. */
export const SEARCH_PAGE_SIZE = 10
