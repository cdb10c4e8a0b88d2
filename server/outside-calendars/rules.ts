import {
  OUTSIDE_NOTIFY_HOURS,
  OUTSIDE_POLL_MINUTES,
  OutsideFailure,
} from '#contract/outside-calendars.ts'
import type { Instant } from '#db/columns.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When to read a calendar next, with jitter. `chance` is from 0 to 1, exclusive. */
export function nextReadAt(now: Instant, chance: number): Instant {
  return now + Math.round((OUTSIDE_POLL_MINUTES - 0.5 + chance) * MINUTE_MS)
}

/** Whether to email the owner of a failing calendar now: once, after a day. */
export function mustNotify(
  row: { failing_since: Instant | null; told_at: Instant | null },
  now: Instant,
): boolean {
  if (row.failing_since === null || row.told_at !== null) return false
  return now - row.failing_since >= OUTSIDE_NOTIFY_HOURS * HOUR_MS
}

/** Parses a stored failure. */
export function parseFailure(stored: string | null): OutsideFailure | null {
  return stored === null ? null : OutsideFailure.parse(stored)
}
