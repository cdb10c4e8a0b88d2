import { dateOfDay } from '#contract/base/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { dayAt, startOfDay } from '#server/availability/rules.ts'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import { DEFAULT_SETTINGS } from './read-availability.ts'
import {
  countImported,
  deleteBusyByKey,
  deleteCalendarBusy,
  deleteImportedBusy,
  deleteOldImported,
  insertBusy,
  listCalendarBusy,
  listRulePlaces,
  listSchedules,
  lockProviders,
} from './schedule-store.ts'

type BusySpan = { start: Instant; end: Instant }

/** The days for which a provider's busy time is read. */
export type BusyView = {
  from: Instant
  until: Instant
  /** That of the main place. */
  timeZone: string
  /** `until` as an ISO date in that zone: the days before it are covered by a reading. */
  coveredTo: string
}

/** Days read beyond the horizon, so that a day is known before it comes into view. */
const AHEAD_DAYS = 2

/** From today to `AHEAD_DAYS` beyond the provider's horizon, in the zone of the main place. */
export async function busyView(db: Db, providerNo: number, now: Instant): Promise<BusyView> {
  const [place] = await listRulePlaces(db, [providerNo])
  const [schedule] = await listSchedules(db, [providerNo])
  const timeZone = place?.time_zone ?? 'UTC'
  const today = dayAt(timeZone, now)
  const last = today + (schedule?.horizon_days ?? DEFAULT_SETTINGS.horizonDays) + 1 + AHEAD_DAYS
  return {
    from: startOfDay(timeZone, today),
    until: startOfDay(timeZone, last),
    timeZone,
    coveredTo: dateOfDay(last),
  }
}

/** Locks a provider's busy times, slots and claims until this transaction ends. */
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
 * Replaces the stored busy times of a calendar by these, sorted by start, and updates the slots. Booked visits and
 * holds stay. False when nothing has changed. Runs in the caller's transaction; the caller updates the search.
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

/** An appointment made elsewhere: `key` identifies it, `label` is encrypted. */
export type ImportedTime = BusySpan & { key: string; label: string | null }

type Import = { providerNo: number; importId: string }

/**
 * Blocks the time of imported appointments, replacing those with the same key; returns how many were
 * replaced. The provider must be locked. Runs in the caller's transaction; the caller updates the search.
 */
export async function writeImportedTimes(
  db: Db,
  { providerNo, importId }: Import,
  { times, now }: { times: readonly ImportedTime[]; now: Instant },
): Promise<number> {
  if (times.length === 0) return 0
  const keys = times.map(({ key }) => key)
  const known = await deleteBusyByKey(db, providerNo, keys)
  await insertBusy(
    db,
    times.map(({ key, start, end, label }) => ({
      provider_no: providerNo,
      source: 'import',
      calendar_id: null,
      import_id: importId,
      key,
      start_at: start,
      end_at: end,
      label,
    })),
  )
  await regenerateSlots(db, providerNo, now)
  return known
}

/** Deletes an import's blocked times. The provider must be locked. */
export async function removeImportedTimes(
  db: Db,
  { providerNo, importId }: Import,
  now: Instant,
): Promise<void> {
  await deleteImportedBusy(db, importId)
  await regenerateSlots(db, providerNo, now)
}

/** Deletes imported appointments that ended before an instant. */
export function purgeImportedTimes(db: Db, before: Instant): Promise<void> {
  return deleteOldImported(db, before)
}

/** Number of a provider's imported appointments that have not ended. */
export const countImportedTimes = countImported
