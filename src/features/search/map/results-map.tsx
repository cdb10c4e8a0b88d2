import { LatLngBounds, type Map as LeafletMap } from 'leaflet'
import './map.css'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { MapContainer, useMapEvents } from 'react-leaflet'
import type { Region } from '#contract/region.ts'
import { MapControls } from './map-controls.tsx'
import { areaOfView, OwnMoves, prefersStillness, useMapFrame } from './map-frame.ts'
import { circleBounds } from './mercator.ts'
import { pinSource } from './pins.ts'
import { DockedCard, PinsLayer, StandingCard } from './pins-layer.tsx'
import { BackdropLayers, TilesLayer } from './tiles-layer.tsx'
import type { ResultsMapProps } from './types.ts'

const limits: Record<Region, [[number, number], [number, number]]> = {
  uk: [
    [45.2, -19.8],
    [63.3, 11.8],
  ],
  usa: [
    [14.2, -179.8],
    [73.8, -50.2],
  ],
}

/**
 * Bounds of the drawn world; undefined for a centre outside them, as on Guam, where pins are shown on a blank
 * map without bounds.
 */
function limitsAround({ region, center }: ResultsMapProps): LatLngBounds | undefined {
  const drawn = new LatLngBounds(...limits[region])
  return drawn.contains([center.lat, center.lon]) ? drawn : undefined
}

/** Results on a map that needs no network beyond our own server. It fills its parent element. */
export function ResultsMap(props: ResultsMapProps) {
  const edge = limitsAround(props)
  // Leaflet takes bounds only on creation: other bounds need a new map.
  return <OneMap key={edge?.toBBoxString()} {...props} edge={edge} />
}

function OneMap(props: ResultsMapProps & { edge: LatLngBounds | undefined }) {
  const { region, center, radiusMiles, pins, selectedId, tileUrl, onSelect } = props
  const [map, setMap] = useState<LeafletMap | null>(null)
  const moves = useMemo(() => (map ? new OwnMoves(map) : null), [map])
  const { isMoved, isNarrow, back, leave } = useMapFrame({ map, moves, center, radiusMiles })
  const source = useMemo(() => pinSource(pins), [pins])
  // The pin the user opened on the map itself: its card takes focus, and returns it on closing.
  const [openedHere, setOpenedHere] = useState<string | null>(null)
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const selected = pins.find((pin) => pin.id === selectedId)

  const pick = (id: string) => {
    setOpenedHere(id)
    onSelect(id)
  }
  const close = useCallback(() => {
    const pin = openedHere && frame?.querySelector(`[data-pin="${CSS.escape(openedHere)}"]`)
    if (pin instanceof HTMLElement) pin.focus()
    setOpenedHere(null)
    onSelect(null)
  }, [frame, openedHere, onSelect])
  useEffect(() => {
    if (!frame || selectedId === null) return
    const press = (event: KeyboardEvent) => event.key === 'Escape' && close()
    frame.addEventListener('keydown', press)
    return () => frame.removeEventListener('keydown', press)
  }, [frame, selectedId, close])
  const searchHere = () => {
    if (!map) return
    const area = areaOfView(map.getCenter(), map.getBounds().getNorthEast())
    leave(area)
    props.onSearchArea(area)
  }
  const card = selected && {
    pin: selected,
    takesFocus: openedHere === selected.id,
    onClose: close,
    children: props.renderCard(selected.id),
  }
  const [start] = useState(() => ({
    bounds: circleBounds(center.lat, center.lon, radiusMiles),
    isStill: prefersStillness(),
  }))
  return (
    <section ref={setFrame} aria-label="Map of results" className="map-frame">
      <MapContainer
        ref={setMap}
        className="map-canvas"
        bounds={start.bounds}
        boundsOptions={{ padding: [18, 18] }}
        {...(props.edge && { maxBounds: props.edge })}
        maxBoundsViscosity={0.9}
        maxZoom={16}
        zoomSnap={tileUrl === null ? 0.25 : 1}
        wheelPxPerZoomLevel={90}
        zoomControl={false}
        attributionControl={false}
        trackResize={false}
        zoomAnimation={!start.isStill}
        fadeAnimation={!start.isStill}
        inertia={!start.isStill}
      >
        <BackdropLayers region={region} center={center} radiusMiles={radiusMiles} source={source} />
        {tileUrl !== null && <TilesLayer url={tileUrl} />}
        <PinsLayer
          source={source}
          selectedId={selectedId}
          hoveredId={props.hoveredId}
          onPick={pick}
          onHover={props.onHover}
        />
        <PressOnGround onPress={close} />
        {card && moves && isNarrow === false && (
          <StandingCard key={card.pin.id} moves={moves} {...card} />
        )}
      </MapContainer>
      {map && (
        <MapControls
          map={map}
          region={region}
          totalLabel={props.totalLabel}
          centerLabel={center.label}
          tileAttribution={tileUrl === null ? null : (props.tileAttribution ?? '')}
          isMoved={isMoved}
          onSearchHere={searchHere}
          onBack={back}
        />
      )}
      {card && isNarrow && <DockedCard key={card.pin.id} {...card} />}
    </section>
  )
}

/** Closes the card on a press outside the pins. */
function PressOnGround({ onPress }: { onPress: () => void }) {
  useMapEvents({ click: onPress })
  return null
}
