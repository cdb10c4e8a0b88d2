import { BadgeCheck, MapPin, Star, Video } from 'lucide-react'
import { formatFullDate } from '#app/lib/format.ts'
import { Badge } from '#app/ui/badge.tsx'
import type { Region } from '#contract/region.ts'
import type { VisitMode } from '#contract/search.ts'

type RatingProps = { rating: { average: number; count: number } | null }

/** "4.8 (23)" with a star; nothing before the first review. */
export function Rating({ rating }: RatingProps) {
  if (rating === null || rating.count === 0) return null
  const average = rating.average.toFixed(1)
  return (
    <span className="inline-flex items-center gap-1 text-sm whitespace-nowrap">
      <Star aria-hidden="true" className="size-4 fill-warn text-warn" />
      <span className="sr-only">
        Rated {average} out of 5 by {rating.count} {rating.count === 1 ? 'person' : 'people'}
      </span>
      <span aria-hidden="true" className="tabular font-semibold">
        {average}
      </span>
      <span aria-hidden="true" className="tabular text-muted">
        ({rating.count})
      </span>
    </span>
  )
}

type VerifiedBadgeProps = {
  /** The register: GMC, GDC or NPI. */
  body: string
  /** The registration number, where there is room for it. */
  number?: string
  checkedOn: string
  region: Region
}

/**
 * "GMC, checked 12 May 2026", or with the number "GMC 1234567 · checked 12 May 2026": the register that
 * confirms the provider, and the date of the check.
 */
export function VerifiedBadge({ body, number, checkedOn, region }: VerifiedBadgeProps) {
  const date = formatFullDate(checkedOn, region)
  return (
    <span className="inline-flex items-start gap-1.5 text-sm text-ok">
      <BadgeCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        <span className="sr-only">Verified: </span>
        {body}
        {number === undefined ? ', ' : <span className="tabular"> {number} · </span>}
        checked {date}
      </span>
    </span>
  )
}

const modes = {
  in_person: { icon: MapPin, label: 'In person' },
  video: { icon: Video, label: 'Video' },
} satisfies Record<VisitMode, unknown>

type VisitModesProps = {
  modes: readonly VisitMode[]
  /** Icon and word without a pill, for a compact line. */
  isPlain?: boolean
}

/** Whether the visit can be in person, by video, or either. */
export function VisitModes({ modes: offered, isPlain = false }: VisitModesProps) {
  return offered.map((mode) => {
    const { icon: Icon, label } = modes[mode]
    if (isPlain) {
      return (
        <span key={mode} className="inline-flex items-center gap-1">
          <Icon aria-hidden="true" className="size-3.5" />
          {label}
        </span>
      )
    }
    return (
      <Badge key={mode}>
        <Icon aria-hidden="true" className="size-3.5" />
        {label}
      </Badge>
    )
  })
}
