import { DocumentId } from '#contract/ids.ts'
import { isErasedAddress } from '#server/kernel/erased.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findSentDocument } from './evidence-store.ts'
import type { AsStaff } from './list-providers.ts'
import { mayVerify } from './rules.ts'

export type SentDocument = { bytes: Buffer; type: string; name: string }

/** The document of a company, for staff who verify. Each time is written down before a byte leaves. */
export async function readDocument(ctx: AsStaff, id: string): Promise<SentDocument> {
  if (!mayVerify(ctx.viewer.role)) throw new AppError('admins_only')
  const isId = DocumentId.safeParse(id).success
  const found = isId ? await findSentDocument(ctx.database.db, id) : undefined
  if (found === undefined || isErasedAddress(found.email)) throw new AppError('not_found')
  const bytes = await ctx.documents.read(found.file).catch((error: unknown) => {
    // The row was put back from a backup, or the folder was not: somebody has to send it again.
    ctx.log.error({ err: error, document: found.id, requestId: ctx.requestId }, 'no document')
    throw new AppError('not_found')
  })
  await ctx.record({
    action: 'company.document_viewed',
    entity: found.id,
    details: { claim: found.claim_id },
  })
  const isPdf = found.kind === 'pdf'
  return {
    bytes,
    type: isPdf ? 'application/pdf' : 'image/webp',
    name: `${found.id}.${isPdf ? 'pdf' : 'webp'}`,
  }
}
