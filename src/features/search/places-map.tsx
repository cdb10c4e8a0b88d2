import { useNavigate } from '@tanstack/react-router'
import { MapPinned } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { Button } from '#app/ui/button.tsx'
import type { Region } from '#contract/base/region.ts'
import type { ProviderProfile } from '#contract/search.ts'
import { ResultsMapLazy } from './map/results-map-lazy.tsx'
import { searchAround } from './results-search.ts'

/** A mile around the first location shows the streets nearby. */
const RADIUS_MILES = 1

type OpenMapProps = {
  region: Region
  /** The map is centred on the first. */
  places: readonly { name: string; address: string; latitude: number; longitude: number }[]
  /** The specialty used when another area is searched. */
  specialty?: string
}

/** Practice locations on a map that fills its box. */
export function OpenMap({ region, places, specialty }: OpenMapProps) {
  const navigate = useNavigate()
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const [hoveredId, setHoveredId] = useState<string | null>(null)
  const pins = useMemo(
    () =>
      places.map((place, at) => ({
        id: String(at),
        number: at + 1,
        lat: place.latitude,
        lon: place.longitude,
        name: place.name,
      })),
    [places],
  )
  const { tileUrl, tileAttribution } = useSiteConfig()
  const [first] = places
  if (first === undefined) return null
  return (
    <ResultsMapLazy
      region={region}
      center={{ lat: first.latitude, lon: first.longitude, label: first.name }}
      radiusMiles={RADIUS_MILES}
      pins={pins}
      selectedId={selectedId}
      hoveredId={hoveredId}
      onSelect={setSelectedId}
      onHover={setHoveredId}
      onSearchArea={(area) =>
        void navigate({
          to: '/results',
          search: {
            selectedRegion: region,
            ...(specialty !== undefined && { specialty }),
            ...searchAround(area),
            distance_filter_clicked: true,
          },
        })
      }
      renderCard={(id) => {
        const place = places[Number(id)]
        return (
          place && (
            <>
              <p className="font-semibold">{place.name}</p>
              <p className="text-sm">{place.address}</p>
            </>
          )
        )
      }}
      tileUrl={tileUrl}
      tileAttribution={tileAttribution}
      totalLabel={first.name}
    />
  )
}

/** A provider's locations on the map, which is loaded on request. */
export function PlacesMap({ profile }: { profile: ProviderProfile }) {
  const [isShown, setIsShown] = useState(false)
  if (profile.places.length === 0) return null
  if (isShown) {
    return (
      <div className="mt-4 h-80 overflow-hidden rounded-card border border-line">
        <OpenMap
          region={profile.region}
          places={profile.places}
          specialty={profile.specialty.slug}
        />
      </div>
    )
  }
  return (
    <Button variant="secondary" className="no-print mt-4" onClick={() => setIsShown(true)}>
      <MapPinned aria-hidden="true" className="size-5" />
      Show on a map
    </Button>
  )
}
