import { type City, readCities, readGeoNamesZips } from '#db/geo/packages.ts'
import { placeKey, rowsOfCity } from '#db/geo/place-names.ts'
import { distanceKm, type Point } from '#db/geo/points.ts'
import { mergeSources, Towns, type ZipPlace } from '#db/geo/us-zips.ts'
import { type County, readCounties } from './map/counties.ts'

/** IANA zone of a point by exact boundaries. */
export type ZoneFinder = (at: Point) => string

/**
 * Where a town is, for codes of divided counties whose post office is listed miles away from it, on the other side of the
 * line.
 */
const TOWN_POINTS: Readonly<Record<string, Point>> = {
  // Salem, Alabama: the listed point is in Smiths Station, which lives by the clock of Columbus, Georgia.
  '36874': { latitude: 32.597, longitude: -85.239 },
  // Troy, Indiana is in Perry County, not in Spencer County as the list has it.
  '47588': { latitude: 37.995, longitude: -86.806 },
  // Cartwright, North Dakota: east of the Yellowstone River.
  '58838': { latitude: 47.864, longitude: -103.931 },
  // Gray Mountain, Arizona: off the Navajo Nation's land.
  '86016': { latitude: 35.75, longitude: -111.477 },
  // The headquarters of the Petrified Forest National Park.
  '86028': { latitude: 35.065, longitude: -109.782 },
  // Chambers, Arizona: off the Navajo Nation's land.
  '86502': { latitude: 35.188, longitude: -109.431 },
  // Wake Island is not in Honolulu County.
  '96898': { latitude: 19.29, longitude: 166.65 },
}

/** Towns that live by another clock than that of their side of the line. */
const TOWN_ZONES: Readonly<Record<string, string>> = {
  // Fort Pierre, South Dakota: across the bridge from Pierre, whose clock it shares.
  '57532': 'America/Chicago',
}

/** Counties with one town in another zone, too small to be found by sampling. */
const HOLDS_AN_ENCLAVE = new Set([
  // Metlakatla, in Prince of Wales-Hyder, Alaska.
  '02198',
  // West Wendover, in Elko County, Nevada.
  '32007',
])

/** A county is undivided when all but slivers along its border lie in one zone. */
const UNDIVIDED_SHARE = 0.97
const SAMPLES_ACROSS = 24

/** The zone of a whole county, or null for a divided one. */
function zoneOfCounty(county: County, findZone: ZoneFinder): string | null {
  if (HOLDS_AN_ENCLAVE.has(county.fips)) return null
  const counts = new Map<string, number>()
  const points = county.samples(SAMPLES_ACROSS)
  for (const at of points) {
    const zone = findZone(at)
    counts.set(zone, (counts.get(zone) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most !== undefined && most[1] >= points.length * UNDIVIDED_SHARE ? most[0] : null
}

/** A namesake farther away than this is another town. */
const TOWN_KM = 60

/** The town a ZIP code is named after, from GeoNames' list of towns. */
class TownPoints {
  readonly #byName: ReadonlyMap<string, City[]>

  constructor(cities: readonly City[]) {
    this.#byName = Map.groupBy(cities, (city) => `${placeKey(city.name)}/${city.admin}`)
  }

  find(zip: ZipPlace): Point | undefined {
    return (this.#byName.get(`${placeKey(zip.city)}/${zip.state}`) ?? [])
      .filter((city) => distanceKm(city, zip) <= TOWN_KM)
      .toSorted((a, b) => distanceKm(a, zip) - distanceKm(b, zip))[0]
  }
}

/**
 * The zone of every domestic ZIP code (decision 063). An undivided county decides; in a divided one, the town does, because
 * the middle of a ZIP area may be outside of it. Towns are looked up by name, then by their post office.
 */
export async function zonesOfZips(findZone: ZoneFinder): Promise<Map<string, string>> {
  const cities = readCities(new Set(['US', 'PR']))
  const zips = mergeSources(new Towns(cities.flatMap(rowsOfCity)))
  const offices = new Map(readGeoNamesZips().map((office) => [office.zip, office]))
  const counties = new Map((await readCounties()).map((county) => [county.key, county]))
  const townPoints = new TownPoints(cities)
  const known = new Map<County, string | null>()
  const ofCounty = (county: County): string | null => {
    if (!known.has(county)) known.set(county, zoneOfCounty(county, findZone))
    return known.get(county) ?? null
  }
  const zoneOf = (zip: ZipPlace): string => {
    const settled = TOWN_ZONES[zip.zip]
    if (settled !== undefined) return settled
    const at = TOWN_POINTS[zip.zip]
    if (at !== undefined) return findZone(at)
    const office = offices.get(zip.zip)
    const county = counties.get(`${zip.state}${office?.county ?? ''}`)
    const whole = county === undefined ? null : ofCounty(county)
    return whole ?? findZone(townPoints.find(zip) ?? office ?? zip)
  }
  return new Map(
    zips.filter(({ kind }) => kind !== 'military').map((zip) => [zip.zip, zoneOf(zip)]),
  )
}
