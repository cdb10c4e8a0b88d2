import { BadgeCheck, MapPin, Star, Video } from 'lucide-react'
import { cx } from '#app/lib/cx.ts'
import { formatFullDate } from '#app/lib/format/dates.ts'
import { formatMoney } from '#app/lib/format/money.ts'
import { mapLink } from '#app/lib/format/places.ts'
import { textLinkClass } from '#app/ui/button.tsx'
import { Badge } from '#app/ui/notice.tsx'
import type { Money as Amount } from '#contract/base/money.ts'
import type { Region } from '#contract/base/region.ts'
import type { VisitMode } from '#contract/search.ts'

const sizes = {
  small: { pixels: 56, className: 'size-14 text-lg' },
  medium: { pixels: 80, className: 'size-20 text-2xl' },
  large: { pixels: 128, className: 'size-24 text-3xl sm:size-32' },
}

type ProviderPhotoProps = {
  name: string
  photo: string | null
  size?: keyof typeof sizes
  /** Above the fold: loaded eagerly. */
  isEager?: boolean
}

function initials(name: string): string {
  const words = name.replace(/^(Dr|Mr|Mrs|Ms|Miss|Prof)\.?\s+/, '').split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.[0] ?? '').join('')
}

/** A provider's picture, or a monogram. Hidden from screen readers, as the name is always beside it. */
export function ProviderPhoto({ name, photo, size = 'medium', isEager }: ProviderPhotoProps) {
  const { pixels, className } = sizes[size]
  const shape = cx(className, 'shrink-0 rounded-card bg-tint object-cover')
  if (photo === null) {
    return (
      <span
        aria-hidden="true"
        className={cx(shape, 'flex items-center justify-center font-display text-brand-deep')}
      >
        {initials(name)}
      </span>
    )
  }
  return (
    <img
      src={photo}
      alt=""
      width={pixels}
      height={pixels}
      loading={isEager ? 'eager' : 'lazy'}
      decoding="async"
      className={shape}
    />
  )
}

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

type FeesProps = { fee: Amount; followUpFee: Amount }

/** "First visit £60 · Follow-up £40", the two fees of the specification in one line. */
export function Fees({ fee, followUpFee }: FeesProps) {
  return (
    <span>
      First visit{' '}
      <strong className="font-semibold">
        <Money amount={fee} />
      </strong>
      <span aria-hidden="true"> · </span>
      <span className="sr-only">, </span>
      Follow-up{' '}
      <strong className="font-semibold">
        <Money amount={followUpFee} />
      </strong>
    </span>
  )
}

/** An amount with its own currency sign, in figures that line up. */
export function Money({ amount }: { amount: Amount }) {
  return <span className="tabular whitespace-nowrap">{formatMoney(amount)}</span>
}

type DirectionsLinkProps = { point: { latitude: number; longitude: number }; name: string }

/** "Map and directions", with the name added for screen readers; links to OpenStreetMap. */
export function DirectionsLink({ point, name }: DirectionsLinkProps) {
  return (
    <a
      href={mapLink(point)}
      target="_blank"
      rel="noopener noreferrer"
      className={`${textLinkClass} inline-block min-h-6 @md:whitespace-nowrap`}
    >
      Map and directions
      <span className="sr-only"> for {name} (opens in a new tab)</span>
    </a>
  )
}
