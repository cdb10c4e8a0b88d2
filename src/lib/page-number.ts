import { Page } from '#contract/paging.ts'

/** The page number in a URL; the first page if there is none or it is out of range. */
export function readPage(text: unknown): number {
  const page = Page.safeParse(Number(text))
  return page.success ? page.data : 1
}
