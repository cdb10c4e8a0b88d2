import type { Db } from '#db/engine.ts'
import { isUniqueViolation } from '#db/failures.ts'
import { findLastSeal } from '#server/audit/store.ts'
import type { Services } from '#server/context.ts'
import { FIRST_SEAL, sealOf } from '#server/kernel/audit.ts'
import { listUnsealed, setSeal } from './audit-store.ts'

const BATCH = 200

/** Another process sealed the same rows: its seals stay, ours roll back. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

async function sealBatch({ secrets }: Services, db: Db): Promise<number> {
  const last = await findLastSeal(db)
  let position = last?.position ?? 0
  let previous = last?.seal ?? FIRST_SEAL
  const rows = await listUnsealed(db, BATCH)
  for (const row of rows) {
    position += 1
    previous = sealOf(secrets, previous, { ...row, position })
    if (!(await setSeal(db, row.no, { position, seal: previous }))) throw new Overtaken()
  }
  return rows.length
}

/**
 * Adds new audit rows to the chain of seals. The chain has its own order: a row whose transaction commits
 * late is sealed late, and numbers of rolled-back transactions leave no gap.
 */
export async function sealAudit(services: Services, signal?: AbortSignal): Promise<void> {
  const { database } = services
  for (;;) {
    if (signal?.aborted === true) return
    let sealed: number
    try {
      sealed = await database.transaction((db) => sealBatch(services, db))
    } catch (error) {
      if (error instanceof Overtaken || isUniqueViolation(error)) return
      throw error
    }
    if (sealed < BATCH) return
  }
}

/**
 * Writes the head of the chain to the log, which is stored elsewhere: a chain truncated at its end would
 * still verify, but not against a logged head that is missing. See `npm run audit:verify`.
 */
export async function logAuditHead({ database, log }: Services): Promise<void> {
  const head = await findLastSeal(database.db)
  if (head !== undefined) {
    // Ignores LOG_LEVEL: without this line a truncated chain could not be detected.
    const always = log.child({}, { level: 'info' })
    always.info({ position: head.position, seal: head.seal }, 'the head of the audit log')
  }
}
