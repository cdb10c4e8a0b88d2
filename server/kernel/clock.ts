/** The wall clock, epoch milliseconds. All other code reads it through `ctx.now`. */
export function now(): number {
  return Date.now()
}

/** Monotonic milliseconds, for measuring and rate limiting. */
export function monotonic(): number {
  return performance.now()
}

/** An instant as ISO 8601 text in UTC. */
export function isoText(instant: number): string {
  return new Date(instant).toISOString()
}

/** An instant as HTTP headers write it: `Mon, 02 Mar 2026 09:00:00 GMT`. */
export function httpDate(instant: number): string {
  return new Date(instant).toUTCString()
}

/** An instant as a `Date`, for libraries that require one. */
export function toDate(instant: number): Date {
  return new Date(instant)
}
