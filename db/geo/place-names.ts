import type { GeoPlaceRow } from '#db/tables/geo.ts'
import type { City } from './packages.ts'
import { UK_COUNTRIES, US_STATES } from './states.ts'

/** Words people shorten, folded to the short form on both sides. */
const SHORT_WORDS: readonly [RegExp, string][] = [
  [/\bsaint\b/g, 'st'],
  [/\bmount\b/g, 'mt'],
  [/\bfort\b/g, 'ft'],
]

/**
 * A place name as it is compared: lower case, without accents, spaces and punctuation. Letters of
 * other alphabets are kept as they are, so that look-alikes do not match.
 */
export function placeKey(name: string): string {
  let folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('&', ' and ')
  for (const [word, short] of SHORT_WORDS) folded = folded.replace(word, short)
  return folded.replace(/[\s.,'’‘`()/-]+/g, '')
}

/** What people say instead; GeoNames' package has no second names. */
const NICKNAMES: Readonly<Record<string, readonly string[]>> = {
  Derry: ['Londonderry'],
  'Kingston upon Hull': ['Hull'],
  'Los Angeles': ['LA'],
  'New York City': ['New York', 'NYC'],
  'Washington, D.C.': ['Washington', 'DC'],
}

const BEFORE_LINKING_WORD = /^(.+?)[ -](?:upon|on|under|in|by|le|next|cum)[ -]/i

/** Other spellings under which a place should be found: "Newcastle" for "Newcastle upon Tyne". */
export function otherNames(name: string, country: string): string[] {
  const nicknames = NICKNAMES[name]
  if (nicknames !== undefined) return [...nicknames]
  const bare = /^(?:The|City of|Town of|Village of) (.+)$/.exec(name)?.[1]
  if (bare !== undefined) return [bare]
  if (country !== 'GB') return []
  const first = (BEFORE_LINKING_WORD.exec(name) ?? /^(.+?), /.exec(name))?.[1]
  return first === undefined ? [] : [first]
}

const UK_TERRITORIES: ReadonlySet<string> = new Set(['GB', 'GG', 'IM', 'JE'])

/** Countries whose towns are loaded: two regions and what belongs to them. */
export const LOADED_COUNTRIES: ReadonlySet<string> = new Set([
  ...UK_TERRITORIES,
  ...['US', 'PR', 'VI', 'GU', 'AS', 'MP'],
])

/** A town as rows of `geo_places`, one a spelling; none for places that are no more. */
export function rowsOfCity(city: City): Omit<GeoPlaceRow, 'near'>[] {
  if (city.name.endsWith('(historical)') || !Number.isFinite(city.latitude)) return []
  const isUk = UK_TERRITORIES.has(city.country)
  const isHome = city.country === 'GB' || city.country === 'US'
  const admin = isHome ? city.admin : city.country
  const name = city.name.replace(/ \(.*\)$/, '')
  const row = {
    region: isUk ? ('uk' as const) : ('usa' as const),
    id: city.id,
    name,
    admin,
    admin_name: (isUk ? UK_COUNTRIES : US_STATES)[admin] ?? '',
    latitude: city.latitude,
    longitude: city.longitude,
    // PPLX is a section of a town: its people are counted there already.
    population: city.featureCode === 'PPLX' ? 0 : city.population,
  }
  const key = placeKey(name)
  const aliases = new Set(otherNames(name, city.country).map(placeKey))
  aliases.delete(key)
  return [
    { ...row, key, is_alias: 0 },
    ...[...aliases].map((alias) => ({ ...row, key: alias, is_alias: 1 as const })),
  ]
}
