import * as z from 'zod/mini'
import type { Services } from '#server/context.ts'
import type { Sealed } from '#server/kernel/security/secrets.ts'
import { listSealedWithOldKeys, replaceSeal } from './store.ts'

/** The confidential part of an account. */
export type Numbers = {
  /** Sort code or routing number, digits only. */
  code: string
  number: string
}

const SealedNumbers = z.object({ code: z.string(), number: z.string() })

/** Binds a seal to one row of one provider: moved to another row, it does not open. */
function ownerOf(row: { id: string }, providerId: string): string {
  return `bank_accounts ${row.id} ${providerId}`
}

type SealContext = Pick<Services, 'vault'>

/** Seals the numbers of an account for its row and its provider. */
export function sealNumbers(
  { vault }: SealContext,
  of: { id: string; providerId: string },
  { code, number }: Numbers,
): Sealed {
  return vault.seal(JSON.stringify({ code, number }), ownerOf(of, of.providerId))
}

/** The numbers of an account; throws when they were sealed for another row or altered. */
export function openNumbers(
  { vault }: SealContext,
  row: { id: string; sealed: string; key_id: string },
  providerId: string,
): Numbers {
  const sealed = { keyId: row.key_id, sealed: row.sealed }
  return SealedNumbers.parse(JSON.parse(vault.open(sealed, ownerOf(row, providerId))))
}

/**
 * Keyed hash to find a provider's own account again; the same account of another provider has a different
 * one.
 */
export function fingerprintOf(
  { secrets }: Pick<Services, 'secrets'>,
  providerId: string,
  { code, number }: Numbers,
): string {
  return secrets.mac('bank', `${providerId} ${code} ${number}`)
}

const BATCH = 100

type OldSeal = Awaited<ReturnType<typeof listSealedWithOldKeys>>[number]

/** An account whose key is missing must not stop the others from being resealed. */
async function reseal(services: Services, row: OldSeal): Promise<void> {
  try {
    const numbers = openNumbers(services, row, row.provider_id)
    const seal = sealNumbers(services, { id: row.id, providerId: row.provider_id }, numbers)
    await replaceSeal(services.database.db, { no: row.no, before: row.sealed, ...seal })
  } catch (error) {
    services.log.error({ err: error, bankAccountId: row.id }, 'an account could not be resealed')
  }
}

/**
 * Reseals with the newest key what an older one sealed, so that the older one can be removed. Two processes
 * may do this at once; an account changed meanwhile already has the newest seal.
 */
export async function resealBankAccounts(services: Services): Promise<void> {
  const { database, vault } = services
  for (let after = 0; ; ) {
    const rows = await listSealedWithOldKeys(database.db, {
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
