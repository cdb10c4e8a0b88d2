import type { Services } from '#server/context.ts'
import { blankEventsOf } from './event-store.ts'

/**
 * Takes what the gateways told about somebody's payments out of events that still wait, after their
 * account was erased; of those that were acted on it is gone already. What is left names the payment.
 */
export async function forgetPayer({ database }: Services, userId: string): Promise<void> {
  await blankEventsOf(database.db, userId)
}
