import type { Db } from '#db/engine.ts'
import { isUniqueViolation } from '#db/failures.ts'
import type { Services } from '#server/context.ts'
import { FIRST_SEAL, sealOf } from '#server/kernel/audit.ts'
import { findLastSeal, listUnsealed, setSeal } from './audit-store.ts'

const BATCH = 200

/** Another process sealed the same rows: its chain stands, ours is undone. */
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
 * Adds what was audited since to the chain of seals. The chain has an order of its own: a row whose
 * transaction commits late is sealed late, and numbers that a rolled-back transaction used up leave
 * no gap in it.
 */
export async function sealAudit(services: Services, signal?: AbortSignal): Promise<void> {
  const { database, log } = services
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
    const head = await findLastSeal(database.db)
    // Outside of the database as well: a chain cut off at its end would verify.
    log.info({ position: head?.position, seal: head?.seal }, 'the audit log was sealed')
  }
}
