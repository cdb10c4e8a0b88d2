import { dateOfDay, dayNumber } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { listAbsences } from './schedule-store.ts'
import { dayAt } from './zone-rules.ts'

type Visit = { place_no: number; start_at: Instant; time_zone: string }

/**
 * Returns a function that finds the absence of the provider a visit falls in: its public id, or null. Uses
 * the local day at the place of the visit, even if that place has been removed since.
 */
export async function absenceFinder(
  db: Db,
  providerNo: number,
  now: Instant,
): Promise<(visit: Visit) => string | null> {
  // Yesterday in UTC may still be today in some zone.
  const since = dateOfDay(dayAt('UTC', now) - 1)
  const absences = (await listAbsences(db, [providerNo], since)).map((row) => ({
    id: row.id,
    placeNo: row.place_no,
    from: dayNumber(row.from_date),
    to: dayNumber(row.to_date),
  }))
  return (visit) => {
    const day = dayAt(visit.time_zone, visit.start_at)
    const match = absences.find(
      ({ placeNo, from, to }) =>
        from <= day && day <= to && (placeNo === null || placeNo === visit.place_no),
    )
    return match?.id ?? null
  }
}
