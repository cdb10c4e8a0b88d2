import { contours } from 'd3-contour'
import type { PackedLines } from '#app/features/search/map/backdrop.ts'

/** A point as longitude and latitude in degrees. */
export type Point = [number, number]
/** West, south, east, north in degrees. */
export type Box = [number, number, number, number]

/** Packs lines of degrees on a grid; points that fall on the grid point before them are dropped, and so are lines left with fewer than `least` points. */
export function packLines(
  lines: Point[][],
  grid: { box: Box; step: [number, number] },
  least = 2,
): PackedLines {
  const [west, south] = grid.box
  const [stepX, stepY] = grid.step
  const packed: number[][] = []
  // A line is stored relative to the start of the previous one: nearby lines then have small numbers.
  let [startX, startY] = [0, 0]
  for (const line of lines) {
    const flat: number[] = []
    let [lastX, lastY] = [startX, startY]
    for (const [lon, lat] of line) {
      const x = Math.round((lon - west) / stepX)
      const y = Math.round((lat - south) / stepY)
      if (flat.length > 0 && x === lastX && y === lastY) continue
      flat.push(x - lastX, y - lastY)
      lastX = x
      lastY = y
    }
    if (flat.length < least * 2) continue
    packed.push(flat)
    startX += flat[0] ?? 0
    startY += flat[1] ?? 0
  }
  return { origin: [west, south], step: [stepX, stepY], lines: packed }
}

/** Sorts lines into bands of latitude and then from west to east, so that each starts near the one before. */
export function sortLines(lines: Point[][], band: number): Point[][] {
  const bandOf = (line: Point[]) => Math.floor((line[0]?.[1] ?? 0) / band)
  return lines.toSorted((a, b) => bandOf(a) - bandOf(b) || (a[0]?.[0] ?? 0) - (b[0]?.[0] ?? 0))
}

/**
 * Leaves out the points of a line that lie within `tolerance` degrees of the line without them (Douglas and Peucker).
 */
export function simplifyLine(line: Point[], tolerance: (p: Point) => number): Point[] {
  if (line.length < 3) return line
  const keep = new Uint8Array(line.length)
  keep[0] = keep[line.length - 1] = 1
  const stack: [number, number][] = [[0, line.length - 1]]
  for (let range = stack.pop(); range; range = stack.pop()) {
    const [from, to] = range
    let [worst, at] = [0, -1]
    for (let i = from + 1; i < to; i++) {
      const point = line[i]
      if (!point) continue
      const off = distanceToSegment(point, line[from], line[to]) - tolerance(point)
      if (off > worst) [worst, at] = [off, i]
    }
    if (at > 0) {
      keep[at] = 1
      stack.push([from, at], [at, to])
    }
  }
  return line.filter((_, i) => keep[i] === 1)
}

function distanceToSegment(p: Point, a: Point | undefined, b: Point | undefined): number {
  if (!a || !b) return 0
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length
  const t = Math.max(0, Math.min(1, share))
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)
}

/** A place and how many people or letter boxes it stands for, in any unit. */
export interface Weighted {
  lon: number
  lat: number
  weight: number
}

/** Parameters for turning a density into outlines. */
export interface BuiltUpOptions {
  /** Grid cell in degrees of latitude. */
  cell: number
  /** Share of the distance to the nearest neighbours used as the spread of a place. */
  spread: number
  /** Minimum and maximum spread in kilometres. */
  limits: [number, number]
  /** Weight per square kilometre from which land counts as built up. */
  threshold: number
}

const kmPerDegree = 111.2

/**
 * Outlines of built-up areas: the tint of towns and cities. Each place is smeared by the distance to its neighbours.
 */
export function builtUpRings(places: Weighted[], options: BuiltUpOptions): Point[][] {
  const lats = places.map((p) => p.lat)
  const lons = places.map((p) => p.lon)
  const [south, west] = [minOf(lats) - 0.2, minOf(lons) - 0.3]
  const stretch = Math.cos((((minOf(lats) + maxOf(lats)) / 2) * Math.PI) / 180)
  const cellX = options.cell / stretch
  const width = Math.ceil((maxOf(lons) + 0.3 - west) / cellX)
  const height = Math.ceil((maxOf(lats) + 0.2 - south) / options.cell)
  const density = new Float32Array(width * height)
  const reach = neighbourDistances(places)
  places.forEach((place, index) => {
    const [low, high] = options.limits
    const sigma = Math.min(high, Math.max(low, (reach[index] ?? low) * options.spread))
    const peak = place.weight / (2 * Math.PI * sigma * sigma)
    const kmX = kmPerDegree * Math.cos((place.lat * Math.PI) / 180)
    const [cx, cy] = [(place.lon - west) / cellX, (place.lat - south) / options.cell]
    const [rx, ry] = [(3 * sigma) / (kmX * cellX), (3 * sigma) / (kmPerDegree * options.cell)]
    for (let y = Math.max(0, Math.ceil(cy - ry)); y <= Math.min(height - 1, cy + ry); y++) {
      for (let x = Math.max(0, Math.ceil(cx - rx)); x <= Math.min(width - 1, cx + rx); x++) {
        const [dx, dy] = [((x - cx) / rx) * 3, ((y - cy) / ry) * 3]
        const at = y * width + x
        density[at] = (density[at] ?? 0) + peak * Math.exp(-(dx * dx + dy * dy) / 2)
      }
    }
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types know plain arrays only, which take a gigabyte here
  const values = density as unknown as number[]
  const shape = contours().size([width, height]).contour(values, options.threshold)
  // D3 puts a value in the middle of its cell, ours stand at its corner; it repeats a ring's first point.
  return shape.coordinates
    .flat()
    .map((ring) =>
      ring
        .slice(1)
        .map(([x = 0, y = 0]) => [west + (x - 0.5) * cellX, south + (y - 0.5) * options.cell]),
    )
}

/** Mean distance in kilometres to the three nearest neighbours, by searching rings of a coarse grid. */
function neighbourDistances(places: Weighted[]): number[] {
  const size = 0.25
  const keyOf = (lon: number, lat: number) => Math.floor(lon / size) * 4096 + Math.floor(lat / size)
  const cells = new Map<number, Weighted[]>()
  for (const place of places) {
    const key = keyOf(place.lon, place.lat)
    const cell = cells.get(key)
    if (cell) cell.push(place)
    else cells.set(key, [place])
  }
  return places.map((place) => {
    const kmX = kmPerDegree * Math.cos((place.lat * Math.PI) / 180)
    const nearest = [99, 99, 99, 99]
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const other of cells.get(keyOf(place.lon + dx * size, place.lat + dy * size)) ?? []) {
          const km = Math.hypot(
            (other.lon - place.lon) * kmX,
            (other.lat - place.lat) * kmPerDegree,
          )
          if (km >= (nearest[3] ?? 0)) continue
          nearest[3] = km
          nearest.sort((a, b) => a - b)
        }
      }
    }
    // The first is the place itself.
    return ((nearest[1] ?? 0) + (nearest[2] ?? 0) + (nearest[3] ?? 0)) / 3
  })
}

function minOf(values: number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity)
}

function maxOf(values: number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity)
}
