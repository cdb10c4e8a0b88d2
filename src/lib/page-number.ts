import { Page } from '#contract/paging.ts'

/** The page number in a URL; the first page if it is absent or none that there can be. */
export function readPage(text: unknown): number {
  const page = Page.safeParse(Number(text))
  return page.success ? page.data : 1
}
