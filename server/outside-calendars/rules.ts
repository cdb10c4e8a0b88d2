import {
  OUTSIDE_READ_MINUTES,
  OUTSIDE_TOLD_HOURS,
  OutsideFailure,
} from '#contract/outside-calendars.ts'
import type { Instant } from '#db/columns.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When to read a calendar next, with jitter. `chance` is from 0 to 1, exclusive. */
export function nextReadAt(now: Instant, chance: number): Instant {
  return now + Math.round((OUTSIDE_READ_MINUTES - 0.5 + chance) * MINUTE_MS)
}

/** Whether to email the owner of a failing calendar now: once, after a day. */
export function mustTell(
  row: { failing_since: Instant | null; told_at: Instant | null },
  now: Instant,
): boolean {
  if (row.failing_since === null || row.told_at !== null) return false
  return now - row.failing_since >= OUTSIDE_TOLD_HOURS * HOUR_MS
}

/** Parses a stored failure. */
export function failureOf(kept: string | null): OutsideFailure | null {
  return kept === null ? null : OutsideFailure.parse(kept)
}
