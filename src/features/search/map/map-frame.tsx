import type { LatLng, Map as LeafletMap } from 'leaflet'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { RADII } from '#contract/search.ts'
import { circleBounds } from './mercator.ts'
import type { ProgrammaticMoves } from './own-moves.ts'
import type { SearchArea } from './results-map-lazy.tsx'

/** Below this width in pixels, the selected pin's card is docked to the lower edge. */
const NARROW_PX = 480

interface MapFrame {
  /** Whether the user has moved the map since the last search. */
  isMoved: boolean
  /** Null until the map's element has been measured. */
  isNarrow: boolean | null
  /** Shows the searched circle again. */
  back: () => void
  /** Records the area about to be searched, so that the view stays where the user put it. */
  leave: (area: SearchArea) => void
}

/**
 * Keeps the searched circle in view, follows the size of the map's element, and notices when the user moves
 * the map.
 */
export function useMapFrame({
  map,
  moves,
  center,
  radiusMiles,
}: {
  map: LeafletMap | null
  moves: ProgrammaticMoves | null
  center: { lat: number; lon: number }
  radiusMiles: number
}): MapFrame {
  const [isMoved, setIsMoved] = useState(false)
  const [isNarrow, setIsNarrow] = useState<boolean | null>(null)
  const requested = useRef<SearchArea | null>(null)
  const shown = useRef<SearchArea>({ lat: center.lat, lon: center.lon, radiusMiles })
  const moved = useRef(false)
  const { lat, lon } = center
  const mark = useCallback((value: boolean) => {
    moved.current = value
    setIsMoved(value)
  }, [])
  const fit = useCallback(
    (wantsMotion: boolean) => {
      const animate = wantsMotion && !prefersReducedMotion()
      const bounds = circleBounds(lat, lon, radiusMiles)
      moves?.run((own) => own.fitBounds(bounds, { padding: [18, 18], animate }), animate)
      mark(false)
    },
    [moves, mark, lat, lon, radiusMiles],
  )

  const resize = useEffectEvent((own: LeafletMap, ownMoves: ProgrammaticMoves) => {
    const { clientWidth } = own.getContainer()
    if (clientWidth === 0) return
    setIsNarrow(clientWidth < NARROW_PX)
    const before = own.getSize()
    ownMoves.run(() => {
      own.invalidateSize({ pan: false, animate: false })
      // Limits zooming out, so that the edge of the drawn world is never inside the view.
      const { maxBounds } = own.options
      if (maxBounds) own.setMinZoom(own.getBoundsZoom(maxBounds, true))
    })
    if (!moved.current && !before.equals(own.getSize())) fit(false)
  })

  useEffect(() => moves?.watch(() => mark(true)), [moves, mark])

  useEffect(() => {
    if (!moves) return
    const before = shown.current
    shown.current = { lat, lon, radiusMiles }
    const area = requested.current
    requested.current = null
    // A search with few results comes back wider than requested; that is no reason to move the view either.
    if (area && isSamePlace(area, { lat, lon })) mark(false)
    else if (!isSamePlace(before, { lat, lon }) || before.radiusMiles !== radiusMiles) fit(true)
  }, [moves, fit, mark, lat, lon, radiusMiles])

  useEffect(() => {
    if (!map || !moves) return
    const container = map.getContainer()
    container.setAttribute('role', 'application')
    container.setAttribute('aria-label', 'Map. The arrow keys move it, plus and minus zoom.')
    const observer = new ResizeObserver(() => resize(map, moves))
    observer.observe(container)
    return () => {
      observer.disconnect()
      cancelZoom(map)
    }
  }, [map, moves])

  return {
    isMoved,
    isNarrow,
    back: () => fit(true),
    leave: (area) => {
      requested.current = area
      mark(false)
    },
  }
}

/**
 * Cancels a zoom in progress: Leaflet finishes it by a timer, which throws once the map is removed, and
 * offers no public way to stop it.
 */
function cancelZoom(map: LeafletMap): void {
  Reflect.set(map, '_animatingZoom', false)
}

// The address bar keeps fewer decimals than the map has.
function isSamePlace(a: { lat: number; lon: number }, b: { lat: number; lon: number }): boolean {
  return Math.abs(a.lat - b.lat) < 1e-3 && Math.abs(a.lon - b.lon) < 1e-3
}

/** Whether the user prefers reduced motion. */
export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

const METRES_PER_MILE = 1609.344

/**
 * The circle to search for a view: its centre, and the smallest radius on offer that reaches its corners (the
 * largest if none does).
 */
export function areaOfView(center: LatLng, corner: LatLng): SearchArea {
  const reach = center.distanceTo(corner) / METRES_PER_MILE
  const radiusMiles = RADII.find((miles) => miles >= reach) ?? RADII[RADII.length - 1] ?? 50
  return { lat: center.lat, lon: center.lng, radiusMiles }
}
