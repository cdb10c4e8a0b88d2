import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

type PaginationProps = {
  page: number
  pages: number
  /** Accessible name, for screens with several. */
  label?: string
  /**
   * Renders the link to a page, so that the caller's routes and filters stay typed; a button where the page is not
   * in the URL.
   */
  renderLink: (page: number, props: PageLinkProps) => ReactNode
}

export type PageLinkProps = {
  className: string
  'aria-label': string
  'aria-current'?: 'page'
  children: ReactNode
}

const link =
  'inline-flex min-h-11 min-w-11 items-center justify-center gap-1 rounded-field px-3 font-medium no-underline ' +
  'tabular text-brand-deep transition-colors duration-150 hover:bg-tint aria-[current=page]:bg-brand ' +
  'aria-[current=page]:text-on-brand'

/**
 * The page numbers shown: first, last and the neighbours of the current; 0 marks a gap. A gap of a single page is
 * that page, as it takes no more room than the dots.
 */
export function pageNumbers(page: number, pages: number): number[] {
  const near = [1, page - 1, page, page + 1, pages].filter((n) => n >= 1 && n <= pages)
  const shown = [...new Set(near)].toSorted((a, b) => a - b)
  return shown.flatMap((n, at) => {
    const missing = n - (shown[at - 1] ?? 0) - 1
    if (missing <= 0) return [n]
    return missing === 1 ? [n - 1, n] : [0, n]
  })
}

/** Previous, numbered pages, next. Shown only when there is more than one page. */
export function Pagination({ page, pages, label = 'Pages', renderLink }: PaginationProps) {
  if (pages <= 1) return null
  return (
    <nav aria-label={label} className="no-print flex flex-wrap items-center justify-center gap-1">
      {page > 1 &&
        renderLink(page - 1, {
          className: link,
          'aria-label': 'Previous page',
          children: (
            <>
              <ChevronLeft aria-hidden="true" className="size-5" />
              <span className="max-sm:sr-only">Previous</span>
            </>
          ),
        })}
      <ol className="flex items-center gap-1">
        {pageNumbers(page, pages).map((number, at) =>
          number === 0 ? (
            <li key={`gap-${at}`} aria-hidden="true" className="px-1 text-muted">
              …
            </li>
          ) : (
            <li key={number}>
              {renderLink(number, {
                className: link,
                'aria-label': `Page ${number}`,
                ...(number === page && { 'aria-current': 'page' as const }),
                children: number,
              })}
            </li>
          ),
        )}
      </ol>
      {page < pages &&
        renderLink(page + 1, {
          className: link,
          'aria-label': 'Next page',
          children: (
            <>
              <span className="max-sm:sr-only">Next</span>
              <ChevronRight aria-hidden="true" className="size-5" />
            </>
          ),
        })}
    </nav>
  )
}
