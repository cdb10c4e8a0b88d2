import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { dayOf, formatRelativeDay, formatTime } from '#app/lib/format/dates.ts'
import { formatMoney } from '#app/lib/format/money.ts'
import { formatDistance } from '#app/lib/format/places.ts'
import { midSentence } from '#app/lib/format/words.ts'
import { ownSearchState, useOwnSearch } from '#app/lib/own-search.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { numberFormat } from '#contract/base/intl.ts'
import type { Region } from '#contract/base/region.ts'
import { regionFacts } from '#contract/base/region.ts'
import type { MapPin, ProviderCard, SearchFilters, SearchResults } from '#contract/search.ts'
import { type ResultPin, ResultsMapLazy } from './map/results-map-lazy.tsx'
import { searchAround } from './results-search.ts'
import { numberOf, useMapResults } from './use-results.ts'

type ResultsMapProps = {
  filters: SearchFilters
  region: Region
  results: SearchResults
  people: string
  selectedId: string | null
  hoveredId: string | null
  onSelect: (id: string | null) => void
  onHover: (id: string | null) => void
  onSearchArea: (area: ReturnType<typeof searchAround>) => void
}

type PinSource = Pick<MapPin, 'id' | 'name' | 'distance' | 'fee' | 'nextFree'> & {
  latitude: number
  longitude: number
}

function toPin(source: PinSource, number: number | null): ResultPin {
  return {
    id: source.id,
    number,
    lat: source.latitude,
    lon: source.longitude,
    name: source.name,
    distanceLabel: formatDistance(source.distance),
    priceLabel: formatMoney(source.fee),
  }
}

/** All results of the list with their numbers, then the others nearby as dots. */
function pinsOf(results: SearchResults, others: readonly MapPin[]): ResultPin[] {
  const listed = results.results.map((card, at) =>
    toPin({ ...card, ...card.place, name: card.name }, numberOf(results, at)),
  )
  const ids = new Set(listed.map((pin) => pin.id))
  return [...listed, ...others.filter((pin) => !ids.has(pin.id)).map((pin) => toPin(pin, null))]
}

function totalLabel(total: number, people: string): string {
  return total === 1 ? '1 result' : `${numberFormat('en-GB').format(total)} ${midSentence(people)}`
}

const NO_PINS: readonly MapPin[] = []

/** The results on a map: pins numbered as in the list, with hover and selection shared. */
export function ResultsMap(props: ResultsMapProps) {
  const { filters, region, results, people } = props
  const map = useMapResults(filters, true)
  const others = map.data?.pins ?? NO_PINS
  // Memoised, as the map redraws all pins when the array changes.
  const pins = useMemo(() => pinsOf(results, others), [results, others])
  const { tileUrl, tileAttribution } = useSiteConfig()
  const { latitude, longitude, label } = results.place
  return (
    <ResultsMapLazy
      region={region}
      center={{ lat: latitude, lon: longitude, label }}
      radiusMiles={results.radius}
      pins={pins}
      selectedId={props.selectedId}
      hoveredId={props.hoveredId}
      onSelect={props.onSelect}
      onHover={props.onHover}
      onSearchArea={(area) => props.onSearchArea(searchAround(area))}
      renderCard={(id) => (
        <PinCard
          id={id}
          region={region}
          mode={filters.mode}
          card={results.results.find((one) => one.id === id)}
          pin={others.find((one) => one.id === id)}
        />
      )}
      tileUrl={tileUrl}
      tileAttribution={tileAttribution}
      totalLabel={totalLabel(results.total, people)}
    />
  )
}

type PinCardProps = {
  id: string
  region: Region
  /** The mode searched for, which decides the visit type whose fee is shown. */
  mode: SearchFilters['mode']
  /** The provider's data from the list, if on its current page. */
  card: ProviderCard | undefined
  /** The provider's data from the map. */
  pin: MapPin | undefined
}

/** The card of a pressed pin: name, distance, fee, next free time, and the link to the profile. */
function PinCard({ id, region, mode, card, pin }: PinCardProps) {
  const state = ownSearchState(useOwnSearch())
  const known = card ?? pin
  if (known === undefined) return null
  // A pin carries no zone; in the UK there is only one.
  const timeZone = card?.place.timeZone ?? (region === 'uk' ? regionFacts.uk.timeZone : undefined)
  const next =
    timeZone !== undefined && known.nextFree !== null
      ? `Next free: ${formatRelativeDay(dayOf(known.nextFree, timeZone), timeZone)}, ${formatTime(known.nextFree, timeZone)}`
      : null
  return (
    <div className="flex flex-col gap-1 text-base">
      <Link
        to="/doctor-profile/$id/$distance"
        params={{ id, distance: known.distance.toFixed(1) }}
        search={{ region, mode }}
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
