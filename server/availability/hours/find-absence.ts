import { dateOfDay, dayNumber } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { listAbsences } from './schedule-store.ts'
import { dayAt } from './zone-rules.ts'

type Visit = { place_no: number; start_at: Instant; time_zone: string }

/**
 * Says of visits in which absence of their provider they lie, as its public id; null in none. By the
 * day at the place of the visit, also where that place has been given up since.
 */
export async function absenceFinder(
  db: Db,
  providerNo: number,
  now: Instant,
): Promise<(visit: Visit) => string | null> {
  // The day before today's in Greenwich is today somewhere.
  const since = dateOfDay(dayAt('UTC', now) - 1)
  const absences = (await listAbsences(db, [providerNo], since)).map((row) => ({
    id: row.id,
    placeNo: row.place_no,
    from: dayNumber(row.from_date),
    to: dayNumber(row.to_date),
  }))
  return (visit) => {
    const day = dayAt(visit.time_zone, visit.start_at)
    const met = absences.find(
      ({ placeNo, from, to }) =>
        from <= day && day <= to && (placeNo === null || placeNo === visit.place_no),
    )
    return met?.id ?? null
  }
}
