const FIRST_MS = 500
const LONGEST_MS = 5_000

type Failed = {
  /** Tries that failed so far, at least one. */
  failures: number
  /** A number from 0 up to 1. */
  chance: number
  /** Milliseconds the server asked for; 0 when it said nothing. */
  retryAfterMs: number
}

/**
 * Milliseconds to wait before the next try: exponential with full jitter, so that many callers do not
 * come back at the same moment, and never sooner than the server asked for. Null when it asked for
 * longer than anybody should wait here: whoever called tries again later.
 */
export function backoff({ failures, chance, retryAfterMs }: Failed): number | null {
  if (retryAfterMs > LONGEST_MS) return null
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
  return retryAfterMs + Math.floor(chance * most)
}

/** Milliseconds that a Retry-After header asks for; 0 for none, and for its rare other form, a date. */
export function readRetryAfter(header: string | null): number {
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1_000 : 0
}
