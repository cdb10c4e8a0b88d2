import type { Instant } from '#db/columns.ts'
import type { Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { setUnverified, setVerified } from './store.ts'

/**
 * Marks a provider as Verified: listed, and bookable if they have free times. Throws `proof_required` for
 * every caller while there is no accepted proof that the person is the registrant.
 */
export async function markVerified(
  tx: Tx,
  provider: { no: number; id: string },
  now: Instant,
): Promise<void> {
  if (!(await setVerified(tx.db, provider.no, now))) throw new AppError('proof_required')
  await tx.outbox.add('provider.changed', { providerId: provider.id })
}

type Provider = { no: number; id: string }

/**
 * Removes the Verified status: not listed, not bookable; booked visits stay. False when the provider was not
 * Verified any more.
 */
export async function markUnverified(tx: Tx, provider: Provider, now: Instant): Promise<boolean> {
  if (!(await setUnverified(tx.db, provider.no, now))) return false
  await tx.outbox.add('provider.changed', { providerId: provider.id })
  return true
}
