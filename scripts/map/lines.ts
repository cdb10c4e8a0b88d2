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

/** The part of a ring inside a box (Sutherland and Hodgman, one side at a time); empty when nothing is inside. */
export function clipRing(ring: Point[], box: Box): Point[] {
  let points = ring
  for (const side of [0, 1, 2, 3] as const) {
    const axis = side % 2 === 0 ? 0 : 1
    const limit = box[side]
    const isInside = (p: Point) => (side < 2 ? p[axis] >= limit : p[axis] <= limit)
    const clipped: Point[] = []
    let before = points.at(-1)
    for (const point of points) {
      if (before && isInside(before) !== isInside(point)) {
        const share = (limit - before[axis]) / (point[axis] - before[axis])
        clipped.push([
          before[0] + share * (point[0] - before[0]),
          before[1] + share * (point[1] - before[1]),
        ])
      }
      if (isInside(point)) clipped.push(point)
      before = point
    }
    points = clipped
  }
  return points
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
  return contour(density, width, options.threshold).map((ring) =>
    ring.map(([x, y]) => [west + x * cellX, south + y * options.cell]),
  )
}

/**
 * Closed rings where a grid crosses a level (marching squares, straight lines between cells). The outermost
 * cells must lie below the level.
 */
export function contour(grid: Float32Array, width: number, level: number): Point[][] {
  const height = grid.length / width
  const value = (x: number, y: number) => grid[y * width + x] ?? 0
  const next = new Map<number, number>()
  const point = new Map<number, Point>()
  // An edge is named by the grid point at its start, times two, plus one when it runs upwards.
  const cross = (x: number, y: number, isUpright: boolean): number => {
    const key = (y * width + x) * 2 + (isUpright ? 1 : 0)
    const from = value(x, y)
    const share = (level - from) / (value(x + (isUpright ? 0 : 1), y + (isUpright ? 1 : 0)) - from)
    point.set(key, isUpright ? [x, y + share] : [x + share, y])
    return key
  }
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++) {
      const corners = [value(x, y), value(x + 1, y), value(x + 1, y + 1), value(x, y + 1)]
      const code = corners.reduce((sum, v, bit) => sum + (v >= level ? 1 << bit : 0), 0)
      if (code === 0 || code === 15) continue
      const sides = [
        () => cross(x, y, false),
        () => cross(x + 1, y, true),
        () => cross(x, y + 1, false),
        () => cross(x, y, true),
      ]
      // The high ground stays on the left: a segment starts on the side where the walk round the cell leaves
      // it.
      for (let side = 0; side < 4; side++) {
        if (!(code & (1 << side)) || code & (1 << ((side + 1) % 4))) continue
        let end = (side + 3) % 4
        while (!(code & (1 << end)) === !(code & (1 << ((end + 1) % 4)))) end = (end + 3) % 4
        const [start, stop] = [sides[side], sides[end]]
        if (start && stop) next.set(start(), stop())
      }
    }
  }
  return follow(next, point)
}

function follow(next: Map<number, number>, point: Map<number, Point>): Point[][] {
  const rings: Point[][] = []
  while (next.size > 0) {
    const ring: Point[] = []
    const [first] = next.keys()
    for (let at = first; at !== undefined; ) {
      const here = point.get(at)
      const to: number | undefined = next.get(at)
      // Back at the start, whose step was taken first.
      if (here && to !== undefined) ring.push(here)
      next.delete(at)
      at = to
    }
    rings.push(ring)
  }
  return rings
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
