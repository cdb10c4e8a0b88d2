import { BadgeCheck } from 'lucide-react'
import { formatFullDate } from '#app/lib/format-full-date.ts'
import type { Region } from '#contract/region.ts'

type VerifiedBadgeProps = {
  /** Who keeps the register: GMC, GDC or NPI. */
  body: string
  /** The number on it, where there is room to say it. */
  number?: string
  checkedOn: string
  region: Region
}

/** "GMC, checked 12 May 2026", or with its number "GMC 1234567 · checked 12 May 2026": which register bears the provider out, and when we looked. */
export function VerifiedBadge({ body, number, checkedOn, region }: VerifiedBadgeProps) {
  const date = formatFullDate(checkedOn, region)
  return (
    <span className="inline-flex items-start gap-1.5 text-sm text-ok">
      <BadgeCheck aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-4 shrink-0" />
      <span>
        <span className="sr-only">Verified: </span>
        {body}
        {number === undefined ? ', ' : <span className="tabular"> {number} · </span>}
        checked {date}
      </span>
    </span>
  )
}
