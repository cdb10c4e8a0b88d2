import { dateOfDay } from '#contract/time.ts'
import { type Instant, NEVER } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { fillStretches, nextExtension, withdrawalOf } from './fill-slots.ts'
import { daysInView } from './hours-rules.ts'
import { findRules } from './read-rules.ts'
import { lockProviders, updateSchedule } from './schedule-store.ts'

/**
 * Makes the coming slots of a provider anew after something they follow from has changed: hours, the
 * length of visits, a place. Held and booked times stay. Within the caller's transaction, who tells
 * the search. False for providers who have set no hours: they keep what they have.
 */
export async function regenerateSlots(db: Db, providerNo: number, now: Instant): Promise<boolean> {
  await lockProviders(db, [providerNo])
  const kept = await findRules(db, providerNo, now)
  if (kept === undefined) return false
  const firstFree = await fillStretches(db, [{ kept, from: now, until: NEVER }], now)
  await updateSchedule(db, providerNo, {
    generated_to: dateOfDay(daysInView(kept.rules, now).until),
    extend_at: nextExtension(kept, now),
    withdraw_at: withdrawalOf(kept, firstFree.get(providerNo) ?? null),
  })
  return true
}
