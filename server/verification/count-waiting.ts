import type { VerificationCounts } from '#contract/verification-staff.ts'
import type { Context } from '#server/context.ts'
import { countLostSince, countWork } from './queue-store.ts'

const WEEK_MS = 7 * 24 * 60 * 60_000

/** How much waits for a verifier, and how many lost their standing lately: for staff's first page. */
export async function countWaiting({
  database,
  now,
}: Pick<Context, 'database' | 'now'>): Promise<VerificationCounts> {
  const { waiting, companies } = await countWork(database.db)
  const lostThisWeek = await countLostSince(database.db, now() - WEEK_MS)
  return { waiting, companies, lostThisWeek }
}
