import type { LatLng, Map as LeafletMap } from 'leaflet'
import { LocateFixed, Minus, Plus, Search } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Region } from '#contract/base/region.ts'
import { RADII } from '#contract/search.ts'
import { circleBounds, milesPerPixel } from './mercator.ts'
import type { SearchArea } from './results-map-lazy.tsx'

interface MapControlsProps {
  map: LeafletMap
  region: Region
  totalLabel: string
  centerLabel: string
  tileAttribution: string | null
  /** Whether the user has moved the map away from the searched area. */
  isMoved: boolean
  onSearchHere: () => void
  onBack: () => void
}

/**
 * Buttons, count, scale and attribution over the map. They are outside Leaflet's own elements, so a press on
 * them never moves the map.
 */
export function MapControls({
  map,
  region,
  totalLabel,
  centerLabel,
  tileAttribution,
  isMoved,
  onSearchHere,
  onBack,
}: MapControlsProps) {
  const { zoom, scale } = useScale(map)
  return (
    <>
      <div className="map-top">
        <p className={isMoved ? 'map-count map-count-yields' : 'map-count'}>{totalLabel}</p>
        {isMoved && (
          <button type="button" className="map-search" onClick={onSearchHere}>
            <Search aria-hidden size={16} strokeWidth={2} />
            Search this area
          </button>
        )}
      </div>
      <div className="map-buttons">
        <div className="map-zoom">
          <button
            type="button"
            className="map-button"
            aria-label="Zoom in"
            // Not disabled: that would drop the keyboard's focus. At the limit a press does nothing.
            aria-disabled={zoom >= map.getMaxZoom()}
            onClick={() => map.zoomIn()}
          >
            <Plus aria-hidden size={18} />
          </button>
          <button
            type="button"
            className="map-button"
            aria-label="Zoom out"
            aria-disabled={zoom <= map.getMinZoom()}
            onClick={() => map.zoomOut()}
          >
            <Minus aria-hidden size={18} />
          </button>
        </div>
        {isMoved && (
          <button
            type="button"
            className="map-button map-back"
            aria-label={`Back to ${centerLabel}`}
            title={`Back to ${centerLabel}`}
            onClick={() => {
              // The button goes, and would take the focus with it.
              map.getContainer().focus({ preventScroll: true })
              onBack()
            }}
          >
            <LocateFixed aria-hidden size={18} />
          </button>
        )}
      </div>
      <div className="map-foot">
        <p className="map-scale" style={{ width: scale.width }}>
          {scale.label}
        </p>
        <Credit region={region} tiles={tileAttribution} />
      </div>
    </>
  )
}

function useScale(map: LeafletMap) {
  const [state, setState] = useState(() => readScale(map))
  useEffect(() => {
    const update = () => setState(readScale(map))
    map.on('zoomend moveend zoomlevelschange', update)
    return () => {
      map.off('zoomend moveend zoomlevelschange', update)
    }
  }, [map])
  return state
}

function readScale(map: LeafletMap) {
  const zoom = map.getZoom()
  return { zoom, scale: scaleBar(milesPerPixel(map.getCenter().lat, zoom), 128) }
}

const backdropCredits: Record<Region, string> = {
  uk: 'Contains OS data © Crown copyright 2025, GeoNames, Natural Earth',
  usa: 'US Census Bureau, GeoNames, Natural Earth',
}

/** Attribution of the map: the sources of the backdrop, or those of the tiles over it. */
export function Credit({ region, tiles }: { region: Region; tiles: string | null }) {
  return (
    <p className="map-credit">
      {tiles === null
        ? backdropCredits[region]
        : creditParts(tiles).map(({ text, href }, index) =>
            href ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one fixed text
              <a key={index} href={href} rel="noreferrer">
                {text}
              </a>
            ) : (
              text
            ),
          )}
    </p>
  )
}

/**
 * Splits an attribution into text and links; only `http` links become links, and any other markup is dropped.
 */
export function creditParts(credit: string): { text: string; href: string | null }[] {
  const parts: { text: string; href: string | null }[] = []
  const add = (text: string, href: string | null) => {
    if (plain(text) !== '') parts.push({ text: plain(text), href })
  }
  let at = 0
  for (const link of credit.matchAll(/<a\s[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)) {
    add(credit.slice(at, link.index), null)
    const [whole, href = '', text = ''] = link
    add(text, /^https?:\/\//.test(href) ? href : null)
    at = link.index + whole.length
  }
  add(credit.slice(at), null)
  return parts
}

function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&copy;', '©')
    .replaceAll('&amp;', '&')
}

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

/** Tells the map's own moves from the user's: only the latter offer a new search. */
export class ProgrammaticMoves {
  #isOwn = false
  readonly #map: LeafletMap

  constructor(map: LeafletMap) {
    this.#map = map
  }

  /** Moves the map; an animated move lasts until it comes to rest. */
  run(move: (map: LeafletMap) => void, isAnimated = false): void {
    this.#isOwn = true
    move(this.#map)
    if (!isAnimated) this.#isOwn = false
  }

  /**
   * Calls back when the map comes to rest after a move by the user; returns a function that stops watching.
   */
  watch(onMoved: () => void): () => void {
    const rest = () => {
      const wasOwn = this.#isOwn
      this.#isOwn = false
      if (!wasOwn) onMoved()
    }
    const grab = () => {
      this.#isOwn = false
    }
    this.#map.on('moveend', rest)
    this.#map.on('dragstart', grab)
    return () => {
      this.#map.off('moveend', rest)
      this.#map.off('dragstart', grab)
    }
  }
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

const SCALES: [number, string][] = [
  [500, '500 miles'],
  [200, '200 miles'],
  [100, '100 miles'],
  [50, '50 miles'],
  [20, '20 miles'],
  [10, '10 miles'],
  [5, '5 miles'],
  [2, '2 miles'],
  [1, '1 mile'],
  [0.5, '½ mile'],
  [0.25, '¼ mile'],
  [0.1, '⅒ mile'],
]

/**
 * The longest round distance whose bar is at most `room` pixels wide: its label and its width in pixels.
 * `milesAcross` is the width of one pixel.
 */
export function scaleBar(milesAcross: number, room: number): { label: string; width: number } {
  const found = SCALES.find(([miles]) => miles / milesAcross <= room) ?? SCALES.at(-1)
  const [miles, label] = found ?? [0.1, '⅒ mile']
  return { label, width: Math.round(miles / milesAcross) }
}
