import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { placeKey } from './place-names.ts'
import { distanceKm, type Point } from './points.ts'

/** A village or hamlet of England. */
export type Village = Point & { name: string }

const HEADER = 'name\tlatitude\tlongitude'

/** Reads `english-villages.tsv`. Throws on anything else: the file is part of the product. */
export function parseVillages(text: string): Village[] {
  const [header, ...lines] = text.trimEnd().split('\n')
  if (header !== HEADER) throw new Error('english-villages.tsv does not have the expected header')
  return lines.map((line) => {
    const [name, latitude, longitude] = line.split('\t')
    if (name === undefined || longitude === undefined) {
      throw new Error(`english-villages.tsv: unreadable line: ${line}`)
    }
    return { name, latitude: Number(latitude), longitude: Number(longitude) }
  })
}

/** Of one name and no farther apart, two entries are one place: lists differ by a mile or two. */
const SAME_KM = 8

/** Whether two places of one name are one. */
export function isSamePlace(a: Point, b: Point): boolean {
  return distanceKm(a, b) <= SAME_KM
}

/** Below the numbers that US post towns get. */
const FIRST_ID = -1_000_000

/** Villages as rows of `geo_places`, without those that `known` has; how many live there is unknown. */
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
      admin: 'ENG',
      admin_name: 'England',
      latitude: village.latitude,
      longitude: village.longitude,
      population: 0,
      is_alias: 0 as const,
    }
  })
}
