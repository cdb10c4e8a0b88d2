/** WGS84, decimal degrees. */
export type Point = { latitude: number; longitude: number }

type Weighted = Point & { weight: number }

export const EARTH_RADIUS_KM = 6371.0088

/** Great-circle distance in kilometres (haversine, mean earth radius). */
export function distanceKm(a: Point, b: Point): number {
  const rad = Math.PI / 180
  const dLat = (b.latitude - a.latitude) * rad
  const dLon = (b.longitude - a.longitude) * rad
  const h =
    Math.sin(dLat / 2) ** 2 +
    Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin(dLon / 2) ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** The middle value; the mean of the two middle ones for an even count. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  return (lower + upper) / 2
}

/** Mean of points by weight; null for none. Plain degrees do for areas this small. */
export function weightedMean(points: Iterable<Weighted>): Point | null {
  let weight = 0
  let latitude = 0
  let longitude = 0
  for (const point of points) {
    weight += point.weight
    latitude += point.latitude * point.weight
    longitude += point.longitude * point.weight
  }
  if (weight === 0) return null
  return { latitude: latitude / weight, longitude: longitude / weight }
}

const CELL = 0.25

/** Finds the closest of many points; build once, query often. */
export class NearestIndex<T extends Point> {
  readonly #cells = new Map<string, T[]>()

  constructor(points: Iterable<T>) {
    for (const point of points) {
      const key = cellKey(Math.floor(point.latitude / CELL), Math.floor(point.longitude / CELL))
      const cell = this.#cells.get(key)
      if (cell === undefined) this.#cells.set(key, [point])
      else cell.push(point)
    }
  }

  /** The point closest to `from` within about a degree, or null. */
  nearest(from: Point): T | null {
    for (const reach of [1, 4]) {
      const found = this.#within(from, reach)
      if (found !== null) return found
    }
    return null
  }

  #within(from: Point, reach: number): T | null {
    const row = Math.floor(from.latitude / CELL)
    const column = Math.floor(from.longitude / CELL)
    const shrink = Math.cos((from.latitude * Math.PI) / 180) ** 2
    let best: T | null = null
    let least = Number.POSITIVE_INFINITY
    for (let r = row - reach; r <= row + reach; r++) {
      for (let c = column - reach; c <= column + reach; c++) {
        for (const point of this.#cells.get(cellKey(r, c)) ?? []) {
          const distance =
            (point.latitude - from.latitude) ** 2 + shrink * (point.longitude - from.longitude) ** 2
          if (distance < least) {
            least = distance
            best = point
          }
        }
      }
    }
    return best
  }
}

function cellKey(row: number, column: number): string {
  return `${row}/${column}`
}
