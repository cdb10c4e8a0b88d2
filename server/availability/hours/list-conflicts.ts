import type { VisitOutside } from '#contract/availability.ts'
import { deskKindLabels } from '#contract/booking-desk.ts'
import { toIso } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { isInTimeOff, isWithinHours, type Rules } from './hours-rules.ts'
import { listUpcomingDesk, listUpcomingVisits } from './schedule-store.ts'

type Change = { providerNo: number; before: Rules; after: Rules }

/**
 * Upcoming visits that would fall outside the rules, or into an absence or a block, because of a change;
 * earliest first. Visits that were already outside are not reported again.
 */
export async function listConflicts(
  db: Db,
  { providerNo, before, after }: Change,
  now: Instant,
): Promise<VisitOutside[]> {
  const booked = (await listUpcomingVisits(db, providerNo, now)).map((row) => ({
    ...row,
    patient: `${row.first_name} ${row.last_name}`.trim(),
  }))
  const desk = (await listUpcomingDesk(db, providerNo, now)).map((row) => ({
    ...row,
    patient: `${deskKindLabels[row.kind]} patient`,
  }))
  return [...booked, ...desk]
    .toSorted((one, other) => one.start_at - other.start_at)
    .filter((row) => {
      const visit = { placeNo: row.place_no, start: row.start_at, end: row.end_at }
      const leavesHours = isWithinHours(before, visit) && !isWithinHours(after, visit)
      const there = { ...visit, timeZone: row.time_zone }
      return leavesHours || (isInTimeOff(after, there) && !isInTimeOff(before, there))
    })
    .map((row) => ({
      id: row.id,
      patient: row.patient,
      startsAt: toIso(row.start_at),
      endsAt: toIso(row.end_at),
      timeZone: row.time_zone,
      placeId: row.place_id,
    }))
}
