import * as z from 'zod/mini'

/** Pages count from 1; the ceiling keeps a crawler from asking for the end of the universe. */
export const MAX_PAGE = 10_000
export const Page = z.int().check(z.minimum(1), z.maximum(MAX_PAGE))

/** Rows on a page of search results. */
export const SEARCH_PAGE_SIZE = 10
