import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { fillStretches, withdrawalOf } from './fill-slots.ts'
import { findRules } from './read-rules.ts'
import { lockProviders, updateSchedule } from './schedule-store.ts'

/** No visit is longer, nor reaches farther with its buffer. */
const AROUND_MS = 15 * 3_600_000

type Span = { providerNo: number; start: Instant; end: Instant }

/**
 * Offers a stretch of time again that nobody holds any more, as far as the rules of this moment have
 * it: not inside the notice, nor outside hours that were changed meanwhile. False for a provider
 * without rules; then nothing is touched.
 */
export async function refillSlots(db: Db, span: Span, now: Instant): Promise<boolean> {
  const { providerNo, start, end } = span
  await lockProviders(db, [providerNo])
  const kept = await findRules(db, providerNo, now)
  if (kept === undefined) return false
  const stretch = { kept, from: Math.max(now, start - AROUND_MS), until: end + AROUND_MS }
  const firstFree = (await fillStretches(db, [stretch], now)).get(providerNo) ?? null
  const withdrawAt = withdrawalOf(kept, firstFree)
  if (withdrawAt < kept.schedule.withdraw_at) {
    await updateSchedule(db, providerNo, { withdraw_at: withdrawAt })
  }
  return true
}
