import type { Map as LeafletMap } from 'leaflet'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Region } from '#contract/base/region.ts'
import { toWorld } from './mercator.ts'

/** A line in the unit square of the world: x0, y0, x1, y1 ..., and the box it fits in. */
export interface WorldLine {
  points: Float64Array
  west: number
  north: number
  east: number
  south: number
}

/** A label at its place in the unit square; rank 0 is the most important of its kind. */
export interface WorldLabel {
  kind: LabelKind
  name: string
  rank: number
  x: number
  y: number
}

/** The layers of a backdrop that are lines or rings. */
export type LineLayer = 'land' | 'abroad' | 'lakes' | 'builtUp' | 'rivers' | 'borders' | 'counties'

/** A backdrop ready to draw. */
export interface Backdrop {
  region: PackedBackdrop['region']
  bounds: PackedBackdrop['bounds']
  lines: Record<LineLayer, WorldLine[]>
  labels: WorldLabel[]
}

/** Unpacks `/map/{region}.json`. Throws if the format is wrong. */
export function unpackBackdrop(packed: unknown): Backdrop {
  if (!isBackdrop(packed)) throw new Error('The map file is not one this page can read.')
  const { land, abroad, lakes, builtUp, rivers, borders } = packed
  return {
    region: packed.region,
    bounds: packed.bounds,
    lines: {
      land: unpackLines(land),
      abroad: unpackLines(abroad),
      lakes: unpackLines(lakes),
      builtUp: unpackLines(builtUp),
      rivers: unpackLines(rivers),
      borders: unpackLines(borders),
      counties: [],
    },
    labels: packed.labels.flatMap(unpackLabels),
  }
}

function unpackLines({ origin, step, lines }: PackedLines): WorldLine[] {
  let [startX, startY] = [0, 0]
  return lines.map((flat) => {
    const points = new Float64Array(flat.length)
    const line = { points, west: 1, north: 1, east: 0, south: 0 }
    let [column, row] = [startX, startY]
    for (let i = 0; i < flat.length; i += 2) {
      column += flat[i] ?? 0
      row += flat[i + 1] ?? 0
      if (i === 0) [startX, startY] = [column, row]
      const { x, y } = toWorld(origin[1] + row * step[1], origin[0] + column * step[0])
      points[i] = x
      points[i + 1] = y
      line.west = Math.min(line.west, x)
      line.east = Math.max(line.east, x)
      line.north = Math.min(line.north, y)
      line.south = Math.max(line.south, y)
    }
    return line
  })
}

function unpackLabels({ kind, names, perDegree, at, ranks }: PackedLabels): WorldLabel[] {
  let [lon, lat, rank, left] = [0, 0, 0, ranks[0] ?? 0]
  return names.split('\n').map((name, index) => {
    lon += at[index * 2] ?? 0
    lat += at[index * 2 + 1] ?? 0
    while (left === 0 && rank < ranks.length) left = ranks[++rank] ?? 0
    left--
    return { kind, name, rank, ...toWorld(lat / perDegree, lon / perDegree) }
  })
}

/** Unpacks `/map/usa-counties.json`. Throws if the format is wrong. */
export function unpackCounties(packed: unknown): { lines: WorldLine[]; labels: WorldLabel[] } {
  if (!isCounties(packed)) throw new Error('The county file is not one this page can read.')
  return { lines: unpackLines(packed.lines), labels: unpackLabels(packed.labels) }
}

/** Unpacks `/map/usa-zips.json`. Throws if the format is wrong. */
export function unpackZips(packed: unknown): WorldLabel[] {
  if (!isZips(packed)) throw new Error('The ZIP code file is not one this page can read.')
  const { perDegree, steps } = packed
  const labels: WorldLabel[] = []
  let [zip, lon, lat] = [0, 0, 0]
  for (let i = 0; i < steps.length; i += 3) {
    zip += steps[i] ?? 0
    lon += steps[i + 1] ?? 0
    lat += steps[i + 2] ?? 0
    const place = toWorld(lat / perDegree, lon / perDegree)
    labels.push({ kind: 'zip', name: String(zip).padStart(5, '0'), rank: 0, ...place })
  }
  return labels
}

function isCounties(value: unknown): value is PackedCounties {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    'lines' in value
  )
}

function isZips(value: unknown): value is PackedZips {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    'steps' in value
  )
}

function isBackdrop(value: unknown): value is PackedBackdrop {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    'labels' in value
  )
}

/**
 * The file `/map/{region}.json`, written by `scripts/build-map.ts` and read by the map. Lines are integers on
 * a grid, each point delta-encoded against the one before, as small steps compress well.
 */

/** Lines or rings on one grid: degrees = origin + number * step. */
export interface PackedLines {
  /** Longitude and latitude of grid point 0,0, in degrees. */
  origin: [number, number]
  /** Degrees per grid unit, longitude and latitude. */
  step: [number, number]
  /**
   * One flat list per line: dx0, dy0 from the start of the previous line (from 0,0 for the first), then dx1,
   * dy1, dx2, dy2 ...
   */
  lines: number[][]
}

/** What a label names; each kind has its own type style and its own zooms. */
export type LabelKind =
  | 'sea'
  | 'country'
  | 'state'
  | 'county'
  | 'city'
  | 'abroad'
  | 'outcode'
  | 'zip'

/** Labels of one kind, the most important first. */
export interface PackedLabels {
  kind: LabelKind
  /** Names joined by newlines. */
  names: string
  /** Resolution: `at` counts in steps of 1 / perDegree degrees. */
  perDegree: number
  /** lon0, lat0, then steps from the label before. */
  at: number[]
  /** How many labels have rank 0, rank 1 and so on; rank 0 is the most important. */
  ranks: number[]
}

/**
 * A whole backdrop. Rings of `land`, `abroad`, `lakes` and `builtUp` are filled (even-odd); the rest are
 * stroked.
 */
export interface PackedBackdrop {
  version: 1
  region: 'uk' | 'usa'
  /** West, south, east, north in degrees: nothing is drawn beyond. */
  bounds: [number, number, number, number]
  land: PackedLines
  abroad: PackedLines
  lakes: PackedLines
  builtUp: PackedLines
  rivers: PackedLines
  /** Borders inside the country: states (USA). */
  borders: PackedLines
  labels: PackedLabels[]
}

/** The file `/map/usa-counties.json`, fetched once the map is zoomed in enough to tell counties apart. */
export interface PackedCounties {
  version: 1
  lines: PackedLines
  labels: PackedLabels
}

/** The file `/map/usa-zips.json`, fetched once the map is zoomed in enough to read ZIP codes. */
export interface PackedZips {
  version: 1
  perDegree: number
  /** Three numbers per ZIP code, each the step from the one before: the code, longitude, latitude. */
  steps: number[]
}

const cache = new Map<string, Promise<unknown>>()

/** The backdrop of a region, fetched once per page load; after a failure the next call retries. */
async function fetchBackdrop(region: Region): Promise<Backdrop> {
  return unpackBackdrop(await fetchOnce(`/map/${region}.json`))
}

/** County lines and names of the USA, fetched once per page load. */
async function fetchCounties(): Promise<{ lines: WorldLine[]; labels: WorldLabel[] }> {
  return unpackCounties(await fetchOnce('/map/usa-counties.json'))
}

/** Every ZIP code as a label, fetched once per page load. */
async function fetchZips(): Promise<WorldLabel[]> {
  return unpackZips(await fetchOnce('/map/usa-zips.json'))
}

function fetchOnce(path: string): Promise<unknown> {
  const cached = cache.get(path)
  if (cached) return cached
  const request = loadJson(path).catch((error: unknown) => {
    cache.delete(path)
    throw error
  })
  cache.set(path, request)
  return request
}

async function loadJson(path: string): Promise<unknown> {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
  return answer.json()
}

// Zooms from which the detail is legible, and worth its file.
const COUNTIES_FROM = 6.3
const ZIPS_FROM = 9.5

/**
 * The backdrop once loaded, in the USA with counties and ZIP codes when zoomed in. Without it the pins are
 * still shown; it is fetched again when the network returns.
 */
export function useBackdrop(region: Region, map: LeafletMap): Backdrop | null {
  const load = useCallback(() => fetchBackdrop(region), [region])
  const backdrop = useFetched(load)
  const zoom = useLargestZoom(map)
  const hasCounties = region === 'usa' && zoom >= COUNTIES_FROM
  const hasZips = region === 'usa' && zoom >= ZIPS_FROM
  const counties = useFetched(hasCounties ? fetchCounties : null)
  const zips = useFetched(hasZips ? fetchZips : null)
  return useMemo(() => {
    if (backdrop?.region !== region) return null
    const labels = [...backdrop.labels, ...(counties?.labels ?? []), ...(zips ?? [])]
    return { ...backdrop, lines: { ...backdrop.lines, counties: counties?.lines ?? [] }, labels }
  }, [backdrop, counties, zips, region])
}

function useFetched<T>(fetch: (() => Promise<T>) | null): T | null {
  const [data, setData] = useState<T | null>(null)
  useEffect(() => {
    let isCurrent = true
    // What fails to load is not drawn; the map is useful without it.
    const load = () => {
      fetch?.().then(
        (value) => isCurrent && setData(value),
        () => isCurrent && setData(null),
      )
    }
    load()
    addEventListener('online', load)
    return () => {
      isCurrent = false
      removeEventListener('online', load)
    }
  }, [fetch])
  return data
}

/** The largest zoom since the map was opened. */
function useLargestZoom(map: LeafletMap): number {
  const [largest, setLargest] = useState(map.getZoom())
  useEffect(() => {
    const update = () => setLargest((before) => Math.max(before, map.getZoom()))
    map.on('zoomend', update)
    return () => {
      map.off('zoomend', update)
    }
  }, [map])
  return largest
}
