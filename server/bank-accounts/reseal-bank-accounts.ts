import type { Services } from '#server/context.ts'
import { openNumbers, sealNumbers } from './seal-numbers.ts'
import { listSealedOtherwise, replaceSeal } from './store.ts'

const BATCH = 100

type Found = Awaited<ReturnType<typeof listSealedOtherwise>>[number]

/** One whose key is gone must not keep the others from theirs. */
async function reseal(services: Services, row: Found): Promise<void> {
  try {
    const numbers = openNumbers(services, row, row.provider_id)
    const seal = sealNumbers(services, { id: row.id, providerId: row.provider_id }, numbers)
    await replaceSeal(services.database.db, { no: row.no, before: row.sealed, ...seal })
  } catch (error) {
    services.log.error({ err: error, bankAccountId: row.id }, 'an account could not be sealed anew')
  }
}

/**
 * Seals with the newest key what an older one sealed, so that the older one can be taken away. Two
 * processes may do this at once; an account changed meanwhile has the newest seal already.
 */
export async function resealBankAccounts(services: Services): Promise<void> {
  const { database, vault } = services
  for (let after = 0; ; ) {
    const rows = await listSealedOtherwise(database.db, {
      keyId: vault.keyId,
      after,
      limit: BATCH,
    })
    for (const row of rows) await reseal(services, row)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.no
  }
}
