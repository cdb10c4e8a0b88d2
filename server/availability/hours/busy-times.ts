import { dateOfDay } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import { deleteCalendarBusy, insertBusy, listCalendarBusy } from './busy-store.ts'
import { FIRST_SETTINGS } from './read-rules.ts'
import { listRulePlaces, listSchedules, lockProviders } from './schedule-store.ts'
import { dayAt, startOfDay } from './zone-rules.ts'

export type BusySpan = { start: Instant; end: Instant }

/** The days somebody's busy time is asked for. */
export type BusyView = {
  from: Instant
  until: Instant
  /** Of the main place. */
  timeZone: string
  /** `until` as an ISO date there: the days before it are known then. */
  coveredTo: string
}

/** Days beyond the horizon that are known ahead, so that a day that comes into view is. */
const AHEAD_DAYS = 2

/** From today as far as the provider offers times, in the zone of the main place. */
export async function busyViewOf(db: Db, providerNo: number, now: Instant): Promise<BusyView> {
  const [place] = await listRulePlaces(db, [providerNo])
  const [schedule] = await listSchedules(db, [providerNo])
  const timeZone = place?.time_zone ?? 'UTC'
  const today = dayAt(timeZone, now)
  const last = today + (schedule?.horizon_days ?? FIRST_SETTINGS.horizonDays) + 1 + AHEAD_DAYS
  return {
    from: startOfDay(timeZone, today),
    until: startOfDay(timeZone, last),
    timeZone,
    coveredTo: dateOfDay(last),
  }
}

/** Makes whoever changes a provider's busy times, slots or claims wait until this transaction ends. */
export function lockBusy(db: Db, providerNo: number): Promise<void> {
  return lockProviders(db, [providerNo])
}

type Calendar = { providerNo: number; calendarId: string }

function areSame(one: readonly BusySpan[], other: readonly BusySpan[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ start, end }, at) => start === other[at]?.start && end === other[at].end)
  )
}

/**
 * Puts these stretches, by start, in the place of all that is known of a calendar, and takes the times
 * they meet off the offer; those that are free again come back. Booked visits and holds stay. False when
 * it is what is known already. In the caller's transaction, who tells the search.
 */
export async function replaceCalendarBusy(
  db: Db,
  calendar: Calendar,
  { spans, now }: { spans: readonly BusySpan[]; now: Instant },
): Promise<boolean> {
  const { providerNo, calendarId } = calendar
  await lockBusy(db, providerNo)
  const known = await listCalendarBusy(db, calendarId)
  if (areSame(known, spans)) return false
  await deleteCalendarBusy(db, calendarId)
  await insertBusy(
    db,
    spans.map(({ start, end }) => ({
      provider_no: providerNo,
      source: 'calendar',
      calendar_id: calendarId,
      import_id: null,
      key: null,
      start_at: start,
      end_at: end,
      label: null,
    })),
  )
  await regenerateSlots(db, providerNo, now)
  return true
}
