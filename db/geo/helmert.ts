import type { Point } from './points.ts'

/**
 * Eastings and northings of the British National Grid to WGS84, after Ordnance Survey's "A guide
 * to coordinate systems in Great Britain": inverse transverse Mercator on Airy 1830 (annex C), then
 * the seven-parameter Helmert transformation (section 6.2). Good to about 5 metres.
 */

type Ellipsoid = { a: number; b: number }

const AIRY_1830: Ellipsoid = { a: 6_377_563.396, b: 6_356_256.909 }
const WGS84: Ellipsoid = { a: 6_378_137, b: 6_356_752.3142 }

const radians = (degrees: number): number => (degrees * Math.PI) / 180
const degrees = (value: number): number => (value * 180) / Math.PI
const arcSeconds = (seconds: number): number => radians(seconds / 3600)

/** Scale on the central meridian, true origin, and the false origin of the grid. */
const F0 = 0.9996012717
const LAT0 = radians(49)
const LON0 = radians(-2)
const E0 = 400_000
const N0 = -100_000

/** OSGB36 to WGS84: metres, parts per million and seconds of arc. */
const SHIFT = { x: 446.448, y: -125.157, z: 542.06 }
const SCALE = 1 - 20.4894e-6
const TURN = { x: arcSeconds(0.1502), y: arcSeconds(0.247), z: arcSeconds(0.8421) }

function eccentricitySquared({ a, b }: Ellipsoid): number {
  return 1 - (b * b) / (a * a)
}

/** Length of the meridian from the true origin to a latitude. */
function meridianArc(latitude: number): number {
  const { a, b } = AIRY_1830
  const n = (a - b) / (a + b)
  const n2 = n * n
  const n3 = n2 * n
  const minus = latitude - LAT0
  const plus = latitude + LAT0
  return (
    b *
    F0 *
    ((1 + n + 1.25 * n2 + 1.25 * n3) * minus -
      (3 * n + 3 * n2 + 2.625 * n3) * Math.sin(minus) * Math.cos(plus) +
      1.875 * (n2 + n3) * Math.sin(2 * minus) * Math.cos(2 * plus) -
      (35 / 24) * n3 * Math.sin(3 * minus) * Math.cos(3 * plus))
  )
}

/** Latitude and longitude on Airy 1830 in degrees, from metres on the National Grid. */
export function gridToOsgb36(easting: number, northing: number): Point {
  const scaledAxis = AIRY_1830.a * F0
  let latitude = (northing - N0) / scaledAxis + LAT0
  for (;;) {
    const missing = northing - N0 - meridianArc(latitude)
    if (Math.abs(missing) < 1e-5) break
    latitude += missing / scaledAxis
  }
  const e2 = eccentricitySquared(AIRY_1830)
  const sin2 = Math.sin(latitude) ** 2
  const nu = scaledAxis / Math.sqrt(1 - e2 * sin2)
  const rho = (scaledAxis * (1 - e2)) / (1 - e2 * sin2) ** 1.5
  const eta2 = nu / rho - 1
  const tan = Math.tan(latitude)
  const tan2 = tan * tan
  const tan4 = tan2 * tan2
  const sec = 1 / Math.cos(latitude)
  const dE = easting - E0
  const vii = tan / (2 * rho * nu)
  const viii = (tan / (24 * rho * nu ** 3)) * (5 + 3 * tan2 + eta2 - 9 * tan2 * eta2)
  const ix = (tan / (720 * rho * nu ** 5)) * (61 + 90 * tan2 + 45 * tan4)
  const x = sec / nu
  const xi = (sec / (6 * nu ** 3)) * (nu / rho + 2 * tan2)
  const xii = (sec / (120 * nu ** 5)) * (5 + 28 * tan2 + 24 * tan4)
  const xiia = (sec / (5040 * nu ** 7)) * (61 + 662 * tan2 + 1320 * tan4 + 720 * tan4 * tan2)
  return {
    latitude: degrees(latitude - vii * dE ** 2 + viii * dE ** 4 - ix * dE ** 6),
    longitude: degrees(LON0 + x * dE - xi * dE ** 3 + xii * dE ** 5 - xiia * dE ** 7),
  }
}

/** WGS84 latitude and longitude in degrees, from metres on the National Grid. */
export function gridToWgs84(easting: number, northing: number): Point {
  const airy = gridToOsgb36(easting, northing)
  const latitude = radians(airy.latitude)
  const longitude = radians(airy.longitude)
  const nu = AIRY_1830.a / Math.sqrt(1 - eccentricitySquared(AIRY_1830) * Math.sin(latitude) ** 2)
  const x = nu * Math.cos(latitude) * Math.cos(longitude)
  const y = nu * Math.cos(latitude) * Math.sin(longitude)
  const z = (1 - eccentricitySquared(AIRY_1830)) * nu * Math.sin(latitude)
  return toEllipsoid(
    SHIFT.x + SCALE * x - TURN.z * y + TURN.y * z,
    SHIFT.y + TURN.z * x + SCALE * y - TURN.x * z,
    SHIFT.z - TURN.y * x + TURN.x * y + SCALE * z,
  )
}

function toEllipsoid(x: number, y: number, z: number): Point {
  const e2 = eccentricitySquared(WGS84)
  const p = Math.hypot(x, y)
  let latitude = Math.atan2(z, p * (1 - e2))
  for (let change = 1; Math.abs(change) > 1e-12; ) {
    const nu = WGS84.a / Math.sqrt(1 - e2 * Math.sin(latitude) ** 2)
    const next = Math.atan2(z + e2 * nu * Math.sin(latitude), p)
    change = next - latitude
    latitude = next
  }
  return { latitude: degrees(latitude), longitude: degrees(Math.atan2(y, x)) }
}
