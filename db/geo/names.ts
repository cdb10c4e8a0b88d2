import type { Region } from '#contract/base/region.ts'
import { foldApostrophes } from '#contract/base/typed-text.ts'
import { US_STATES } from '#contract/base/us-states.ts'
import type { Db } from '#db/engine.ts'
import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { placeKey, UK_COUNTRIES } from './place-names.ts'
import { distanceKm } from './points.ts'
import { listPlaces, type Namesake } from './store.ts'
import type { Typed } from './typed.ts'
import { areasOfCounty } from './uk-counties.ts'

export type TypedName = Extract<Typed, { kind: 'name' }>

export type NamedPlace = {
  place: GeoPlaceRow
  /** Every place of the region with that name, by rank. */
  twins: Namesake[]
}

/** How far from "London" a "Richmond, London" may be. */
const PART_OF_KM = 40

/** A place this many times larger than its next namesake is meant whatever qualifier follows. */
export const DOMINANCE = 10

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
    toNamedPlace(twins, likeliestNamesake(twins, typed)) ??
    (await withTrailingAdmin(db, region, typed.name)) ??
    (await withoutStopWords(db, region, typed))
  )
}

/**
 * The place of the highest rank. One that is only called so for short ("Stratford" upon Avon) has to be much
 * larger than one of that name, and among equals the one spelt exactly as typed comes first.
 */
export function likeliestNamesake(
  twins: readonly Namesake[],
  { name }: { name: string },
): Namesake | undefined {
  const [largest] = twins
  const named = twins.find((one) => one.is_alias === 0)
  if (largest === undefined || named === undefined) return largest
  const first = largest.rank >= DOMINANCE * named.rank ? largest : named
  const isSpeltSo = (place: GeoPlaceRow) =>
    foldApostrophes(place.name).toLowerCase() === name.toLowerCase()
  if (isSpeltSo(first)) return first
  return twins.find((one) => one.rank === first.rank && isSpeltSo(one)) ?? first
}

/** "Waterloo station", "Luton International Airport", "London Victoria": what people say with a name. */
const STOP_WORDS = [
  / (?:(?:bus|coach|metro|rail|railway|subway|train|tube|underground) )?station$/i,
  / airport$/i,
  / international airport$/i,
  /^london /i,
]

/** The place of the name without the words that say what stops there. */
async function withoutStopWords(
  db: Db,
  region: Region,
  typed: TypedName,
): Promise<NamedPlace | null> {
  for (const words of STOP_WORDS) {
    const name = typed.name.replace(words, '')
    const found = name === typed.name ? null : await findNamed(db, region, { ...typed, name })
    if (found !== null) return found
  }
  return null
}

const nearCode = (code: string) => (place: GeoPlaceRow) => place.near === code

const withinAreas = (areas: ReadonlySet<string> | null) => (place: GeoPlaceRow) =>
  areas?.has(place.near.replace(/\d.*$/, '')) === true

function toNamedPlace(twins: Namesake[], place: GeoPlaceRow | undefined): NamedPlace | null {
  return place === undefined ? null : { place, twins }
}

async function findQualified(
  db: Db,
  twins: Namesake[],
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
  const named = twins.find(({ town }) => town !== null && placeKey(town) === word)
  if (named !== undefined) return toNamedPlace(twins, named)
  const [around] = await listPlaces(db, by.region, word)
  if (around !== undefined) {
    const close = twins
      .filter((place) => place.id !== around.id && distanceKm(place, around) <= PART_OF_KM)
      .toSorted((a, b) => distanceKm(a, around) - distanceKm(b, around))
    if (close[0] !== undefined) return toNamedPlace(twins, close[0])
  }
  // Any other qualifier is accepted only when the name is unambiguous.
  const [first, second] = twins
  const isClear = second === undefined || (first?.rank ?? 0) >= DOMINANCE * second.rank
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
