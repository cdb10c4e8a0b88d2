/**
 * A point in the world as a unit square, 0 to 1 from west to east and from north to south (Web Mercator, as
 * used by tiles).
 */
export interface WorldPoint {
  x: number
  y: number
}

/** Converts degrees to the unit square. */
export function toWorld(lat: number, lon: number): WorldPoint {
  const sine = Math.sin((lat * Math.PI) / 180)
  return { x: lon / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) }
}

/** Width of the world in CSS pixels at a zoom. */
export function worldSize(zoom: number): number {
  return 256 * 2 ** zoom
}

const EARTH_MILES = 24_901.46

/** Ground distance in miles per CSS pixel at a latitude and zoom. */
export function milesPerPixel(lat: number, zoom: number): number {
  return (EARTH_MILES * Math.cos((lat * Math.PI) / 180)) / worldSize(zoom)
}

/** South-west and north-east corners (latitude, longitude) of the box around a circle. */
export function circleBounds(
  lat: number,
  lon: number,
  miles: number,
): [[number, number], [number, number]] {
  const north = (miles / EARTH_MILES) * 360
  const east = north / Math.cos((lat * Math.PI) / 180)
  return [
    [lat - north, lon - east],
    [lat + north, lon + east],
  ]
}
