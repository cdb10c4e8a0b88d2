import { DAY_MS } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'

/** How long a visit stays in feeds after it is over. */
const PAST_MS = 90 * DAY_MS

/** How long a cancelled visit stays in feeds, marked as cancelled, so that each calendar drops it. */
const CANCELLED_MS = 30 * DAY_MS

/** Readings are written down no more often than this. */
export const TOUCH_EVERY_MS = 60_000

/** Which visits a feed holds: those that end after `endAfter`, and of cancelled ones those since `cancelledAfter`. */
export function windowOf(now: Instant): { endAfter: Instant; cancelledAfter: Instant } {
  return { endAfter: now - PAST_MS, cancelledAfter: now - CANCELLED_MS }
}

/** Whether an `If-None-Match` header names a version (RFC 9110, 13.1.2: compared weakly). */
export function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === etag)
}
