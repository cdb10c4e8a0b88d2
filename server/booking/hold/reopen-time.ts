import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { refillSlots } from '#server/availability/slots/extend-slots.ts'
import { closeSlots, openSlots, type Span } from './slot-store.ts'

/**
 * Marks the slots of a claimed time range as taken, and withdraws those that would violate its buffer. Runs in
 * the transaction that made the claim.
 */
export async function closeTime(db: Db, span: Span, now: Instant): Promise<void> {
  await closeSlots(db, span)
  await refillSlots(db, span, now)
}

/**
 * Offers a time range again after its claim is deleted, as far as the provider's current rules allow; without rules the
 * slots are reopened as they were.
 */
export async function reopenTime(db: Db, span: Span, now: Instant): Promise<void> {
  if (!(await refillSlots(db, span, now))) await openSlots(db, span, now)
}
