/** The wall clock, epoch milliseconds. Everybody else gets it through `ctx.now`. */
export function now(): number {
  return Date.now()
}

/** Milliseconds that never run backwards, for counting and limiting. */
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

/** An instant for libraries that know no other. */
export function toDate(instant: number): Date {
  return new Date(instant)
}
