import { Link } from '@tanstack/react-router'
import {
  dayOf,
  formatDistance,
  formatMoney,
  formatRelativeDay,
  formatTime,
} from '#app/lib/format.ts'
import { keepSearch, useOwnSearch } from '#app/lib/own-search.ts'
import type { Region } from '#contract/region.ts'
import type { MapPin, ProviderCard } from '#contract/search.ts'

type PinCardProps = {
  id: string
  region: Region
  /** The provider as the list knows it, when it is on this page of it. */
  card: ProviderCard | undefined
  /** The provider as the map knows it. */
  pin: MapPin | undefined
}

/** What a pressed pin says: name, distance, fee, next free time, and the way to the profile. */
export function PinCard({ id, region, card, pin }: PinCardProps) {
  const state = keepSearch(useOwnSearch())
  const known = card ?? pin
  if (known === undefined) return null
  // A pin carries no zone; in the UK there is only one.
  const timeZone = card?.place.timeZone ?? (region === 'uk' ? 'Europe/London' : undefined)
  const next =
    timeZone !== undefined && known.nextFree !== null
      ? `Next free ${formatRelativeDay(dayOf(known.nextFree, timeZone), timeZone)}, ${formatTime(known.nextFree, timeZone)}`
      : null
  return (
    <div className="flex flex-col gap-1 text-base">
      <Link
        to="/doctor-profile/$id/$distance"
        params={{ id, distance: known.distance.toFixed(1) }}
        search={{ region }}
        state={state}
        className="font-display text-lg leading-tight font-medium text-ink underline decoration-1 underline-offset-[0.2em] hover:text-brand-deep"
      >
        {known.name}
      </Link>
      {card && <p className="text-sm">{card.specialty.name}</p>}
      <p className="text-sm text-muted">
        {formatDistance(known.distance)} · First visit {formatMoney(known.fee)}
      </p>
      {next && <p className="text-sm font-semibold text-accent">{next}</p>}
    </div>
  )
}
