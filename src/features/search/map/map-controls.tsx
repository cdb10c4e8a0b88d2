import type { Map as LeafletMap } from 'leaflet'
import { LocateFixed, Minus, Plus, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Region } from '#contract/base/region.ts'
import { Credit } from './map-credit.tsx'
import { milesPerPixel } from './mercator.ts'

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
