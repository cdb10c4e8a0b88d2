import type { Instant } from '#db/columns.ts'
import type { Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { setUnverified, setVerified } from './store.ts'

/**
 * Puts a provider on the site: listed, and bookable as far as they have free times. Throws
 * `proof_required`, whoever asks, while no proof is accepted that the person is the registrant.
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
 * Takes a provider off the site: not listed, not bookable; visits already booked stay. False when they
 * were not Verified any more.
 */
export async function markUnverified(tx: Tx, provider: Provider, now: Instant): Promise<boolean> {
  if (!(await setUnverified(tx.db, provider.no, now))) return false
  await tx.outbox.add('provider.changed', { providerId: provider.id })
  return true
}
