import type { Region } from '#contract/region.ts'
import { US_STATES } from '#contract/us-states.ts'
import type { Db } from '#db/engine.ts'
import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { areasOfCounty } from './counties.ts'
import { placeKey, UK_COUNTRIES } from './place-names.ts'
import { distanceKm } from './points.ts'
import { listSimilar } from './similar.ts'
import { listPlaces } from './store.ts'
import type { Typed } from './typed.ts'

export type TypedName = Extract<Typed, { kind: 'name' }>

export type NamedPlace = {
  place: GeoPlaceRow
  /** Every place of the region with that name, by population, largest first. */
  twins: GeoPlaceRow[]
}

/** How far from "London" a "Richmond, London" may be. */
const PART_OF_KM = 40

/** A place this many times larger than its next namesake is meant whatever qualifier follows. */
const DOMINANCE = 10

/** Country or state codes by the names people write, folded like place names. */
const ADMINS: Record<Region, ReadonlyMap<string, string>> = {
  uk: adminWords(UK_COUNTRIES),
  usa: adminWords(US_STATES),
}

function adminWords(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([code, name]) => [
      [placeKey(code), code] as const,
      [placeKey(name), code] as const,
    ]),
  )
}

/** Whether a word names a country of the United Kingdom, or a state of the USA. */
export function namesAdmin(region: Region, word: string | null): boolean {
  return word !== null && ADMINS[region].has(placeKey(word))
}

/** The place of a region that a name with its qualifier means, or null. */
export async function findNamed(
  db: Db,
  region: Region,
  typed: TypedName,
): Promise<NamedPlace | null> {
  const twins = await listPlaces(db, region, placeKey(typed.name))
  if (typed.outcode !== null) return toNamedPlace(twins, twins.find(nearCode(typed.outcode)))
  if (typed.qualifier !== null)
    return findQualified(db, twins, { region, qualifier: typed.qualifier })
  return (
    toNamedPlace(twins, largestNamesake(twins, typed)) ??
    (await withTrailingAdmin(db, region, typed.name))
  )
}

/** The place with the largest population; among equals the one spelt exactly as typed. */
function largestNamesake(
  [first, ...others]: GeoPlaceRow[],
  { name }: TypedName,
): GeoPlaceRow | undefined {
  const isSpeltSo = (place: GeoPlaceRow) => place.name.toLowerCase() === name.toLowerCase()
  if (first === undefined || isSpeltSo(first)) return first
  return others.find((one) => one.population === first.population && isSpeltSo(one)) ?? first
}

const nearCode = (code: string) => (place: GeoPlaceRow) => place.near === code

const withinAreas = (areas: ReadonlySet<string> | null) => (place: GeoPlaceRow) =>
  areas?.has(place.near.replace(/\d.*$/, '')) === true

function toNamedPlace(twins: GeoPlaceRow[], place: GeoPlaceRow | undefined): NamedPlace | null {
  return place === undefined ? null : { place, twins }
}

async function findQualified(
  db: Db,
  twins: GeoPlaceRow[],
  by: { region: Region; qualifier: string },
): Promise<NamedPlace | null> {
  const word = placeKey(by.qualifier)
  const admin = ADMINS[by.region].get(word)
  if (admin !== undefined) {
    return toNamedPlace(
      twins,
      twins.find((place) => place.admin === admin),
    )
  }
  const inCounty = by.region === 'uk' ? twins.find(withinAreas(areasOfCounty(word))) : undefined
  if (inCounty !== undefined) return toNamedPlace(twins, inCounty)
  const [around] = await listPlaces(db, by.region, word)
  if (around !== undefined) {
    const close = twins
      .filter((place) => place.id !== around.id && distanceKm(place, around) <= PART_OF_KM)
      .toSorted((a, b) => distanceKm(a, around) - distanceKm(b, around))
    if (close[0] !== undefined) return toNamedPlace(twins, close[0])
  }
  // Any other qualifier is accepted only when the name is unambiguous.
  const [first, second] = twins
  const isClear = second === undefined || (first?.population ?? 0) >= DOMINANCE * second.population
  return isClear ? toNamedPlace(twins, first) : null
}

/** "Austin TX", "Charleston West Virginia": reads the last one to three words as state or country. */
async function withTrailingAdmin(db: Db, region: Region, name: string): Promise<NamedPlace | null> {
  const words = name.split(' ')
  for (let count = 1; count <= 3 && count < words.length; count++) {
    const admin = ADMINS[region].get(placeKey(words.slice(-count).join(' ')))
    if (admin === undefined) continue
    const twins = await listPlaces(db, region, placeKey(words.slice(0, -count).join(' ')))
    const place = twins.find((twin) => twin.admin === admin)
    if (place !== undefined) return { place, twins }
  }
  return null
}

/** The place that a misspelt name most likely refers to, or null. */
export async function findMisspelt(
  db: Db,
  region: Region,
  typed: TypedName,
): Promise<NamedPlace | null> {
  if (typed.qualifier !== null || typed.outcode !== null) return null
  const [likeliest] = await listSimilar(db, region, typed.name)
  if (likeliest === undefined) return null
  return { place: likeliest, twins: await listPlaces(db, region, likeliest.key) }
}

/** A place this many times larger than its next namesake is meant: no others are offered. */
const DOMINANT_FACTOR = 50

/** Population assumed for a village where it is unknown. */
const VILLAGE_POPULATION = 100

/** Most namesakes to offer. */
const MAX_OTHERS = 5

/**
 * Labels of other places of the same name that may be meant, by population, largest first; none when the
 * place is so much larger than all of them that it must be meant.
 */
export function otherPlaces({ place, twins }: NamedPlace): string[] {
  const others = twins.filter(({ id }) => id !== place.id)
  const isMeant = others.every(
    ({ population }) => place.population >= DOMINANT_FACTOR * (population || VILLAGE_POPULATION),
  )
  if (isMeant) return []
  const labels = others.map((twin) => labelOf(twin, twins))
  return [...new Set(labels)].filter((one) => one !== labelOf(place, twins)).slice(0, MAX_OTHERS)
}

/** Name of a place with just enough after it to tell it from its namesakes. */
export function labelOf(place: GeoPlaceRow, twins: readonly GeoPlaceRow[]): string {
  const sameAdmin = twins.find((twin) => twin.admin === place.admin)
  const isFirstThere = sameAdmin === undefined || sameAdmin.id === place.id
  if (place.region === 'usa') {
    return isFirstThere
      ? `${place.name}, ${place.admin}`
      : `${place.name}, ${place.admin} ${place.near}`
  }
  const [first] = twins
  if (first === undefined || first.id === place.id) return place.name
  return isFirstThere ? `${place.name}, ${place.admin_name}` : `${place.name}, ${place.near}`
}
