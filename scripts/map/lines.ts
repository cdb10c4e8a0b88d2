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
  // A line starts where the one before it started, give or take: neighbours then cost little.
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

/** Leaves out the points of a line that lie within `tolerance` (degrees, by place) of it without them (Douglas and Peucker). */
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
