import type { CompanyClaim } from '#contract/verification.ts'
import type { DecideCompanyInput } from '#contract/verification-staff.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type FoundClaim, findClaim, updateClaim } from '#server/verification/evidence-store.ts'
import type { AsStaff } from '#server/verification/staff/list-providers.ts'

type Decided = { state: CompanyClaim['state']; reason: string | null }

/** The claim is already decided as requested. */
function isSettled(claim: FoundClaim, { decision }: DecideCompanyInput): boolean {
  return claim.state === decision
}

async function getClaim(ctx: AsStaff, id: string): Promise<FoundClaim> {
  const claim = await findClaim(ctx.database.db, id)
  if (claim === undefined || isErasedAddress(claim.email)) throw new AppError('not_found')
  return claim
}

/**
 * Staff accept a company or refuse it with a reason; an accepted one can be refused later, and a refused
 * one can be submitted again. If it was already decided, returns that decision if it is the same, else throws
 * `company_decided`.
 */
export async function decideCompany(ctx: AsStaff, input: DecideCompanyInput): Promise<Decided> {
  const claim = await getClaim(ctx, input.claimId)
  if (isSettled(claim, input)) return { state: claim.state, reason: claim.reason }
  if (claim.state !== input.seen || claim.state === 'refused') {
    throw new AppError('company_decided')
  }
  const reason = input.decision === 'refused' ? input.reason : null
  const isOurs = await ctx.transaction(async (tx) => {
    const to = { state: input.decision, reason, decided_at: ctx.now(), decided_by: ctx.viewer.id }
    if (!(await updateClaim(tx.db, claim, to))) return false
    await tx.outbox.add('company.decided', { claimId: claim.id })
    await tx.audit.add({
      action: 'company.decided',
      entity: claim.id,
      details: { decision: input.decision, before: claim.state },
    })
    return true
  })
  if (isOurs) return { state: input.decision, reason }
  const now = await getClaim(ctx, input.claimId)
  if (!isSettled(now, input)) throw new AppError('company_decided')
  return { state: now.state, reason: now.reason }
}
