import { DocumentId } from '#contract/ids.ts'
import type { DocumentAnswer } from '#contract/verification.ts'
import { deleteUnsent, insertDocument } from './company-store.ts'
import type { AsProvider } from './read-standing.ts'
import { lockClaimant } from './store.ts'

/** Keeps an uploaded document for a claim to come; one uploaded before and never sent goes. */
export async function keepDocument(ctx: AsProvider, upload: Uint8Array): Promise<DocumentAnswer> {
  await ctx.transaction((tx) => tx.attempts.take('document', ctx.viewer.id))
  const kept = await ctx.documents.keep(upload)
  const id = DocumentId.parse(ctx.newId('doc'))
  try {
    await ctx.transaction(async (tx) => {
      const { no } = await lockClaimant(tx.db, ctx.viewer.id)
      const now = ctx.now()
      for (const file of await deleteUnsent(tx.db, { before: now, providerNo: no })) {
        await tx.outbox.add('document.dropped', { file })
      }
      await insertDocument(tx.db, { id, provider_no: no, ...kept, created_at: now })
      await tx.audit.add({ action: 'company.document_uploaded', entity: id })
    })
  } catch (error) {
    await ctx.documents.remove(kept.file)
    throw error
  }
  return { status: true, document: id, kind: kept.kind }
}
