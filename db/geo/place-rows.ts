import { US_STATES } from '#contract/base/us-states.ts'
import type { GeoPlaceRow, UkOutcodeRow, UsZipRow } from '#db/tables/geo.ts'
import { LANDMARKS } from './landmarks.ts'
import type { City } from './packages.ts'
import {
  type BareRow,
  LONDON,
  otherKeys,
  PART_RANK,
  placeKey,
  rowsOfCity,
  UK_COUNTRIES,
} from './place-names.ts'
import { distanceKm, NearestIndex, type Point } from './points.ts'
import { type Outcode, prefixesOf, type Sector } from './sectors.ts'
import { townOutcodes } from './town-outcodes.ts'

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
const FIRST_VILLAGE_ID = -1_000_000

type NewRows = { firstId: number; known: readonly BareRow[] }

/** Villages as rows of `geo_places`, except those in `known`; their population is unknown. */
export function villageRows(villages: readonly Village[], { firstId, known }: NewRows): BareRow[] {
  const byKey = new Map<string, Point[]>()
  for (const row of known) {
    if (row.region === 'uk') byKey.set(row.key, [...(byKey.get(row.key) ?? []), row])
  }
  return villages.flatMap((village, no) => {
    const key = placeKey(village.name)
    const namesakes = byKey.get(key) ?? []
    if (namesakes.some((one) => isSamePlace(one, village))) return []
    byKey.set(key, [...namesakes, village])
    const row = {
      region: 'uk' as const,
      id: firstId - no,
      name: village.name,
      admin: village.country,
      admin_name: UK_COUNTRIES[village.country] ?? '',
      latitude: village.latitude,
      longitude: village.longitude,
      population: 0,
      rank: 0,
    }
    return [
      { ...row, key, is_alias: 0 as const },
      ...otherKeys(village.name, village.country).map((other) => ({
        ...row,
        key: other,
        is_alias: 1 as const,
      })),
    ]
  })
}

/** Towns this large, and no farther away, are usual to describe a postcode by. */
const KNOWN_TOWN = 10_000
const KNOWN_TOWN_KM = 20

/** Outcodes with fewer postcodes are mostly those of a few large offices. */
const MIN_RESIDENTIAL_POSTCODES = 100
const NEARLY_AS_CLOSE_KM = 5

function townPrefixes(cities: readonly City[]): Outcode[] {
  return townOutcodes().flatMap(({ code, country, town }) => {
    const at = cities.find(
      (city) => city.name === town && (city.country === country || city.admin === country),
    )
    if (at === undefined) return []
    const { latitude, longitude } = at
    return [{ code, level: 'outcode' as const, latitude, longitude, postcodes: 0 }]
  })
}

/** Rows of `geo_uk_outcodes`: each prefix with its point and a town close by. */
function outcodeRows(sectors: readonly Sector[], cities: readonly City[]): UkOutcodeRow[] {
  const british = cities.filter((city) => !['US', 'PR'].includes(city.country))
  const large = new NearestIndex(british.filter((city) => city.population >= KNOWN_TOWN))
  const all = new NearestIndex(british)
  return prefixesOf(sectors, townPrefixes(cities)).map((row) => {
    const town = large.nearest(row)
    const isClose = town !== null && distanceKm(town, row) <= KNOWN_TOWN_KM
    return { ...row, near: (isClose ? town : all.nearest(row))?.name ?? '' }
  })
}

/** US post towns too small for the list of cities, at the mean of their ZIP codes. */
function postTowns(zips: readonly UsZipRow[], known: ReadonlySet<string>): BareRow[] {
  const towns = new Map<string, UsZipRow[]>()
  for (const zip of zips) {
    const key = placeKey(zip.city)
    // Firms have their own ZIP codes: "Shell Oil Box 150" is not a town.
    const isTown = zip.kind !== 'military' && key !== '' && !/\d/.test(key)
    if (!isTown || known.has(`${key}/${zip.state}`)) continue
    const id = `${key}/${zip.state}`
    const town = towns.get(id)
    if (town === undefined) towns.set(id, [zip])
    else town.push(zip)
  }
  let count = 0
  return [...towns].flatMap(([id, members]) => {
    const [first] = members
    if (first === undefined) return []
    const mean = (pick: (at: Point) => number): number =>
      members.reduce((sum, zip) => sum + pick(zip), 0) / members.length
    count += 1
    return {
      region: 'usa' as const,
      key: id.slice(0, id.indexOf('/')),
      // GeoNames' numbers are positive; these towns have none.
      id: -count,
      name: first.city,
      admin: first.state,
      admin_name: US_STATES[first.state] ?? '',
      latitude: mean((at) => at.latitude),
      longitude: mean((at) => at.longitude),
      population: 0,
      rank: 0,
      is_alias: 0 as const,
    }
  })
}

/**
 * Returns a function that finds the code closest to a town, preferring a residential one, if nearly as close,
 * to those of banks and tax offices ("NE99").
 */
function nearestResidential<T extends Point>(
  codes: readonly T[],
  isResidential: (code: T) => boolean,
): (town: Point) => T | null {
  const all = new NearestIndex(codes)
  const homes = new NearestIndex(codes.filter(isResidential))
  return (town) => {
    const home = homes.nearest(town)
    const isClose = home !== null && distanceKm(home, town) <= NEARLY_AS_CLOSE_KM
    return isClose ? home : all.nearest(town)
  }
}

/**
 * Returns a function that finds the code a search near a town starts from: an outcode in the UK, a ZIP code
 * in the USA.
 */
export function codesNear(
  outcodes: readonly UkOutcodeRow[],
  zips: readonly UsZipRow[],
): (town: Point & Pick<GeoPlaceRow, 'region'>) => string {
  const nearOutcode = nearestResidential(
    outcodes.filter((row) => row.level === 'outcode'),
    (row) => row.postcodes === 0 || row.postcodes >= MIN_RESIDENTIAL_POSTCODES,
  )
  const nearZip = nearestResidential(
    zips.filter((row) => row.kind !== 'military'),
    (row) => row.kind === 'zcta',
  )
  return (town) => (town.region === 'uk' ? nearOutcode(town)?.code : nearZip(town)?.zip) ?? ''
}

/** Parts of London, with the stations called after them (NOTICE). */
export const LONDON_FILE = new URL('./london-places.tsv', import.meta.url)

/** Below the numbers of villages. */
const FIRST_PART_ID = -2_000_000
const FIRST_LANDMARK_ID = -3_000_000

/** Returns a function that gives towns and parts of towns that are parts of London their rank. */
export function londonRanks(parts: readonly Village[]): (town: BareRow) => BareRow {
  const partsByKey = Map.groupBy(parts, ({ name }) => placeKey(name))
  return (town) => {
    const isPart = partsByKey.get(town.key)?.some((one) => isSamePlace(one, town))
    if (town.region !== 'uk' || isPart !== true) return town
    return { ...town, rank: Math.max(town.rank, PART_RANK), admin_name: LONDON }
  }
}

function landmarkRows(): BareRow[] {
  return LANDMARKS.flatMap(({ otherNames, ...landmark }, no) => {
    const names = landmark.region === 'uk' ? UK_COUNTRIES : US_STATES
    const row = {
      ...landmark,
      id: FIRST_LANDMARK_ID - no,
      admin_name: names[landmark.admin] ?? '',
      population: 0,
      rank: PART_RANK,
    }
    return [
      { ...row, key: placeKey(row.name), is_alias: 0 as const },
      ...otherNames.map((name) => ({ ...row, key: placeKey(name), is_alias: 1 as const })),
    ]
  })
}

/** What the lists of places hold. */
type PlaceLists = {
  cities: readonly City[]
  villages: readonly Village[]
  londonParts: readonly Village[]
}

/** All rows derived from towns: `geo_places`, and the prefixes of UK postcodes. */
export function placeRows(
  sectors: readonly Sector[],
  zips: readonly UsZipRow[],
  { cities, villages, londonParts }: PlaceLists,
): { places: GeoPlaceRow[]; outcodes: UkOutcodeRow[] } {
  const outcodes = outcodeRows(sectors, cities)
  const towns = cities.flatMap(rowsOfCity).filter((row) => row.key !== '')
  const parts = villageRows(londonParts, { firstId: FIRST_PART_ID, known: towns })
  const named = [...towns, ...parts, ...landmarkRows()].map(londonRanks(londonParts))
  const known = new Set(named.map((row) => `${row.key}/${row.admin}`))
  const others = villageRows(villages, { firstId: FIRST_VILLAGE_ID, known: named })
  const rows = [...named, ...postTowns(zips, known), ...others]
  const codeNear = codesNear(outcodes, zips)
  const places = rows.map((row) => ({ ...row, near: codeNear(row) }))
  return { places, outcodes }
}
