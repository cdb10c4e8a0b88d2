import { toIso } from '#contract/time.ts'
import { type OwnProof, StaffProof } from '#contract/verification-proof.ts'
import { findSentCode } from '#server/auth/codes/issue-code.ts'
import type { Context } from '#server/context.ts'
import { CODE_PURPOSE } from '#server/verification/rules.ts'
import type { Claimant } from '#server/verification/store.ts'
import {
  findAccepted,
  findNewestDocument,
  findWaitingCode,
  type ListedProof,
} from './proof-store.ts'

async function readCode(ctx: Context, claimant: Claimant): Promise<OwnProof['code']> {
  const { db } = ctx.database
  const waiting = await findWaitingCode(db, claimant)
  if (!waiting || waiting.email === null || ctx.session === null) return null
  const bound = { accountNo: ctx.session.accountNo, purpose: CODE_PURPOSE, object: waiting.id }
  const { isSent, resendAt } = await findSentCode(db, bound, ctx.now())
  const { email, source } = waiting
  return {
    email,
    source: source ?? '',
    isSent,
    resendAt: resendAt === null ? null : toIso(resendAt),
  }
}

/** Status of the signed-in provider's proofs, for the number they currently claim. */
export async function readOwnProof(ctx: Context, claimant: Claimant): Promise<OwnProof> {
  const { db } = ctx.database
  const accepted = await findAccepted(db, claimant)
  const paper = await findNewestDocument(db, claimant)
  const isOpen = paper?.state === 'waiting' || paper?.state === 'refused'
  return {
    acceptedAt: accepted?.decided_at ? toIso(accepted.decided_at) : null,
    document:
      isOpen && paper
        ? {
            state: paper.state === 'refused' ? 'refused' : 'waiting',
            sentAt: toIso(paper.created_at),
            reason: paper.reason,
          }
        : null,
    code: await readCode(ctx, claimant),
  }
}

function nameOf(first: string | null, last: string | null): string | null {
  return first === null ? null : `${first} ${last ?? ''}`.trim()
}

/** A proof as staff see it. */
export function showProof(row: ListedProof, claimant: Claimant): StaffProof {
  const { document_kind: kind, bytes } = row
  return StaffProof.parse({
    ...row,
    at: toIso(row.created_at),
    by: nameOf(row.by_first_name, row.by_last_name),
    documentId: row.document_id,
    document: kind === null || bytes === null ? null : { kind, bytes },
    decidedAt: row.decided_at === null ? null : toIso(row.decided_at),
    decidedBy: nameOf(row.decider_first_name, row.decider_last_name),
    isOfNow: row.body === claimant.body && row.claimed_number === claimant.membership_number,
  })
}
