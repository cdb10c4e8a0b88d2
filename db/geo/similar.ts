import type { Region } from '#contract/region.ts'
import type { Db } from '#db/engine.ts'
import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { placeKey } from './place-names.ts'
import { listPlacesByPrefix } from './store.ts'

/** Names shorter than this are too alike to guess which was meant. */
const MIN_LENGTH = 5

/** From this length on two edits are allowed, below it one. */
const TWO_EDITS_LENGTH = 10

/** Most places with the same first letter to compare, by population: all towns, and most villages. */
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
 * then largest population. The first letter is taken to be right. None for names of fewer than five letters.
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
    .toSorted((a, b) => a.slips - b.slips || b.row.population - a.row.population)
    .map(({ row }) => row)
}
