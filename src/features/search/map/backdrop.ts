import type {
  LabelKind,
  PackedBackdrop,
  PackedCounties,
  PackedLabels,
  PackedLines,
  PackedZips,
} from './backdrop-format.ts'
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

/** Unpacks `/map/{region}.json`. Throws when it is not one of ours. */
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

/** Unpacks `/map/usa-counties.json`. Throws when it is not one of ours. */
export function unpackCounties(packed: unknown): { lines: WorldLine[]; labels: WorldLabel[] } {
  if (!isCounties(packed)) throw new Error('The county file is not one this page can read.')
  return { lines: unpackLines(packed.lines), labels: unpackLabels(packed.labels) }
}

/** Unpacks `/map/usa-zips.json`. Throws when it is not one of ours. */
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
