import type { Region } from '#contract/region.ts'
import type { Db } from '#db/engine.ts'
import { findPlace, type PlaceAnswer } from './lookup.ts'
import { findOutcode, findZip } from './store.ts'

/** The location of a practice, as far as its code tells. */
export type PracticePlace = {
  kind: 'practice'
  /** As a person would write it. */
  postcode: string
  latitude: number
  longitude: number
  timeZone: string
  /** A town people know: "London", "Austin, TX". */
  locality: string
}

const FULL_CODE: Record<Region, RegExp> = {
  uk: /^[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}$/,
  usa: /^[0-9]{5}$/,
}

async function localityOf(db: Db, region: Region, postcode: string): Promise<string> {
  if (region === 'uk') {
    const outcode = await findOutcode(db, postcode.split(' ')[0] ?? '')
    return outcode?.near ?? ''
  }
  const zip = await findZip(db, postcode)
  return zip === undefined ? '' : `${zip.city}, ${zip.state}`
}

/** Finds the place of a whole postcode or ZIP code; `partial` when it is only the first part. */
export async function findPractice(
  db: Db,
  region: Region,
  text: string,
): Promise<PracticePlace | { kind: 'partial' } | Exclude<PlaceAnswer, { kind: 'found' }>> {
  const answer = await findPlace(db, region, text)
  if (answer.kind !== 'found') return answer
  if (!FULL_CODE[region].test(answer.label)) return { kind: 'partial' }
  return {
    kind: 'practice',
    postcode: answer.label,
    latitude: answer.lat,
    longitude: answer.lon,
    timeZone: answer.timeZone,
    locality: await localityOf(db, region, answer.label),
  }
}
