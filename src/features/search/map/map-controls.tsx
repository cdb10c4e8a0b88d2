import type { Map as LeafletMap } from 'leaflet'
import { LocateFixed, Minus, Plus, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Region } from '#contract/region.ts'
import { Credit } from './credit.tsx'
import { milesPerPixel } from './mercator.ts'
import { scaleBar } from './view-radius.ts'

interface MapControlsProps {
  map: LeafletMap
  region: Region
  totalLabel: string
  centerLabel: string
  tileAttribution: string | null
  /** Whether the person has moved the map away from what was searched. */
  isMoved: boolean
  onSearchHere: () => void
  onBack: () => void
}

/** Buttons, count, scale and credit over the map. They stand beside Leaflet's own elements, so a press on them never moves it. */
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
            disabled={zoom >= map.getMaxZoom()}
            onClick={() => map.zoomIn()}
          >
            <Plus aria-hidden size={18} strokeWidth={1.75} />
          </button>
          <button
            type="button"
            className="map-button"
            aria-label="Zoom out"
            disabled={zoom <= map.getMinZoom()}
            onClick={() => map.zoomOut()}
          >
            <Minus aria-hidden size={18} strokeWidth={1.75} />
          </button>
        </div>
        {isMoved && (
          <button
            type="button"
            className="map-button map-back"
            aria-label={`Back to ${centerLabel}`}
            title={`Back to ${centerLabel}`}
            onClick={onBack}
          >
            <LocateFixed aria-hidden size={18} strokeWidth={1.75} />
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
