import type { AskAgainInput } from '#contract/verification-staff.ts'
import { isErasedAddress } from '#server/kernel/erased.ts'
import { AppError } from '#server/kernel/errors.ts'
import { insertRequest } from './evidence-store.ts'
import type { AsStaff } from './list-providers.ts'
import { findClaimant, lockClaimant } from './store.ts'

/**
 * Asks a provider for what is missing, by letter. They go behind the others in the queue until something
 * comes. Nobody is asked again who is Verified.
 */
export async function askAgain(
  ctx: AsStaff,
  { providerId, what }: AskAgainInput,
): Promise<{ asked: true }> {
  const known = await findClaimant(ctx.database.db, providerId)
  if (known === undefined || isErasedAddress(known.email)) throw new AppError('not_found')
  await ctx.transaction(async (tx) => {
    await tx.attempts.take('ask_again', providerId)
    const claimant = await lockClaimant(tx.db, providerId)
    if (claimant.verification_status === 'Verified') throw new AppError('decided_meanwhile')
    const id = ctx.newId('req')
    await insertRequest(tx.db, {
      id,
      provider_no: claimant.no,
      at: ctx.now(),
      actor_id: ctx.viewer.id,
      what,
    })
    await tx.outbox.add('verification.asked', { requestId: id })
    await tx.audit.add({ action: 'verification.asked_again', entity: providerId })
  })
  return { asked: true }
}
