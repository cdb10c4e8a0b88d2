import {
  OUTSIDE_READ_MINUTES,
  OUTSIDE_TOLD_HOURS,
  OutsideFailure,
} from '#contract/outside-calendars.ts'
import type { Instant } from '#db/columns.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When a calendar is read again: not all of them at once. `chance` is from 0 up to 1. */
export function nextReadAt(now: Instant, chance: number): Instant {
  return now + Math.round((OUTSIDE_READ_MINUTES - 0.5 + chance) * MINUTE_MS)
}

/** Whether the owner of a failing calendar is to be told now: once, after a day. */
export function mustTell(
  row: { failing_since: Instant | null; told_at: Instant | null },
  now: Instant,
): boolean {
  if (row.failing_since === null || row.told_at !== null) return false
  return now - row.failing_since >= OUTSIDE_TOLD_HOURS * HOUR_MS
}

/** A failure as it is kept. */
export function failureOf(kept: string | null): OutsideFailure | null {
  return kept === null ? null : OutsideFailure.parse(kept)
}
