import { Link } from '@tanstack/react-router'
import { cx } from '#app/lib/cx.ts'
import { formatDistance, languageName } from '#app/lib/format.ts'
import type { Region } from '#contract/region.ts'
import type { ProviderCard as Card } from '#contract/search.ts'
import { DirectionsLink } from './directions-link.tsx'
import { Fees } from './fees.tsx'
import { Rating, VerifiedBadge } from './provider-badges.tsx'
import { ProviderPhoto } from './provider-photo.tsx'
import { SlotTimes } from './slot-times.tsx'
import { VisitModes } from './visit-facts.tsx'

type ProviderCardProps = {
  card: Card
  region: Region
  /** Its number in the list, the same as on its pin of the map. */
  number?: number
  isHighlighted?: boolean
  /** Called with true when the pointer or the focus enters, with false when it leaves. */
  onPoint?: (isPointed: boolean) => void
  isEager?: boolean
}

function PinNumber({ number, isHighlighted }: { number: number; isHighlighted: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'tabular hidden h-5 min-w-5 items-center justify-center rounded-full px-1 text-sm leading-none font-semibold text-on-brand lg:inline-flex',
        isHighlighted ? 'bg-accent' : 'bg-brand',
      )}
    >
      {number}
    </span>
  )
}

function Identity({ card, region, number, isHighlighted = false, isEager }: ProviderCardProps) {
  return (
    <div className="flex gap-4 @max-[13rem]:flex-col">
      <ProviderPhoto name={card.name} photo={card.photo} isEager={isEager ?? false} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center justify-between gap-x-3 text-sm text-muted">
          <span className="inline-flex items-center gap-2">
            {number !== undefined && <PinNumber number={number} isHighlighted={isHighlighted} />}
            <span className="tabular">{formatDistance(card.distance)}</span>
          </span>
          <Rating rating={card.rating} />
        </p>
        <h3 className="mt-0.5 font-display text-xl leading-tight font-medium">
          <Link
            to="/doctor-profile/$id/$distance"
            params={{ id: card.id, distance: card.distance.toFixed(1) }}
            search={{ region }}
            className="rounded-field text-ink decoration-1 underline-offset-[0.2em] hover:text-brand-deep hover:underline"
          >
            {card.name}
          </Link>
        </h3>
        <p>
          {card.specialty.name}
          <span className="text-muted">
            <span aria-hidden="true"> · </span>
            <span className="sr-only">, speaks </span>
            {card.languages.map(languageName).join(', ')}
          </span>
        </p>
        <p className="mt-0.5">
          <VerifiedBadge body={card.verified.body} checkedOn={card.verified.on} region={region} />
        </p>
      </div>
    </div>
  )
}

function Facts({ card }: { card: Card }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p>
        {card.place.name}, {card.place.locality}{' '}
        <span className="whitespace-nowrap">{card.place.postcode}</span>
        <span aria-hidden="true" className="text-muted @max-md:hidden">
          {' '}
          ·{' '}
        </span>
        <span className="@max-md:block">
          <DirectionsLink point={card.place} name={card.name} />
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p>
          <Fees fee={card.fee} followUpFee={card.followUpFee} />
        </p>
        <p className="flex flex-wrap gap-1.5">
          <VisitModes modes={card.modes} />
        </p>
      </div>
    </div>
  )
}

/** One provider of a list: who, where, how much, and the next free times. */
export function ProviderCard(props: ProviderCardProps) {
  const { card, region, isHighlighted = false, onPoint } = props
  return (
    <article
      onPointerEnter={() => onPoint?.(true)}
      onPointerLeave={() => onPoint?.(false)}
      onFocusCapture={() => onPoint?.(true)}
      onBlurCapture={() => onPoint?.(false)}
      className={cx(
        '@container flex flex-col gap-4 rounded-card border bg-surface p-4 transition-colors duration-150 sm:p-5',
        isHighlighted ? 'border-accent' : 'border-line',
      )}
    >
      <Identity {...props} />
      <Facts card={card} />
      <div className="border-t border-line pt-4">
        <SlotTimes card={card} region={region} />
      </div>
    </article>
  )
}
