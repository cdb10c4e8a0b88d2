import type { Map as LeafletMap } from 'leaflet'
import { LocateFixed, Minus, Plus, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Region } from '#contract/region.ts'
import { scaleBar } from './map-frame.ts'
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
            disabled={zoom >= map.getMaxZoom()}
            onClick={() => map.zoomIn()}
          >
            <Plus aria-hidden size={18} />
          </button>
          <button
            type="button"
            className="map-button"
            aria-label="Zoom out"
            disabled={zoom <= map.getMinZoom()}
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
            onClick={onBack}
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
