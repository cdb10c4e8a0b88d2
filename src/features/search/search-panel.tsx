import { Pencil } from 'lucide-react'
import { type ReactNode, type Ref, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatRadius } from '#app/lib/format-distance.ts'
import { SearchBox, type SearchWish } from '#app/parts/search-box.tsx'
import { Container } from '#app/ui/container.tsx'
import type { SearchFilters } from '#contract/search.ts'

type SearchPanelProps = {
  filters: SearchFilters
  /** What is searched for, in words: "Dentists". */
  people: string
  /** Phones show a summary first; not when there is nothing to summarise or something to mend. */
  isOpenAtFirst: boolean
  boxRef: Ref<HTMLDivElement>
  onSearch: (wish: SearchWish) => void
  /** Filters and order, below the box. */
  children: ReactNode
}

/** The search above its results, to be changed in place. On phones it unfolds from a summary. */
export function SearchPanel(props: SearchPanelProps) {
  const { filters, people, isOpenAtFirst, boxRef, onSearch, children } = props
  const [isOpened, setIsOpened] = useState(false)
  const isOpen = isOpened || isOpenAtFirst
  const { postcode, specialty, radius, distance_filter_clicked } = filters
  const initial = { postcode, specialty, radius, distance_filter_clicked }
  return (
    <div className="border-b border-line bg-surface">
      <Container className="flex flex-col gap-3 py-3 md:py-4">
        {!isOpen && (
          <button
            type="button"
            aria-expanded={false}
            onClick={() => setIsOpened(true)}
            className="flex min-h-11 w-full items-center justify-between gap-3 rounded-field border border-field bg-surface px-3 text-left lg:hidden"
          >
            <span className="min-w-0 truncate">
              <span className="font-semibold">{postcode || 'Area on the map'}</span>
              <span className="text-muted">
                {' '}
                · {people} · {formatRadius(radius)}
              </span>
            </span>
            <span className="inline-flex shrink-0 items-center gap-1.5 font-semibold text-brand-deep">
              <Pencil aria-hidden="true" strokeWidth={1.75} className="size-4" />
              Edit<span className="sr-only"> search</span>
            </span>
          </button>
        )}
        <div ref={boxRef} className={cx(!isOpen && 'max-lg:hidden')}>
          <SearchBox
            key={JSON.stringify([filters.selectedRegion, initial])}
            region={filters.selectedRegion}
            initial={{ ...initial, specialty }}
            onSearch={(wish) => {
              setIsOpened(false)
              onSearch(wish)
            }}
          />
        </div>
        {children}
      </Container>
    </div>
  )
}
