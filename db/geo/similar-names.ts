import type { Region } from '#contract/base/region.ts'
import type { Db } from '#db/engine.ts'
import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { DOMINANCE, type NamedPlace, type TypedName } from './names.ts'
import { placeKey } from './place-names.ts'
import { distanceKm } from './points.ts'
import { listPlaces, listPlacesByPrefix } from './store.ts'

/** Names shorter than this are too similar to guess which was meant. */
const MIN_LENGTH = 5

/** From this length on two edits are allowed, below it one. */
const TWO_EDITS_LENGTH = 10

/** Most places with the same first letter to compare, by rank: all towns, and most villages. */
const MAX_COMPARED = 4_000

/** Edit distance: letters to change, delete, insert or swap with their neighbour to turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let twoAbove: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (twoAbove[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    twoAbove = above
    above = row
  }
  return above[b.length] ?? 0
}

/**
 * Places whose name `name` may misspell by an edit or two ("Machester"), the likeliest first: fewest edits,
 * then rank. The first letter is taken to be right. None for names of fewer than five letters.
 */
export async function listSimilar(db: Db, region: Region, name: string): Promise<GeoPlaceRow[]> {
  const key = placeKey(name)
  // Homoglyphs of other alphabets are not misspellings: the text is reported as typed.
  if (key.length < MIN_LENGTH || !/^[a-z]+$/.test(key)) return []
  const maxEdits = key.length < TWO_EDITS_LENGTH ? 1 : 2
  const rows = await listPlacesByPrefix(db, { region, prefix: key.slice(0, 1) }, MAX_COMPARED)
  return rows
    .filter((row) => Math.abs(row.key.length - key.length) <= maxEdits)
    .map((row) => ({ row, slips: editDistance(key, row.key) }))
    .filter(({ slips }) => slips <= maxEdits)
    .toSorted((a, b) => a.slips - b.slips || b.row.rank - a.row.rank)
    .map(({ row }) => row)
}

/** A town that people know beyond the places around it. */
const KNOWN_RANK = 5_000

/** Towns with names this similar within about 100 miles of one another are one guess. */
const ONE_GUESS_KM = 160

export type MisspeltPlace = NamedPlace & {
  /** Whether it is a town people know, with no other of a name as similar far away: others are asked about. */
  isCertain: boolean
}

/** The place that a misspelt name most likely refers to, or null. */
export async function findMisspelt(
  db: Db,
  region: Region,
  typed: TypedName,
): Promise<MisspeltPlace | null> {
  if (typed.qualifier !== null || typed.outcode !== null) return null
  const begun = await findBegun(db, region, typed.name)
  const [place, ...others] =
    begun === undefined ? await listSimilar(db, region, typed.name) : [begun]
  if (place === undefined) return null
  const isRival = (other: GeoPlaceRow) =>
    distanceKm(place, other) > ONE_GUESS_KM && place.rank < DOMINANCE * other.rank
  const isCertain = begun === undefined && place.rank >= KNOWN_RANK && !others.some(isRival)
  return { place, twins: await listPlaces(db, region, place.key), isCertain }
}

/** The largest known place whose name goes on after these whole words: "Camden" Town. */
async function findBegun(db: Db, region: Region, name: string): Promise<GeoPlaceRow | undefined> {
  const key = placeKey(name)
  if (key.length < MIN_LENGTH) return undefined
  const rows = await listPlacesByPrefix(db, { region, prefix: key }, MAX_COMPARED)
  const goesOn = (place: GeoPlaceRow) => {
    const words = place.name.split(/[ -]/)
    return words.some((_, count) => placeKey(words.slice(0, count).join(' ')) === key)
  }
  return rows.find((row) => row.rank >= KNOWN_RANK && goesOn(row))
}
