import type { Region } from '#contract/base/region.ts'
import type { PlaceSuggestion } from '#contract/search.ts'
import type { Db } from '#db/engine.ts'
import type { GeoPlaceRow, UkOutcodeRow } from '#db/tables/geo.ts'
import { findNamed, likeliestNamesake, type TypedName } from './names.ts'
import { labelOf } from './place-labels.ts'
import { placeKey } from './place-names.ts'
import { listSimilar } from './similar-names.ts'
import {
  findOutcode,
  listOutcodes,
  listPlaces,
  listPlacesByPrefix,
  listSectors,
  listUnits,
  listZips,
} from './store.ts'
import { readTyped, type Typed, type UkReading } from './typed.ts'

/** The upper limit of completions; also bounds the query. */
const MAX_SUGGESTIONS = 20

/** Most completions by similar names. */
const SIMILAR_SHOWN = 3

/** For letters alone, the most completions that are postcodes rather than towns. */
const MAX_CODES_AMONG_NAMES = 2

/**
 * Completions of typed text, best first: postcodes or ZIP codes for what looks like one, towns for words, an
 * exact name before others, then by population. None for text that can be neither. At most 20.
 */
export async function suggestPlaces(
  db: Db,
  { region, text }: { region: Region; text: string },
  limit: number,
): Promise<PlaceSuggestion[]> {
  const max = Math.max(1, Math.min(limit, MAX_SUGGESTIONS))
  const digits = text.trim()
  // Two digits are too few for a search, but a completion can already help.
  if (region === 'usa' && /^\d{1,2}$/.test(digits)) return suggestZips(db, digits, max)
  const typed = readTyped(text)
  if (typed.kind === 'zip' && region === 'usa') return suggestZips(db, typed.code, max)
  if (typed.kind === 'uk_code' && region === 'uk') return suggestCodes(db, typed, max)
  if (typed.kind !== 'name' || typed.outcode !== null) return []
  if (typed.country !== null && typed.country !== region) return []
  if (typed.qualifier !== null) return suggestNamesakes(db, { region, typed }, max)
  return suggestWords(db, { region, typed }, max)
}

async function suggestZips(db: Db, prefix: string, limit: number): Promise<PlaceSuggestion[]> {
  const rows = await listZips(db, prefix, limit)
  return rows.map((row) => ({
    label: row.zip,
    detail: `${row.city}, ${row.state}`,
    value: row.zip,
  }))
}

/** "SE1" before "SE1P" before "SE10" before "SE11": the exact code, then letters, then longer numbers. */
function byNearness(typed: string): (a: UkOutcodeRow, b: UkOutcodeRow) => number {
  const rank = ({ code }: UkOutcodeRow): number => {
    if (code === typed) return 0
    return /^[A-Z]/.test(code.slice(typed.length)) ? 1 : 2
  }
  return (a, b) =>
    rank(a) - rank(b) || a.code.localeCompare(b.code, 'en', { numeric: true, sensitivity: 'base' })
}

function outcodeSuggestion({ code, near, level }: UkOutcodeRow): PlaceSuggestion {
  const town = near === '' ? 'United Kingdom' : `near ${near}`
  return { label: code, detail: level === 'area' ? `Postcode area ${town}` : town, value: code }
}

async function suggestCodes(
  db: Db,
  typed: Extract<Typed, { kind: 'uk_code' }>,
  limit: number,
): Promise<PlaceSuggestion[]> {
  const found: PlaceSuggestion[] = []
  const begun = typed.code.replaceAll(' ', '')
  for (const reading of typed.readings) {
    if (found.length >= limit) break
    const more =
      reading.sector === null
        ? await suggestOutcodes(db, reading.outcode)
        : await suggestSectors(db, { ...reading, sector: reading.sector, begun }, limit)
    found.push(...more.filter((one) => !found.some((other) => other.value === one.value)))
  }
  return found.slice(0, limit)
}

async function suggestOutcodes(db: Db, typed: string): Promise<PlaceSuggestion[]> {
  const rows = await listOutcodes(db, typed, 100)
  const sectors = await listSectors(db, `${typed} `, MAX_SUGGESTIONS)
  const near = rows.find((row) => row.code === typed)?.near ?? ''
  return [
    ...rows.toSorted(byNearness(typed)).map(outcodeSuggestion),
    ...sectors.map(({ sector }) => ({ label: sector, detail: `near ${near}`, value: sector })),
  ]
}

async function suggestSectors(
  db: Db,
  reading: UkReading & { sector: string; begun: string },
  limit: number,
): Promise<PlaceSuggestion[]> {
  const near = (await findOutcode(db, reading.outcode))?.near ?? ''
  const detail = near === '' ? 'United Kingdom' : `near ${near}`
  const compact = reading.sector.replace(' ', '')
  const sectors = await listSectors(db, reading.sector, 1)
  // "M11" starts postcodes of the sector "M1 1" and of the outcode "M11": tell them apart by length.
  const units = (await listUnits(db, reading.begun, 1000)).filter(
    (row) => row.postcode.length === compact.length + 2,
  )
  const codes = [
    ...(reading.begun === compact ? sectors.map((row) => row.sector) : []),
    ...units.map((row) => `${row.postcode.slice(0, -3)} ${row.postcode.slice(-3)}`),
  ]
  // Without imported postcodes a complete one is still worth offering: its sector has a point.
  if (codes.length === 0) codes.push(...sectors.map((row) => row.sector))
  return codes.slice(0, limit).map((code) => ({ label: code, detail, value: code }))
}

type SuggestQuery = { region: Region; typed: TypedName }

/** "Newport, W": the places of that name whose country, county or state starts with it. */
async function suggestNamesakes(
  db: Db,
  { region, typed }: SuggestQuery,
  limit: number,
): Promise<PlaceSuggestion[]> {
  const prefix = placeKey(typed.qualifier ?? '')
  const twins = uniquePlaces(await listPlaces(db, region, placeKey(typed.name)))
  const places = twins.filter(
    (place) =>
      placeKey(place.admin).startsWith(prefix) || placeKey(place.admin_name).startsWith(prefix),
  )
  if (places.length === 0) return suggestBestMatch(db, { region, typed })
  return Promise.all(places.slice(0, limit).map((place) => nameSuggestion(db, place)))
}

/** "Austin TX", "Machester": the place the search itself would find. */
async function suggestBestMatch(
  db: Db,
  { region, typed }: SuggestQuery,
): Promise<PlaceSuggestion[]> {
  const choice = await findNamed(db, region, typed)
  if (choice !== null) return [await nameSuggestion(db, choice.place)]
  if (typed.qualifier !== null) return []
  const similar = uniquePlaces(await listSimilar(db, region, typed.name)).slice(0, SIMILAR_SHOWN)
  return Promise.all(similar.map((place) => nameSuggestion(db, place)))
}

async function suggestWords(
  db: Db,
  words: SuggestQuery,
  limit: number,
): Promise<PlaceSuggestion[]> {
  const { region, typed } = words
  const prefix = placeKey(typed.name)
  if (prefix === '') return []
  const codes =
    region === 'uk' && /^[a-z]{1,2}$/i.test(typed.name)
      ? (await listOutcodes(db, typed.name.toUpperCase(), 100))
          .toSorted(byNearness(typed.name.toUpperCase()))
          .slice(0, Math.min(MAX_CODES_AMONG_NAMES, limit - 1))
      : []
  // The town of exactly that name first, even if "Londonderry" has more people.
  const exact = likeliestNamesake(await listPlaces(db, region, prefix), typed)
  const rows = await listPlacesByPrefix(db, { region, prefix }, limit * 2)
  const places = uniquePlaces(exact === undefined ? rows : [exact, ...rows]).slice(
    0,
    limit - codes.length,
  )
  if (places.length === 0 && codes.length === 0) return suggestBestMatch(db, words)
  const names = await Promise.all(places.map((place) => nameSuggestion(db, place)))
  return [...names, ...codes.map(outcodeSuggestion)]
}

function uniquePlaces(rows: readonly GeoPlaceRow[]): GeoPlaceRow[] {
  const seen = new Set<number>()
  return rows.filter((row) => {
    const isNew = !seen.has(row.id)
    seen.add(row.id)
    return isNew
  })
}

async function nameSuggestion(db: Db, place: GeoPlaceRow): Promise<PlaceSuggestion> {
  const twins = await listPlaces(db, place.region, placeKey(place.name))
  const value = labelOf(place, twins)
  const detail = place.near === '' ? place.admin_name : `${place.admin_name}, ${place.near}`
  return { label: value, detail, value }
}
