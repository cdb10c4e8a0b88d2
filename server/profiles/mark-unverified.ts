import type { Instant } from '#db/columns.ts'
import type { Tx } from '#server/context.ts'
import { setUnverified } from './store.ts'

type Provider = { no: number; id: string }

/**
 * Takes a provider off the site: not listed, not bookable; visits already booked stay. False when they
 * were not Verified any more.
 */
export async function markUnverified(tx: Tx, provider: Provider, now: Instant): Promise<boolean> {
  if (!(await setUnverified(tx.db, provider.no, now))) return false
  await tx.outbox.add('provider.changed', { providerId: provider.id })
  return true
}
