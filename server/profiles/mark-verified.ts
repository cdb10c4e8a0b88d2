import type { Instant } from '#db/columns.ts'
import type { Tx } from '#server/context.ts'
import { setVerified } from './store.ts'

/** Puts a provider on the site: listed, and bookable as far as they have free times. */
export async function markVerified(
  tx: Tx,
  provider: { no: number; id: string },
  now: Instant,
): Promise<void> {
  await setVerified(tx.db, provider.no, now)
  await tx.outbox.add('provider.changed', { providerId: provider.id })
}
