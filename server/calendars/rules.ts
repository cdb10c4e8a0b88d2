import { DAY_MS } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'

/** How long visits stay in feeds after they end. */
const PAST_RETENTION_MS = 90 * DAY_MS

/** How long a cancelled visit stays in feeds, marked as cancelled, so that each calendar drops it. */
const CANCELLED_RETENTION_MS = 30 * DAY_MS

/** `last_read_at` is written no more often than this. */
export const TOUCH_INTERVAL_MS = 60_000

/**
 * Limits of a feed: its visits end after `endAfter`, cancelled ones were cancelled after `cancelledAfter`.
 */
export function windowOf(now: Instant): { endAfter: Instant; cancelledAfter: Instant } {
  return { endAfter: now - PAST_RETENTION_MS, cancelledAfter: now - CANCELLED_RETENTION_MS }
}

/** Whether an `If-None-Match` header names a version (RFC 9110, 13.1.2: compared weakly). */
export function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === etag)
}
