import { Link } from '@tanstack/react-router'
import { cx } from '#app/lib/cx.ts'
import { formatDistance, languageName } from '#app/lib/format.ts'
import { ownSearchState, useOwnSearch } from '#app/lib/own-search.ts'
import type { Region } from '#contract/region.ts'
import type { ProviderCard as Card } from '#contract/search.ts'
import { DirectionsLink } from './directions-link.tsx'
import { Fees } from './fees.tsx'
import { Rating, VerifiedBadge, VisitModes } from './provider-badges.tsx'
import { ProviderPhoto } from './provider-photo.tsx'
import { SaveButton } from './save-button.tsx'
import { SlotTimes } from './slot-times.tsx'

type ProviderCardProps = {
  card: Card
  region: Region
  /** Its number in the list, the same as on its map pin. */
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
  const ownSearch = useOwnSearch()
  return (
    <div className="relative flex gap-3 sm:gap-4 @max-[13rem]:flex-col">
      <ProviderPhoto name={card.name} photo={card.photo} isEager={isEager ?? false} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center justify-between gap-x-3 pr-10 @max-[13rem]:pr-0 text-sm text-muted">
          <span className="inline-flex items-center gap-2">
            {number !== undefined && <PinNumber number={number} isHighlighted={isHighlighted} />}
            <span className="tabular">{formatDistance(card.distance)}</span>
          </span>
          <Rating rating={card.rating} />
        </p>
        <h3 className="pr-10 @max-[13rem]:pr-0 font-display text-xl leading-tight font-medium">
          <Link
            to="/doctor-profile/$id/$distance"
            params={{ id: card.id, distance: card.distance.toFixed(1) }}
            search={{ region }}
            state={ownSearchState(ownSearch)}
            className="rounded-field text-ink decoration-1 underline-offset-[0.2em] hover:text-brand-deep hover:underline"
          >
            {card.name}
          </Link>
        </h3>
        <p className="leading-snug">
          {card.specialty.name}
          <span className="text-muted">
            <span aria-hidden="true"> · </span>
            <span className="sr-only">, speaks </span>
            {card.languages.map(languageName).join(', ')}
          </span>
        </p>
        <p className="leading-none">
          <VerifiedBadge body={card.verified.body} checkedOn={card.verified.on} region={region} />
        </p>
      </div>
      <div className="absolute -top-2 -right-2.5">
        <SaveButton providerId={card.id} name={card.name} />
      </div>
    </div>
  )
}

function Facts({ card }: { card: Card }) {
  return (
    <div className="flex flex-col gap-0.5 text-sm">
      <p>
        {card.place.name}, {card.place.locality}{' '}
        <span className="whitespace-nowrap">{card.place.postcode}</span>
      </p>
      <p>
        <Fees fee={card.fee} followUpFee={card.followUpFee} />
      </p>
      <div className="flex flex-wrap items-center gap-x-4">
        <p className="inline-flex min-h-6 items-center">
          <DirectionsLink point={card.place} name={card.name} />
        </p>
        <p className="flex flex-wrap gap-x-3 text-muted">
          <VisitModes modes={card.modes} isPlain />
        </p>
      </div>
    </div>
  )
}

/**
 * One provider in a list: who, where, how much, and the next free times. From 42rem the times are columns at
 * the right, so that three cards fit in a window; below that they follow the facts.
 */
export function ProviderCard(props: ProviderCardProps) {
  const { card, region, isHighlighted = false, onPoint } = props
  return (
    <article
      onPointerEnter={() => onPoint?.(true)}
      onPointerLeave={() => onPoint?.(false)}
      onFocusCapture={() => onPoint?.(true)}
      onBlurCapture={() => onPoint?.(false)}
      className={cx(
        '@container rounded-card border bg-surface px-4 py-3.5 transition-colors duration-150',
        isHighlighted ? 'border-accent' : 'border-line',
      )}
    >
      <div className="flex flex-col gap-3 @2xl:flex-row @2xl:gap-5">
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <Identity {...props} />
          <Facts card={card} />
        </div>
        <div className="border-t border-line pt-3 @2xl:w-76 @2xl:shrink-0 @2xl:border-t-0 @2xl:border-l @2xl:pt-0 @2xl:pl-5">
          <SlotTimes card={card} region={region} />
        </div>
      </div>
    </article>
  )
}
