import { DAY_MS } from '#contract/base/time.ts'
import { type Services, systemContext } from '#server/context.ts'
import { dropFiles } from '#server/verification/company/company.ts'
import { deleteCompaniesOf, deleteUnsent } from '#server/verification/company/company-store.ts'
import { deleteProofsOf } from './registrant/proof-store.ts'
import { deleteVerificationOf, findProviderNoOf } from './store.ts'

/** Deletes an erased provider's claims, register checks and documents. */
export async function eraseClaims(services: Services, userId: string): Promise<void> {
  const ctx = systemContext(services, 'erase')
  await ctx.transaction(async (tx) => {
    const providerNo = await findProviderNoOf(tx.db, userId)
    if (providerNo === null) return
    await deleteVerificationOf(tx.db, providerNo)
    await deleteProofsOf(tx.db, providerNo)
    await dropFiles(tx, await deleteCompaniesOf(tx.db, providerNo))
  })
}

/** Deletes documents that were uploaded a day ago and never sent. */
export async function purgeUnsentDocuments(services: Services): Promise<void> {
  const ctx = systemContext(services, 'forget-documents')
  await ctx.transaction(async (tx) => {
    await dropFiles(tx, await deleteUnsent(tx.db, ctx.now() - DAY_MS))
  })
}
