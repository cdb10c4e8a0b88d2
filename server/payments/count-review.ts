import type { ReviewCount } from '#contract/payments-review.ts'
import type { Context } from '#server/context.ts'
import { countWaiting } from './review-store.ts'

/** What of the payments waits for a person: for staff's first page. */
export function countReview({ database }: Pick<Context, 'database'>): Promise<ReviewCount> {
  return countWaiting(database.db)
}
