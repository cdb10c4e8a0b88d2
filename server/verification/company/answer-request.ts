import type { AnswerInput, OwnVerification } from '#contract/verification.ts'
import { type AsProvider, lockOwnAccount } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findNewestRequest, saveAnswer } from '#server/verification/evidence-store.ts'
import { readRegistrationStatus } from '#server/verification/register/read-registration-status.ts'
import { saveDocumentProof } from '#server/verification/registrant/proofs.ts'
import { lockClaimant, returnToQueue } from '#server/verification/store.ts'
import { findDocument } from './company-store.ts'

/**
 * Answers staff's request to the signed-in provider, who then waits for a decision again. `not_found` if
 * nothing was requested, or the document is not the provider's. A document about the registration also
 * becomes a proof of identity awaiting review.
 */
export async function answerRequest(
  ctx: AsProvider,
  { answer: text, document }: AnswerInput,
): Promise<OwnVerification> {
  await ctx.transaction(async (tx) => {
    await lockOwnAccount(ctx, tx)
    const claimant = await lockClaimant(tx.db, ctx.viewer.id)
    const request = await findNewestRequest(tx.db, claimant.no)
    if (claimant.asked_again_at === null || request === undefined) throw new AppError('not_found')
    const sent = document === '' ? null : await findDocument(tx.db, claimant.no, document)
    if (sent === undefined) throw new AppError('not_found')
    const stored = { requestNo: request.no, providerNo: claimant.no, documentNo: sent?.no ?? null }
    const now = ctx.now()
    await saveAnswer(tx.db, { ...stored, text }, now)
    await returnToQueue(tx.db, claimant.no, now)
    if (sent && request.about === 'registration') {
      await saveDocumentProof(ctx, tx, { claimant, documentNo: sent.no })
    }
    const details = { document: sent === null ? 0 : 1 }
    await tx.audit.add({ action: 'verification.answered', entity: request.id, details })
  })
  return readRegistrationStatus(ctx)
}
