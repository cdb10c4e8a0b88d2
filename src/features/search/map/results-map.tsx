import {
  type Coords,
  type DoneCallback,
  LatLngBounds,
  type Map as LeafletMap,
  TileLayer,
} from 'leaflet'
import './map.css'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { MapContainer, useMap, useMapEvents } from 'react-leaflet'
import { watchTheme } from '#app/parts/site-frame.tsx'
import type { Region } from '#contract/base/region.ts'
import { useBackdrop } from './backdrop.ts'
import { CanvasLayer, type Paint, readPalette } from './canvas-layer.ts'
import { drawCircle, drawLabels, drawLines, type Obstacle } from './draw.ts'
import { MapControls } from './map-controls.tsx'
import { areaOfView, prefersReducedMotion, useMapFrame } from './map-frame.tsx'
import { circleBounds, toWorld } from './mercator.ts'
import { ProgrammaticMoves } from './own-moves.ts'
import { groupPins, type PinSource, pinSource, viewOf } from './pins.ts'
import { DockedCard, FloatingCard, PinsLayer } from './pins-layer.tsx'
import type { ResultsMapProps } from './results-map-lazy.tsx'

const regionBounds: Record<Region, [[number, number], [number, number]]> = {
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
function boundsFor({ region, center }: ResultsMapProps): LatLngBounds | undefined {
  const drawn = new LatLngBounds(...regionBounds[region])
  return drawn.contains([center.lat, center.lon]) ? drawn : undefined
}

/** Results on a map that needs no network beyond our own server. It fills its parent element. */
export function ResultsMap(props: ResultsMapProps) {
  const edge = boundsFor(props)
  // Leaflet takes bounds only on creation: other bounds need a new map.
  return <BoundedMap key={edge?.toBBoxString()} {...props} edge={edge} />
}

function BoundedMap(props: ResultsMapProps & { edge: LatLngBounds | undefined }) {
  const { region, center, radiusMiles, pins, selectedId, tileUrl, onSelect } = props
  const [map, setMap] = useState<LeafletMap | null>(null)
  const moves = useMemo(() => (map ? new ProgrammaticMoves(map) : null), [map])
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
    isStill: prefersReducedMotion(),
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
        <BackgroundPress onPress={close} />
        {card && moves && isNarrow === false && (
          <FloatingCard key={card.pin.id} moves={moves} {...card} />
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
function BackgroundPress({ onPress }: { onPress: () => void }) {
  useMapEvents({ click: onPress })
  return null
}

/**
 * Leaflet cancels a tile by pointing its image at a `data:` URL, which the content security policy forbids.
 * Here the tile is a box around the image, on which that has no effect. A tile that fails leaves its box
 * empty.
 */
class BoxedTiles extends TileLayer {
  override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const box = document.createElement('div')
    const image = document.createElement('img')
    image.alt = ''
    image.className = 'map-tile'
    image.addEventListener('load', () => {
      box.append(image)
      done(undefined, box)
    })
    image.addEventListener('error', () => done(undefined, box))
    image.src = this.getTileUrl(coords)
    return box
  }
}

/** Tiles over the backdrop, which shows through where tiles fail to load. */
function TilesLayer({ url }: { url: string }) {
  const map = useMap()
  useEffect(() => {
    const layer = new BoxedTiles(url, { maxZoom: 19 })
    layer.addTo(map)
    return () => {
      layer.remove()
    }
  }, [map, url])
  return null
}

interface BackdropLayersProps {
  region: Region
  center: { lat: number; lon: number }
  radiusMiles: number
  source: PinSource
}

/** The drawn map, under the tiles, and the searched circle, over them. Both follow the theme. */
function BackdropLayers({ region, center, radiusMiles, source }: BackdropLayersProps) {
  const map = useMap()
  const backdrop = useBackdrop(region, map)
  const palette = usePalette(map.getContainer())
  const { lat, lon } = center
  const baseMap = useMemo((): Paint => {
    return (context, view) => {
      if (!backdrop) return
      const { singles, clusters } = groupPins(source, viewOf(map), null)
      const obstacles: Obstacle[] = [
        { ...toWorld(lat, lon), room: 5 },
        ...singles.map((pin) => ({
          ...toWorld(pin.lat, pin.lon),
          room: pin.number === null ? 7 : 17,
        })),
        ...clusters.map((cluster) => ({ ...toWorld(cluster.lat, cluster.lon), room: 16 })),
      ]
      const brush = { context, view, palette }
      drawLines(brush, backdrop)
      drawLabels(brush, backdrop, obstacles)
    }
  }, [map, backdrop, palette, source, lat, lon])
  const circle = useMemo((): Paint => {
    return (context, view) =>
      drawCircle({ context, view, palette }, { lat, lon, miles: radiusMiles })
  }, [lat, lon, radiusMiles, palette])
  useCanvas('backdrop', 150, baseMap)
  useCanvas('circle', 350, circle)
  return null
}

function useCanvas(name: string, zIndex: number, paint: Paint): void {
  const map = useMap()
  const [layer] = useState(() => {
    const pane = map.getPane(name) ?? map.createPane(name)
    pane.style.zIndex = String(zIndex)
    pane.style.pointerEvents = 'none'
    return new CanvasLayer(name, paint)
  })
  useEffect(() => {
    layer.addTo(map)
    return () => {
      layer.remove()
    }
  }, [layer, map])
  useEffect(() => layer.setPaint(paint), [layer, paint])
}

function usePalette(element: HTMLElement) {
  const [palette, setPalette] = useState(() => readPalette(element))
  useEffect(() => {
    const read = () => setPalette(readPalette(element))
    // Redraws text that was drawn before the fonts had loaded.
    document.fonts.ready.then(read, read)
    return watchTheme(read)
  }, [element])
  return palette
}
