import type { OwnVerification, SendProofInput } from '#contract/verification.ts'
import type { EnterProofCodeInput } from '#contract/verification-proof.ts'
import { checkCode } from '#server/auth/codes/check-code.ts'
import { issueCode } from '#server/auth/codes/issue-code.ts'
import type { Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { deleteUnsent, findDocument } from '#server/verification/company/company-store.ts'
import {
  type AsProvider,
  readRegistrationStatus,
} from '#server/verification/register/read-registration-status.ts'
import { CODE_PURPOSE } from '#server/verification/rules.ts'
import { type Claimant, getClaimant, lockClaimant } from '#server/verification/store.ts'
import { findWaitingCode, insertProof, replaceWaiting, updateProof } from './proof-store.ts'

type ProofDocument = { claimant: Claimant; documentNo: number }

/** Stores a document as a proof awaiting review. Call in a transaction that has locked the claimant. */
export async function saveDocumentProof(
  ctx: AsProvider,
  tx: Tx,
  { claimant, documentNo }: ProofDocument,
): Promise<void> {
  const now = ctx.now()
  await replaceWaiting(tx.db, { providerNo: claimant.no, kind: 'document', now })
  await insertProof(tx.db, {
    id: ctx.newId('prf'),
    provider_no: claimant.no,
    kind: 'document',
    state: 'waiting',
    body: claimant.body,
    claimed_number: claimant.membership_number,
    claimed_name: `${claimant.first_name} ${claimant.last_name}`,
    document_no: documentNo,
    email: null,
    source: null,
    created_at: now,
    created_by: ctx.session?.userId ?? null,
    decided_at: null,
    decided_by: null,
    reason: null,
  })
  await tx.audit.add({
    action: 'proof.sent',
    entity: claimant.id,
    details: { kind: 'document' },
  })
}

/**
 * Sends a document that proves the signed-in provider's identity, such as photo ID, for staff to review. A
 * newer one replaces one that is waiting. `not_found` if the document is not the provider's.
 */
export async function sendProof(
  ctx: AsProvider,
  { document: id }: SendProofInput,
): Promise<OwnVerification> {
  await ctx.transaction(async (tx) => {
    const claimant = await lockClaimant(tx.db, ctx.viewer.id)
    const document = await findDocument(tx.db, claimant.no, id)
    if (document === undefined) throw new AppError('not_found')
    await saveDocumentProof(ctx, tx, { claimant, documentNo: document.no })
    const unsent = { before: ctx.now(), providerNo: claimant.no }
    for (const file of await deleteUnsent(tx.db, unsent)) {
      await tx.outbox.add('document.dropped', { file })
    }
  })
  return readRegistrationStatus(ctx)
}

function ownAccount({ session }: AsProvider): { no: number; id: string } {
  if (session === null) throw new AppError('sign_in_required')
  return { no: session.accountNo, id: session.userId }
}

/** The address that awaits a code; `not_found` if staff have entered none for the number. */
async function getWaitingCode(ctx: AsProvider) {
  const claimant = await getClaimant(ctx.database.db, ctx.viewer.id)
  const proof = await findWaitingCode(ctx.database.db, claimant)
  if (proof === undefined) throw new AppError('not_found')
  return { claimant, proof }
}

/**
 * Sends a code to the published address that staff entered. Rate-limited like all codes: one a minute, five
 * an hour, ten a day; expires after ten minutes.
 */
export async function sendProofCode(ctx: AsProvider): Promise<OwnVerification> {
  const { claimant, proof } = await getWaitingCode(ctx)
  await ctx.transaction(async (tx) => {
    const bound = { account: ownAccount(ctx), purpose: CODE_PURPOSE, object: proof.id }
    const { code } = await issueCode(ctx, tx, bound)
    const secret = ctx.secrets.seal('mail', code)
    await tx.outbox.add('proof.code', { proofId: proof.id, secret })
    await tx.audit.add({
      action: 'code.sent',
      entity: claimant.id,
      details: { purpose: CODE_PURPOSE },
    })
  })
  return readRegistrationStatus(ctx)
}

/**
 * Checks the code sent to the published address: the right one accepts the proof. Throws `code_invalid` for a
 * wrong one, `code_locked` after five, and `not_found` if the address has been replaced.
 */
export async function enterProofCode(
  ctx: AsProvider,
  { otp: code }: EnterProofCodeInput,
): Promise<OwnVerification> {
  const { claimant, proof } = await getWaitingCode(ctx)
  const account = ownAccount(ctx)
  const attempt = { account, purpose: CODE_PURPOSE, object: proof.id, code }
  const accept = async (tx: Tx) => {
    const current = await lockClaimant(tx.db, ctx.viewer.id)
    const isOfNow = (await findWaitingCode(tx.db, current))?.id === proof.id
    const to = { state: 'accepted', decided_by: account.id, reason: null } as const
    const about = { id: proof.id, seen: 'waiting', now: ctx.now() } as const
    if (!isOfNow || !(await updateProof(tx.db, { ...about, ...to }))) {
      throw new AppError('not_found')
    }
    await tx.audit.add({
      action: 'proof.accepted',
      entity: claimant.id,
      details: { kind: 'code', proof: proof.id },
    })
  }
  if (!(await checkCode(ctx, attempt, accept))) throw new AppError('code_invalid')
  return readRegistrationStatus(ctx)
}
