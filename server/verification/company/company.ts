import { DocumentId } from '#contract/base/ids.ts'
import { companyLife } from '#contract/life-cycles/verification.ts'
import type {
  CompanyClaim,
  DocumentResponse,
  OwnVerification,
  SendCompanyInput,
} from '#contract/verification.ts'
import type { DecideCompanyInput } from '#contract/verification-staff.ts'
import { isUniqueViolation } from '#db/failures.ts'
import { type AsProvider, type AsStaff, lockOwnAccount, type Tx } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  type FoundClaim,
  findClaim,
  findSentDocument,
  updateClaim,
} from '#server/verification/evidence-store.ts'
import { readRegistrationStatus } from '#server/verification/register/read-registration-status.ts'
import { mayVerify } from '#server/verification/rules.ts'
import { lockClaimant, updateRegistrationStatuses } from '#server/verification/store.ts'
import { findDocument, insertClaim, insertDocument } from './company-store.ts'

async function insertSubmission(ctx: AsProvider, tx: Tx, input: SendCompanyInput): Promise<void> {
  await lockOwnAccount(ctx, tx)
  const { no } = await lockClaimant(tx.db, ctx.viewer.id)
  const document = await findDocument(tx.db, no, input.document)
  if (document === undefined) throw new AppError('not_found')
  const id = ctx.newId('cmp')
  const now = ctx.now()
  await insertClaim(tx.db, {
    id,
    provider_no: no,
    document_no: document.no,
    company_name: input.company_name,
    registration_number: input.registration_number,
    address: input.address,
    state: companyLife.to('send'),
    reason: null,
    sent_at: now,
    decided_at: null,
    decided_by: null,
  })
  await updateRegistrationStatuses(tx.db, [no], { asked_again_at: null })
  await tx.audit.add({ action: 'company.sent', entity: id })
}

/** Enqueues the removal of the files of documents that were deleted. */
export async function dropFiles(tx: Tx, files: readonly string[]): Promise<void> {
  for (const file of files) await tx.outbox.add('document.dropped', { file })
}

/** Submits the provider's company to staff, with its uploaded document. */
export async function sendCompany(
  ctx: AsProvider,
  input: SendCompanyInput,
): Promise<OwnVerification> {
  try {
    await ctx.transaction((tx) => insertSubmission(ctx, tx, input))
  } catch (error) {
    // A company is already in review or accepted, or this document was already sent.
    if (isUniqueViolation(error)) throw new AppError('company_sent')
    throw error
  }
  return readRegistrationStatus(ctx)
}

/**
 * Stores an uploaded document for a later claim, answer or proof. One that is not sent is deleted after a day
 * and not by the next upload, which may be for another form.
 */
export async function saveDocument(ctx: AsProvider, upload: Uint8Array): Promise<DocumentResponse> {
  await ctx.transaction((tx) => tx.attempts.take('document', ctx.viewer.id))
  const stored = await ctx.documents.save(upload)
  const id = DocumentId.parse(ctx.newId('doc'))
  try {
    await ctx.transaction(async (tx) => {
      await lockOwnAccount(ctx, tx)
      const { no } = await lockClaimant(tx.db, ctx.viewer.id)
      await insertDocument(tx.db, { id, provider_no: no, ...stored, created_at: ctx.now() })
      await tx.audit.add({ action: 'company.document_uploaded', entity: id })
    })
  } catch (error) {
    await ctx.documents.remove(stored.file)
    throw error
  }
  return { status: true, document: id, kind: stored.kind }
}

export type DocumentDownload = { bytes: Buffer; type: string; name: string }

/**
 * A document that a provider has sent, for staff who may verify. Each view is audited before any byte is
 * sent.
 */
export async function readDocument(ctx: AsStaff, id: string): Promise<DocumentDownload> {
  if (!mayVerify(ctx.viewer.role)) throw new AppError('admins_only')
  const isId = DocumentId.safeParse(id).success
  const found = isId ? await findSentDocument(ctx.database.db, id) : undefined
  if (found === undefined || isErasedAddress(found.email)) throw new AppError('not_found')
  const bytes = await ctx.documents.read(found.file).catch((error: unknown) => {
    // The database was restored without the folder, or the other way round: the document has to be sent
    // again.
    ctx.log.error({ err: error, document: found.id, requestId: ctx.requestId }, 'no document')
    throw new AppError('not_found')
  })
  await ctx.record({
    action: 'company.document_viewed',
    entity: found.id,
    details: {
      ...(found.claim_id !== null && { claim: found.claim_id }),
      ...(found.request_id !== null && { request: found.request_id }),
      ...(found.proof_id !== null && { proof: found.proof_id }),
    },
  })
  const isPdf = found.kind === 'pdf'
  return {
    bytes,
    type: isPdf ? 'application/pdf' : 'image/webp',
    name: `${found.id}.${isPdf ? 'pdf' : 'webp'}`,
  }
}

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
  const event = input.decision === 'accepted' ? 'accept' : 'refuse'
  if (claim.state !== input.seen || !companyLife.may(event, claim.state)) {
    throw new AppError('company_decided')
  }
  const reason = input.decision === 'refused' ? input.reason : null
  const isOurs = await ctx.transaction(async (tx) => {
    const to = { state: input.decision, reason, decided_at: ctx.now(), decided_by: ctx.viewer.id }
    if (!(await updateClaim(tx.db, claim, to))) return false
    const payload = { claimId: claim.id, decision: input.decision }
    await tx.outbox.add('company.decided', payload, { to: claim.email })
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
