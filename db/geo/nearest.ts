import type { Region } from '#contract/region.ts'
import type { Db } from '#db/engine.ts'
import { distanceKm, type Point } from './points.ts'
import { type Box, listCodesWithin } from './store.ts'

/** The code whose place is closest to a point: "SE1 6", "BT9" or "78701". */
export type NearestCode = { region: Region; code: string }

/** Degrees of latitude to search around the point: first a little, then all that may count. */
const SEARCH_DEGREES = [0.1, 0.3]
const KM_PER_DEGREE = 111.2

function boxAround({ latitude, longitude }: Point, degrees: number): Box {
  // Meridians converge towards the poles; nobody lives beyond 85 degrees.
  const shrink = Math.cos((Math.min(85, Math.abs(latitude)) * Math.PI) / 180)
  return {
    south: latitude - degrees,
    north: latitude + degrees,
    west: longitude - degrees / shrink,
    east: longitude + degrees / shrink,
  }
}

/**
 * The postcode sector, outcode without sectors, or ZIP code closest to a point; null when none is within
 * about 33 km, as abroad and at sea. Near a land border it may lie on the other side.
 */
export async function findNearestCode(db: Db, point: Point): Promise<NearestCode | null> {
  for (const degrees of SEARCH_DEGREES) {
    const rows = await listCodesWithin(db, boxAround(point, degrees))
    const [nearest] = rows
      .map((row) => ({ row, km: distanceKm(point, row) }))
      .toSorted((a, b) => a.km - b.km)
    // Farther than this a place outside the box may be closer.
    if (nearest !== undefined && nearest.km <= degrees * KM_PER_DEGREE) {
      return { region: nearest.row.region, code: nearest.row.code }
    }
  }
  return null
}
