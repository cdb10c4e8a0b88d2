import * as z from 'zod/mini'

/** Pages count from 1; the maximum keeps crawlers from requesting arbitrarily deep pages. */
export const MAX_PAGE = 10_000
const invalidPage = { error: 'page_invalid' }
export const Page = z
  .int(invalidPage)
  .check(z.minimum(1, invalidPage), z.maximum(MAX_PAGE, invalidPage))

/** Rows on a page of search results. */
export const SEARCH_PAGE_SIZE = 10

/** The page number in a URL; the first page if there is none or it is out of range. */
export function readPage(text: unknown): number {
  const page = Page.safeParse(Number(text))
  return page.success ? page.data : 1
}
