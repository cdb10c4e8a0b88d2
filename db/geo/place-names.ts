import { US_STATES } from '#contract/base/us-states.ts'
import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { OTHER_NAMES } from './other-names.ts'
import type { City } from './packages.ts'

/** The countries of the United Kingdom and the Crown dependencies, by GeoNames' codes. */
export const UK_COUNTRIES: Readonly<Record<string, string>> = {
  ENG: 'England',
  SCT: 'Scotland',
  WLS: 'Wales',
  NIR: 'Northern Ireland',
  GG: 'Guernsey',
  IM: 'Isle of Man',
  JE: 'Jersey',
}

/** Stands for the country of the parts of London. */
export const LONDON = 'London'

/** Words people abbreviate, folded to the short form on both sides. */
const SHORT_WORDS: readonly [RegExp, string][] = [
  [/\bsaint\b/g, 'st'],
  [/\bmount\b/g, 'mt'],
  [/\bfort\b/g, 'ft'],
]

/**
 * Comparison key of a place name: lower case, without accents, spaces and punctuation. Letters of other
 * alphabets are kept, so that homoglyphs do not match.
 */
export function placeKey(name: string): string {
  let folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('&', ' and ')
  for (const [word, short] of SHORT_WORDS) folded = folded.replace(word, short)
  return folded.replace(/[\s.,'’‘ʻ`()/-]+/g, '')
}

/** `OTHER_NAMES` by a name that may be spelt differently there, and the state. */
const otherNamesOf = new Map(
  Object.entries(OTHER_NAMES).map(([place, names]) => {
    const [name = '', admin = ''] = place.split(', ')
    return [`${placeKey(name)}, ${admin}`, names]
  }),
)

/** The keys of the other names of a town or village in a state or country. */
export function otherKeys(name: string, admin: string): string[] {
  const key = placeKey(name)
  const keys = otherNamesOf.get(`${key}, ${admin}`)?.map(placeKey) ?? []
  return [...new Set(keys)].filter((one) => one !== key)
}

const BEFORE_LINKING_WORD = /^(.+?)[ -](?:upon|on|under|in|by|le|next|cum)[ -]/i

/** Other spellings under which a place should be found: "Newcastle" for "Newcastle upon Tyne". */
function otherNames(name: string, { admin, country }: City): string[] {
  const known = otherKeys(name, admin)
  if (known.length > 0) return known
  const bare = /^(?:The|City of|Town of|Village of) (.+)$/.exec(name)?.[1]
  if (bare !== undefined) return [bare]
  if (country !== 'GB') return []
  const first = BEFORE_LINKING_WORD.exec(name)?.[1]
  return first === undefined ? [] : [first]
}

const UK_TERRITORIES: ReadonlySet<string> = new Set(['GB', 'GG', 'IM', 'JE'])

/** Countries whose towns are loaded: the two regions and their territories. */
export const LOADED_COUNTRIES: ReadonlySet<string> = new Set([
  ...UK_TERRITORIES,
  'US',
  'PR',
  'VI',
  'GU',
  'AS',
  'MP',
])

/**
 * Rank of a part of a town, a station or an airport, as if it had so many people: before the villages of its name, and
 * after every larger town (Sudbury in Suffolk).
 */
export const PART_RANK = 9_000

/** A row of `geo_places` before the code close to it is looked up. */
export type BareRow = Omit<GeoPlaceRow, 'near'>

/**
 * The rows of `geo_places` for a town, one per spelling; none for abandoned places, or names nobody could
 * type because a digit makes them look like a code.
 */
export function rowsOfCity(city: City): BareRow[] {
  if (/\d|\(historical\)$/.test(city.name) || !Number.isFinite(city.latitude)) return []
  const isUk = UK_TERRITORIES.has(city.country)
  const isHome = city.country === 'GB' || city.country === 'US'
  const admin = isHome ? city.admin : city.country
  // Text after a comma says where it is ("Washington, D.C."); labels add that by themselves.
  const name = city.name.replace(/ \(.*\)$|, .*$/, '').replaceAll('`', '‘')
  const isPart = city.featureCode === 'PPLX'
  const row = {
    region: isUk ? ('uk' as const) : ('usa' as const),
    id: city.id,
    name,
    admin,
    admin_name: (isUk ? UK_COUNTRIES : US_STATES)[admin] ?? '',
    latitude: city.latitude,
    longitude: city.longitude,
    // The people of a section of a town are counted there already.
    population: isPart ? 0 : city.population,
    rank: isPart ? Math.min(city.population, PART_RANK) : city.population,
  }
  const key = placeKey(name)
  const aliases = new Set(otherNames(name, city).map(placeKey))
  aliases.delete(key)
  return [
    { ...row, key, is_alias: 0 },
    ...[...aliases].map((alias) => ({ ...row, key: alias, is_alias: 1 as const })),
  ]
}
