import type { ReactNode } from 'react'
import { lazyPart } from '#app/ui/lazy-part.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import type { Region } from '#contract/base/region.ts'

/** One provider on the map. */
export interface ResultPin {
  id: string
  /** Its number in the list; null if it is on another page, which draws a small dot. */
  number: number | null
  lat: number
  lon: number
  name: string
  /** Distance in words, such as "1.2 miles away". */
  distanceLabel?: string | undefined
  priceLabel?: string | undefined
}

/** A circle on the ground. */
export interface SearchArea {
  lat: number
  lon: number
  radiusMiles: number
}

export interface ResultsMapProps {
  region: Region
  center: { lat: number; lon: number; label: string }
  radiusMiles: number
  pins: readonly ResultPin[]
  selectedId: string | null
  /** The provider under pointer or focus in the list: its pin is raised. */
  hoveredId: string | null
  onSelect: (id: string | null) => void
  onHover: (id: string | null) => void
  /** Called by "Search this area" with the middle of the view and the radius that covers it. */
  onSearchArea: (area: SearchArea) => void
  /** The card shown at the selected pin: name, next free time, link. */
  renderCard: (id: string) => ReactNode
  /** Tiles drawn over the built-in backdrop, `https://…/{z}/{x}/{y}.png`; null for none. */
  tileUrl: string | null
  /** Attribution of the tiles: text, with links as `<a href="…">…</a>`. */
  tileAttribution: string | null
  /** The count shown on the map, such as "23 dentists". */
  totalLabel: string
}

/** The map's placeholder while its code loads, and the message if that fails. */
export const mapLoading = {
  pending: <Skeleton className="h-full w-full" />,
  lost: 'The map didn’t load. Check your connection. The rest of this page still works.',
}

/** The map of results, loaded on demand; until then a placeholder of the same size. */
export const ResultsMapLazy = lazyPart(
  async () => (await import('./results-map.tsx')).ResultsMap,
  mapLoading,
)
