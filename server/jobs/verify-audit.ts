import type { Services } from '#server/context.ts'
import { FIRST_SEAL, sealOf } from '#server/kernel/audit.ts'
import { isSameSecret } from '#server/kernel/secrets.ts'
import { countUnsealed, listSealed } from './audit-store.ts'

const BATCH = 500

/** What a walk along the chain found. */
export type AuditVerdict = {
  /** Rows whose seals are right, from the first on. */
  sealed: number
  /** Where the chain breaks, as the place of the first row that is wrong or missing. */
  brokenAt: number | null
  /** Rows the sealing job has yet to see, and since when the oldest waits (epoch ms). */
  unsealed: number
  unsealedSince: number | null
}

type Walk = { sealed: number; brokenAt: number | null }

async function walk({ database, secrets }: Services): Promise<Walk> {
  let previous = FIRST_SEAL
  let position = 0
  for (;;) {
    const rows = await listSealed(database.db, position, BATCH)
    for (const row of rows) {
      const expected = sealOf(secrets, previous, { ...row, position: position + 1 })
      const isRight = row.position === position + 1 && isSameSecret(row.seal ?? '', expected)
      if (!isRight) return { sealed: position, brokenAt: position + 1 }
      position += 1
      previous = expected
    }
    if (rows.length < BATCH) return { sealed: position, brokenAt: null }
  }
}

/** Walks along the audit log and says whether every row is as it was when it was sealed. */
export async function verifyAudit(services: Services): Promise<AuditVerdict> {
  const found = await walk(services)
  const { count, oldest } = await countUnsealed(services.database.db)
  return { ...found, unsealed: count, unsealedSince: oldest }
}
