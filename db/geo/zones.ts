import type { Region } from '#contract/region.ts'
import type { Db } from '#db/engine.ts'
import { zoneOfPoint } from './packages.ts'
import { findZip } from './store.ts'

/** Not looked up: zone tables return Dublin for Enniskillen. */
export const UK_ZONE = 'Europe/London'

/** IANA zone of a point in a region. */
export function zoneAt(region: Region, lat: number, lon: number): string {
  return region === 'uk' ? UK_ZONE : zoneOfPoint(lat, lon)
}

/**
 * IANA zone to store with a practice location: London in the UK, in the USA that of the ZIP code (five digits
 * or ZIP+4), or of the point when the ZIP code is missing or unknown.
 */
export async function zoneForPlace(
  db: Db,
  region: Region,
  place: { zip?: string; lat: number; lon: number },
): Promise<string> {
  if (region === 'uk') return UK_ZONE
  const known = place.zip === undefined ? undefined : await findZip(db, place.zip.slice(0, 5))
  return known?.time_zone ?? zoneOfPoint(place.lat, place.lon)
}
