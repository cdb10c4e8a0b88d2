import { ChevronDown } from 'lucide-react'
import { Fragment } from 'react'
import { cx } from '#app/lib/cx.ts'
import { textLinkClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { LiveRegion } from '#app/ui/skip-link.tsx'
import type { SearchFilters, SearchResults, Sort } from '#contract/search.ts'
import { searchErrorMessage } from '#contract/search-sentences.ts'
import { AppliedChips } from './filter-bar.tsx'
import { type ChangeSearch, FilterNotices } from './filter-removal.tsx'
import {
  announcement,
  approximateSentence,
  countLine,
  resultsHeading,
  sortSentences,
  widenedSentence,
} from './result-text.ts'
import { hasPlace, type ResultsSearch, refusedCodes, withFilters } from './results-search.ts'

type HeadingProps = {
  search: ResultsSearch
  filters: SearchFilters
  people: string
  /** The results shown; undefined while there are none or after an error. */
  results: SearchResults | undefined
  onChange: ChangeSearch
  /** Another search is loading; these are the previous results. */
  isStale: boolean
  /** The search failed; the reason is shown below. */
  isFailed: boolean
  /** Takes focus after a change of page. */
  headingId: string
}

/** "Dentists near SE1 6ET", how many, and what to know about the search. */
export function ResultsHeading(props: HeadingProps) {
  const { search, filters, people, results, onChange, headingId, isStale, isFailed } = props
  const title =
    hasPlace(filters) && !isFailed
      ? resultsHeading(people, results?.place ?? filters.postcode)
      : filters.specialty && !isFailed
        ? `${people} near you`
        : 'Find a doctor or dentist'
  const region = filters.selectedRegion
  const refused = refusedCodes(search)
  return (
    <div className="flex flex-col gap-2">
      <PageTitle title={title} />
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h1 id={headingId} tabIndex={-1} className="text-xl font-semibold md:text-2xl">
          {title}
        </h1>
        {results && (
          <div className="flex flex-wrap gap-x-3 text-muted">
            <p className={cx('tabular', isStale && 'opacity-50')}>{countLine(results)}</p>
            {/* Delayed, so that quick responses skip it; screen readers get the announcement below. */}
            <p
              aria-hidden="true"
              className={cx('transition-opacity', isStale ? 'delay-200' : 'opacity-0')}
            >
              Searching…
            </p>
          </div>
        )}
      </div>
      <LiveRegion text={isStale ? 'Searching' : results ? announcement(results, people) : ''} />
      {refused.length > 0 && (
        <Notice kind="warn" role="status" title="Part of this link didn’t work">
          {refused.map((code) => (
            <p key={code}>{searchErrorMessage(code, { region })}</p>
          ))}
        </Notice>
      )}
      {!hasPlace(filters) && !refused.includes('place_invalid') && (
        <p className="max-w-prose text-lg text-muted">
          {searchErrorMessage('place_missing', { region })}
        </p>
      )}
      {results?.widened && (
        <Notice kind="info" role="status">
          <p>{widenedSentence(results, filters, people)}</p>
        </Notice>
      )}
      {results && (
        <FilterNotices
          search={search}
          region={region}
          results={results}
          people={people}
          onChange={onChange}
        />
      )}
      {results?.place.insteadOf !== undefined && (
        <Notice kind="info" role="status">
          <p>
            We couldn’t find “{results.place.insteadOf}”. Showing results for {results.place.label}.
          </p>
        </Notice>
      )}
      {results?.place.others !== undefined && (
        <p className="max-w-prose text-sm">
          <span className="text-muted">Looking for a different {results.place.label}? </span>
          {results.place.others.map((other, at) => (
            <Fragment key={other}>
              {at > 0 && ' · '}
              <button
                type="button"
                className={textLinkClass}
                onClick={() => onChange(withFilters(search, { postcode: other }))}
              >
                {other}
              </button>
            </Fragment>
          ))}
        </p>
      )}
      {results?.place.isApproximate && (
        <p className="max-w-prose text-sm text-muted">{approximateSentence(results.place)}</p>
      )}
      {!isFailed && <AppliedChips search={search} region={region} onChange={onChange} />}
    </div>
  )
}

/** "How results are ordered": what decides who comes first, and what does not. */
export function OrderingNote({ sort }: { sort: Sort }) {
  return (
    <details className="group text-sm">
      <summary className="inline-flex min-h-6 list-none items-center gap-1 rounded-field font-medium text-brand-deep pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        How results are ordered
        <ChevronDown
          aria-hidden="true"
          className="size-4 transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <p className="mt-1 max-w-prose text-muted">
        {sortSentences[sort]} Only providers found on their professional register are listed. Nobody
        can pay to rank higher.
      </p>
    </details>
  )
}
