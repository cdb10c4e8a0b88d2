import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'

type SummaryProps = { children: ReactNode }

/** The line that opens a `details` within other content: words and a chevron, which turns. */
export function Summary({ children }: SummaryProps) {
  return (
    <summary className="inline-flex min-h-11 list-none items-center gap-1 rounded-field font-semibold text-brand-deep [&::-webkit-details-marker]:hidden">
      {children}
      <ChevronDown
        aria-hidden="true"
        className="size-5 shrink-0 transition-transform duration-150 in-open:rotate-180"
      />
    </summary>
  )
}
