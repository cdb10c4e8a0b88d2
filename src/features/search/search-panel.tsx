import { Pencil } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatRadius } from '#app/lib/format.ts'
import { SearchBox, type SearchWish } from '#app/parts/search-box.tsx'
import { Container } from '#app/ui/card.tsx'
import type { SearchFilters } from '#contract/search.ts'

type SearchPanelProps = {
  filters: SearchFilters
  /** The providers searched for, in words: "Dentists". */
  people: string
  /** Radius of the results in miles: larger than requested if the search was widened. */
  radius: number
  /**
   * Shows the form on phones instead of a summary: if there is nothing to summarise, or something to correct.
   */
  isOpen: boolean
  onOpen: () => void
  boxRef: Ref<HTMLDivElement>
  onSearch: (wish: SearchWish) => void
  /** Filters and order, below the box. */
  children: ReactNode
}

/** "10 miles": beside place and people, "within" is implied. */
function shortRadius(miles: number): string {
  return formatRadius(miles).replace(/^within /, '')
}

/** The search above its results, editable in place. On phones it expands from a summary. */
export function SearchPanel(props: SearchPanelProps) {
  const { filters, people, isOpen, boxRef, children } = props
  const { postcode, specialty, radius, distance_filter_clicked } = filters
  return (
    // On phones the summary scrolls away and the row with filters and map stays.
    <div
      data-full-width
      className={cx(
        'no-print z-20 border-b border-line bg-surface lg:[@media(height>=36rem)]:sticky lg:[@media(height>=36rem)]:top-16',
        !isOpen && 'max-lg:sticky max-lg:-top-13',
      )}
    >
      <Container className="flex flex-col gap-2 py-2">
        {!isOpen && (
          <button
            type="button"
            aria-expanded={false}
            onClick={props.onOpen}
            className="flex min-h-11 w-full items-center justify-between gap-3 rounded-full border border-field bg-surface px-4 text-left leading-snug lg:hidden"
          >
            <span className="min-w-0 truncate">
              <span className="font-semibold">{postcode || 'Area on the map'}</span>
              <span className="text-muted">
                {' '}
                · {people} · {shortRadius(props.radius)}
              </span>
            </span>
            <span className="inline-flex shrink-0 items-center gap-1.5 font-semibold text-brand-deep">
              <Pencil aria-hidden="true" className="size-4" />
              Edit<span className="sr-only"> search</span>
            </span>
          </button>
        )}
        <div ref={boxRef} className={cx(!isOpen && 'max-lg:hidden')}>
          <SearchBox
            isCompact
            region={filters.selectedRegion}
            initial={{ postcode, specialty, radius, distance_filter_clicked }}
            onSearch={props.onSearch}
          />
        </div>
        {children}
      </Container>
    </div>
  )
}
