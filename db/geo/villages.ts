import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { placeKey, UK_COUNTRIES } from './place-names.ts'
import { distanceKm, type Point } from './points.ts'

/** A village or hamlet of the UK; `country` as in `UK_COUNTRIES`. */
export type Village = Point & { name: string; country: string }

/** The lists of villages: two files because their licences differ (NOTICE). */
export const VILLAGE_FILES: readonly URL[] = [
  new URL('./english-villages.tsv', import.meta.url),
  new URL('./geonames-villages.tsv', import.meta.url),
]

const ENGLISH_HEADER = 'name\tlatitude\tlongitude'
const HEADER = 'name\tcountry\tlatitude\tlongitude'

/** Reads one of `VILLAGE_FILES`. Throws on anything else: they are part of the product. */
export function parseVillages(text: string): Village[] {
  const [header, ...lines] = text.trimEnd().split('\n')
  if (header !== HEADER && header !== ENGLISH_HEADER) {
    throw new Error('A list of villages does not have the expected header')
  }
  return lines.map((line) => {
    const fields = line.split('\t')
    if (header === ENGLISH_HEADER) fields.splice(1, 0, 'ENG')
    const [name, country, latitude, longitude] = fields
    if (name === undefined || country === undefined || longitude === undefined) {
      throw new Error(`A list of villages has an unreadable line: ${line}`)
    }
    return { name, country, latitude: Number(latitude), longitude: Number(longitude) }
  })
}

/** Two entries of one name within this distance are one place: lists differ by a mile or two. */
const SAME_KM = 8

/** Whether two entries of one name are the same place. */
export function isSamePlace(a: Point, b: Point): boolean {
  return distanceKm(a, b) <= SAME_KM
}

/** Below the numbers assigned to US post towns. */
const FIRST_ID = -1_000_000

/** Villages as rows of `geo_places`, except those in `known`; their population is unknown. */
export function villageRows(
  villages: readonly Village[],
  known: readonly Omit<GeoPlaceRow, 'near'>[],
): Omit<GeoPlaceRow, 'near'>[] {
  const byKey = new Map<string, Point[]>()
  for (const row of known) {
    if (row.region === 'uk') byKey.set(row.key, [...(byKey.get(row.key) ?? []), row])
  }
  return villages.flatMap((village, no) => {
    const key = placeKey(village.name)
    const namesakes = byKey.get(key) ?? []
    if (namesakes.some((one) => isSamePlace(one, village))) return []
    byKey.set(key, [...namesakes, village])
    return {
      region: 'uk' as const,
      key,
      id: FIRST_ID - no,
      name: village.name,
      admin: village.country,
      admin_name: UK_COUNTRIES[village.country] ?? '',
      latitude: village.latitude,
      longitude: village.longitude,
      population: 0,
      is_alias: 0 as const,
    }
  })
}
