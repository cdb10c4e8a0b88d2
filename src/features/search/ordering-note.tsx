import { ChevronDown } from 'lucide-react'
import type { Sort } from '#contract/search.ts'
import { sortSentences } from './result-words.ts'

/** "How results are ordered": what decides who comes first, and what does not. */
export function OrderingNote({ sort }: { sort: Sort }) {
  return (
    <details className="group text-sm">
      <summary className="inline-flex min-h-6 list-none items-center gap-1 rounded-field font-medium text-brand-deep pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        How results are ordered
        <ChevronDown
          aria-hidden="true"
          strokeWidth={1.75}
          className="size-4 transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <p className="mt-1 max-w-prose text-muted">
        {sortSentences[sort]} Only providers found on their professional register are listed. Nobody
        can pay to be higher up.
      </p>
    </details>
  )
}
