import type { Map as LeafletMap } from 'leaflet'
import Supercluster from 'supercluster'
import type { ResultPin } from './results-map-lazy.tsx'

/** With more pins in view than this, crowded ones without a number are clustered. */
export const CLUSTER_ABOVE = 60

/** Several unnumbered pins drawn as one. */
export interface PinCluster {
  id: number
  lat: number
  lon: number
  count: number
  /** The zoom at which the cluster splits. */
  opensAt: number
}

/** What to draw: pins one by one, and clusters. */
export interface PinGroups {
  singles: ResultPin[]
  clusters: PinCluster[]
}

/** West, south, east, north in degrees. */
export type ViewBox = [number, number, number, number]

/** A set of pins, with the unnumbered ones indexed for clustering. */
export interface PinSource {
  pins: readonly ResultPin[]
  index: Supercluster<{ pin: ResultPin }>
}

/** Indexes a set of pins; costly, so keep the result while the pins stay the same. */
export function pinSource(pins: readonly ResultPin[]): PinSource {
  const index: PinSource['index'] = new Supercluster({ radius: 52, maxZoom: 15, minPoints: 3 })
  index.load(
    pins
      .filter((pin) => pin.number === null)
      .map((pin) => ({
        type: 'Feature' as const,
        geometry: { type: 'Point' as const, coordinates: [pin.lon, pin.lat] },
        properties: { pin },
      })),
  )
  return { pins, index }
}

/** The view to choose pins for, slightly larger than the visible one. */
export function viewOf(map: LeafletMap): { box: ViewBox; zoom: number } {
  const bounds = map.getBounds().pad(0.1)
  return {
    box: [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()],
    zoom: map.getZoom(),
  }
}

/**
 * The pins of a view, in the list's order and then the unnumbered ones. The list's own pins and the selected
 * one are never clustered.
 */
export function groupPins(
  { pins, index }: PinSource,
  view: { box: ViewBox; zoom: number },
  selectedId: string | null,
): PinGroups {
  const [west, south, east, north] = view.box
  const inView = pins.filter(
    ({ lat, lon }) => lon >= west && lon <= east && lat >= south && lat <= north,
  )
  if (inView.length <= CLUSTER_ABOVE) return { singles: inOrder(inView), clusters: [] }
  const alone = inView.filter((pin) => pin.number !== null || pin.id === selectedId)
  const clusters: PinCluster[] = []
  for (const { properties, geometry } of index.getClusters(view.box, Math.floor(view.zoom))) {
    const [lon = 0, lat = 0] = geometry.coordinates
    if ('cluster_id' in properties) {
      const { cluster_id: id, point_count: count } = properties
      clusters.push({ id, lat, lon, count, opensAt: index.getClusterExpansionZoom(id) })
    } else if (properties.pin.id !== selectedId) {
      alone.push(properties.pin)
    }
  }
  return { singles: inOrder(alone), clusters }
}

function inOrder(pins: ResultPin[]): ResultPin[] {
  return pins.toSorted((a, b) => listNumber(a) - listNumber(b))
}

function listNumber({ number }: ResultPin): number {
  return number ?? Number.MAX_SAFE_INTEGER
}

/** A point in pixels. */
export interface Spot {
  x: number
  y: number
}

/**
 * Moves overlapping pins just far enough apart; returns each pin's offset in pixels. The first stays put;
 * each later one takes the nearest free spot on rings around its own point.
 */
export function spreadPins(spots: readonly Spot[], distance: number): Spot[] {
  const placed: Spot[] = []
  return spots.map((spot) => {
    const moved = offsets(distance).find((offset) =>
      placed.every(
        (other) =>
          Math.hypot(other.x - spot.x - offset.x, other.y - spot.y - offset.y) >= distance - 0.01,
      ),
    ) ?? { x: 0, y: 0 }
    placed.push({ x: spot.x + moved.x, y: spot.y + moved.y })
    return moved
  })
}

function offsets(distance: number): Spot[] {
  const around = [{ x: 0, y: 0 }]
  for (let ring = 1; ring <= 4; ring++) {
    const count = ring * 8
    for (let i = 0; i < count; i++) {
      const angle = (i / count) * 2 * Math.PI
      const reach = (ring * distance) / 2
      around.push({ x: Math.cos(angle) * reach, y: Math.sin(angle) * reach })
    }
  }
  return around
}

/** The accessible name of a pin: "3, Dr Jane Doe, 1.2 miles away, £60". */
export function pinName({ number, name, distanceLabel, priceLabel }: ResultPin): string {
  const parts = [number, name, distanceLabel, priceLabel]
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ')
}
