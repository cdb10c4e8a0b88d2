import type { Services } from '#server/context.ts'
import { monotonic } from '#server/kernel/clock.ts'

/** One part of the time in so many is spent on it at most, however large the file is. */
const SHARE = 1_000

/** Milliseconds it waits at most: on a busy machine all takes long, and pages come all the same. */
const LONGEST_WAIT = 10_000

/**
 * Gives mapped pages of the database back. Those that are read all the time are mapped again at
 * once; the rest would count as this process's memory for as long as it lives, sixteen of them for
 * each that was read. With many pages it takes longer, and is done less often.
 */
export function makeLetGoOfPages(): (services: Services) => Promise<void> {
  let notBefore = 0
  return async ({ database }) => {
    const start = monotonic()
    if (start < notBefore) return
    database.letGoOfPages()
    const end = monotonic()
    notBefore = end + Math.min((end - start) * SHARE, LONGEST_WAIT)
  }
}
