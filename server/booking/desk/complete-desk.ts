import { MARK_WITHIN_MS } from '#contract/outcomes.ts'
import type { Services } from '#server/context.ts'
import { completeDesk } from './desk-store.ts'

/** Completed in one statement. */
const BATCH = 500

/** Completes desk visits of which their providers have said nothing within 48 hours after the end. */
export async function completeDeskVisits(
  { database, now, background }: Services,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    if (signal?.aborted) return
    const due = { now: now(), after: MARK_WITHIN_MS, limit: BATCH }
    // One after the other is the point: no statement holds many rows for long.
    // oxlint-disable-next-line no-await-in-loop
    const done = await background.run(() => completeDesk(database.db, due), signal)
    if (done < BATCH) return
  }
}
