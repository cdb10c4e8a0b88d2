import { distanceKm, EARTH_RADIUS_KM, type Point } from '#db/geo/points.ts'

/** A point on the unit sphere. */
export type UnitVector = { x: number; y: number; z: number }

/** One range of one latitude band: longitudes from `west` up to, not including, `east`. */
export type Strip = { band: number; west: number; east: number }

/** A circle on the globe, cut into ranges of the search index. */
export type Circle = {
  centre: UnitVector
  /** A place is inside when the dot product of its unit vector and the centre's is at least this. */
  leastDot: number
  /** Ranges that hold the whole circle and a little more: `inner` and `edge` together. */
  outer: Strip[]
  /** Ranges of whole cells that lie inside. Everything in them counts. */
  inner: Strip[]
  /** Ranges the edge runs through. Distances in them have to be measured. */
  edge: Strip[]
}

const KM_PER_MILE = 1.609344
const RADIANS = Math.PI / 180

/** Height of a latitude band in degrees: 6.9 miles. */
const BAND_HEIGHT = 0.1

/** Cells are an eighth of a degree wide: a power of two, so that their edges are exact numbers. */
const CELLS_PER_DEGREE = 8

/** A tenth of a millimetre: far more than rounding can move an edge. */
const SLACK_DEGREES = 1e-9

const HALF_TURN = 180

/** Ranges exclude their end: this one includes longitude 180 itself. */
const PAST_DATE_LINE = 180.1

/** The latitude band a place lies in. */
export function bandOf(latitude: number): number {
  return Math.floor(latitude / BAND_HEIGHT)
}

/** The cell of its band a place lies in. */
export function cellOf(longitude: number): number {
  return Math.floor(longitude * CELLS_PER_DEGREE)
}

/** The cells of a range whose ends are cell edges: from `first` up to, not including, `end`. */
export function cellsOf({ west, east }: Strip): { first: number; end: number } {
  return { first: cellOf(west), end: Math.ceil(east * CELLS_PER_DEGREE) }
}

/** A place as a point on the unit sphere. */
export function unitVector({ latitude, longitude }: Point): UnitVector {
  const ring = Math.cos(latitude * RADIANS)
  return {
    x: ring * Math.cos(longitude * RADIANS),
    y: ring * Math.sin(longitude * RADIANS),
    z: Math.sin(latitude * RADIANS),
  }
}

/** Great-circle distance in miles. */
export function milesBetween(a: Point, b: Point): number {
  return distanceKm(a, b) / KM_PER_MILE
}

/** Miles as people read them: one decimal. */
export function roundMiles(miles: number): number {
  return Math.round(miles * 10) / 10
}

type Outline = {
  /** Half the circle's width at a latitude, in degrees of longitude; -1 where the circle does not reach. */
  halfWidthAt: (latitude: number) => number
  widestLatitude: number
  widestHalf: number
}

function outlineOf(centre: Point, angle: number): Outline {
  const sinLat = Math.sin(centre.latitude * RADIANS)
  const cosLat = Math.cos(centre.latitude * RADIANS)
  const cosAngle = Math.cos(angle)
  const spread = Math.sin(angle) / cosLat
  return {
    halfWidthAt: (latitude) => {
      const ring = cosLat * Math.cos(latitude * RADIANS)
      const cosine = (cosAngle - sinLat * Math.sin(latitude * RADIANS)) / ring
      if (cosine > 1) return -1
      return Math.acos(Math.max(-1, cosine)) / RADIANS
    },
    widestLatitude: Math.asin(Math.min(1, Math.max(-1, sinLat / cosAngle))) / RADIANS,
    // A circle around a pole has every longitude.
    widestHalf: spread < 1 ? Math.asin(spread) / RADIANS : HALF_TURN,
  }
}

/** Adds a range, normalised to -180 to 180, in two parts where it crosses the date line. */
function addStrip(strips: Strip[], { band, west, east }: Strip): void {
  if (west >= east) return
  if (east - west >= 2 * HALF_TURN) {
    strips.push({ band, west: -HALF_TURN, east: PAST_DATE_LINE })
  } else if (east <= -HALF_TURN) {
    strips.push({ band, west: west + 2 * HALF_TURN, east: east + 2 * HALF_TURN })
  } else if (west >= HALF_TURN) {
    strips.push({ band, west: west - 2 * HALF_TURN, east: east - 2 * HALF_TURN })
  } else if (west < -HALF_TURN) {
    strips.push({ band, west: west + 2 * HALF_TURN, east: PAST_DATE_LINE })
    strips.push({ band, west: -HALF_TURN, east })
  } else if (east > HALF_TURN) {
    strips.push({ band, west, east: PAST_DATE_LINE })
    strips.push({ band, west: -HALF_TURN, east: east - 2 * HALF_TURN })
  } else {
    strips.push({ band, west, east })
  }
}

/**
 * The circle of `miles` around a place. Most places of a large circle lie in ranges wholly inside
 * it, so that counting them needs no arithmetic.
 */
export function circleAround(centre: Point, miles: number): Circle {
  const angle = (miles * KM_PER_MILE) / EARTH_RADIUS_KM
  const reach = angle / RADIANS
  const outline = outlineOf(centre, angle)
  const outer: Strip[] = []
  const inner: Strip[] = []
  const edge: Strip[] = []
  const { longitude } = centre
  const last = bandOf(centre.latitude + reach)
  for (let band = bandOf(centre.latitude - reach); band <= last; band++) {
    const south = band * BAND_HEIGHT
    const north = (band + 1) * BAND_HEIGHT
    const atSouth = outline.halfWidthAt(south)
    const atNorth = outline.halfWidthAt(north)
    const hasWidest = outline.widestLatitude >= south && outline.widestLatitude <= north
    const reaches = (hasWidest ? outline.widestHalf : Math.max(atSouth, atNorth)) + SLACK_DEGREES
    if (reaches < 0) continue
    const west = longitude - reaches
    const east = longitude + reaches
    const safe = Math.min(atSouth, atNorth) - SLACK_DEGREES
    addStrip(outer, { band, west, east })
    const safeWest = Math.ceil((longitude - safe) * CELLS_PER_DEGREE) / CELLS_PER_DEGREE
    const safeEast = Math.floor((longitude + safe) * CELLS_PER_DEGREE) / CELLS_PER_DEGREE
    if (safe <= 0 || safeWest >= safeEast || reaches >= HALF_TURN) {
      addStrip(edge, { band, west, east })
    } else {
      addStrip(edge, { band, west, east: safeWest })
      addStrip(inner, { band, west: safeWest, east: safeEast })
      addStrip(edge, { band, west: safeEast, east })
    }
  }
  return { centre: unitVector(centre), leastDot: Math.cos(angle), outer, inner, edge }
}
