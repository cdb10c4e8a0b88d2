import type { OwnVerification, SendCompanyInput } from '#contract/verification.ts'
import { isUniqueViolation } from '#db/failures.ts'
import type { Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { deleteUnsent, findDocument, insertClaim } from './company-store.ts'
import { type AsProvider, readStanding } from './read-standing.ts'
import { lockClaimant, updateStandings } from './store.ts'

async function send(ctx: AsProvider, tx: Tx, input: SendCompanyInput): Promise<void> {
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
    state: 'in_review',
    reason: null,
    sent_at: now,
    decided_at: null,
    decided_by: null,
  })
  await updateStandings(tx.db, [no], { asked_again_at: null })
  for (const file of await deleteUnsent(tx.db, { before: now, providerNo: no })) {
    await tx.outbox.add('document.dropped', { file })
  }
  await tx.audit.add({ action: 'company.sent', entity: id })
}

/** Sends the company a provider works as to staff, with the document uploaded for it. */
export async function sendCompany(
  ctx: AsProvider,
  input: SendCompanyInput,
): Promise<OwnVerification> {
  try {
    await ctx.transaction((tx) => send(ctx, tx, input))
  } catch (error) {
    // One is in review or accepted, or this very document was sent before.
    if (isUniqueViolation(error)) throw new AppError('company_sent')
    throw error
  }
  return readStanding(ctx)
}
