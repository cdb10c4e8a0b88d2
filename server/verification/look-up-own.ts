import type { LookUpInput, OwnVerification } from '#contract/verification.ts'
import type { RegisterAnswer } from '#server/gateways/registers.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { makeCheck } from './make-check.ts'
import { type AsProvider, readStanding } from './read-standing.ts'
import { isSameClaimant } from './state-of.ts'
import { type Claimant, getClaimant, insertCheck, lockClaimant, upsertAsked } from './store.ts'

function assertOwn(claimant: Claimant, input: LookUpInput): void {
  const isOwn =
    claimant.body === input.professional_body_name &&
    claimant.membership_number === input.membership_number
  if (!isOwn) throw new AppError('not_found')
}

/** Asks outside of any transaction; a register that does not answer costs nobody a look-up. */
async function ask(ctx: AsProvider, claimant: Claimant): Promise<RegisterAnswer | null> {
  const { body, membership_number: number } = claimant
  try {
    return await ctx.registers.lookUp(body, number)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, body, requestId: ctx.requestId }, 'a register does not answer')
    await ctx.transaction(async (tx) => {
      await tx.attempts.giveBack('register_own', ctx.viewer.id)
      await tx.audit.add({
        action: 'verification.looked_up',
        outcome: 'failed',
        entity: claimant.id,
        details: { body },
      })
    })
    throw new AppError('register_unavailable', {}, { cause: error })
  }
}

/**
 * Compares the signed-in provider's own number with the register and keeps what came of it. Staff
 * decide; whoever matches comes first in their queue.
 */
export async function lookUpOwn(ctx: AsProvider, input: LookUpInput): Promise<OwnVerification> {
  const claimant = await getClaimant(ctx.database.db, ctx.viewer.id)
  assertOwn(claimant, input)
  await ctx.transaction(async (tx) => {
    await tx.attempts.take('register_own', ctx.viewer.id)
    await tx.attempts.take('register_all', '')
  })
  const answer = await ask(ctx, claimant)
  const now = ctx.now()
  const check = makeCheck(claimant, answer, {
    id: ctx.newId('chk'),
    kind: 'look_up',
    at: now,
    actor_kind: 'provider',
    actor_id: ctx.session?.userId ?? null,
  })
  await ctx.transaction(async (tx) => {
    const current = await lockClaimant(tx.db, ctx.viewer.id)
    // The answer is about what was claimed when the register was asked.
    if (!isSameClaimant(current, claimant)) throw new AppError('claim_changed')
    await insertCheck(tx.db, check)
    await upsertAsked(tx.db, {
      providerNo: claimant.no,
      isVerified: current.verification_status === 'Verified',
      isMatch: check.outcome === 'match',
      now,
    })
    await tx.audit.add({
      action: 'verification.looked_up',
      entity: claimant.id,
      details: { body: check.body, outcome: check.outcome },
    })
  })
  return readStanding(ctx)
}
