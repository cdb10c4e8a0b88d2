import { DAY_MS } from '#contract/time.ts'
import type { Services } from '#server/context.ts'
import { blankPurposesBefore } from './store.ts'

/**
 * Forgets why somebody wanted a visit that never came about. For a day it is kept, so that whoever
 * lost a time need not write it again for the next one.
 */
export async function forgetPurposes({ database, now }: Services): Promise<void> {
  await blankPurposesBefore(database.db, now() - DAY_MS)
}
