import type { Services } from '#server/context.ts'
import { blankEventsOf } from './event-store.ts'
import { blankNotesOf } from './refund-store.ts'

/**
 * Takes what the gateways told about somebody's payments out of events that still wait, and what staff
 * wrote about them, after their account was erased. What is left names the payment.
 */
export async function forgetPayer({ database }: Services, userId: string): Promise<void> {
  await blankEventsOf(database.db, userId)
  await blankNotesOf(database.db, userId)
}
