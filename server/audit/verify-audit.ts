import type { AuditVerdict, VerifyAuditInput } from '#contract/audit.ts'
import { toIso } from '#contract/time.ts'
import type { Services, SignedIn } from '#server/context.ts'
import { FIRST_SEAL, sealOf } from '#server/kernel/audit.ts'
import { nextTurn } from '#server/kernel/limits/semaphore.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import { countUnsealed, listSealed } from './store.ts'

const BATCH = 500

/** What a walk along the chain found. */
export type Verdict = {
  /** Rows whose seals are right, from the first on. */
  sealed: number
  /** Where the chain breaks, as the place of the first row that is wrong or missing. */
  brokenAt: number | null
  /** Id of the row found at that place or after it; null when the rest is gone. */
  brokenRow: string | null
  /** Rows the sealing job has yet to see, and since when the oldest waits (epoch ms). */
  unsealed: number
  unsealedSince: number | null
  /** The end of the chain; null when nothing is sealed, or it breaks. */
  head: KnownHead | null
}

type Walk = Pick<Verdict, 'sealed' | 'brokenAt' | 'brokenRow' | 'head'>

/** A place in the chain and its seal, as the log told them: what was cut off later is missed. */
export type KnownHead = { position: number; seal: string }

function isAsKnown(known: KnownHead | undefined, position: number, seal: string): boolean {
  return known?.position !== position || isSameSecret(known.seal, seal)
}

type Verifier = Pick<Services, 'database' | 'secrets'>

async function walk({ database, secrets }: Verifier, known?: KnownHead): Promise<Walk> {
  let previous = FIRST_SEAL
  let position = 0
  for (;;) {
    const rows = await listSealed(database.db, position, BATCH)
    for (const row of rows) {
      const expected = sealOf(secrets, previous, { ...row, position: position + 1 })
      const isRight = row.position === position + 1 && isSameSecret(row.seal ?? '', expected)
      if (!isRight || !isAsKnown(known, position + 1, expected)) {
        return { sealed: position, brokenAt: position + 1, brokenRow: row.id, head: null }
      }
      position += 1
      previous = expected
    }
    if (rows.length < BATCH) break
    await nextTurn()
  }
  const isCut = known !== undefined && known.position > position
  const head = isCut || position === 0 ? null : { position, seal: previous }
  return { sealed: position, brokenAt: isCut ? position + 1 : null, brokenRow: null, head }
}

/**
 * Walks along the audit log and says whether every row is as it was when it was sealed, and whether
 * it still holds the head that was written down elsewhere.
 */
export async function verifyAudit(services: Verifier, known?: KnownHead): Promise<Verdict> {
  const found = await walk(services, known)
  const { count, oldest } = await countUnsealed(services.database.db)
  return { ...found, unsealed: count, unsealedSince: oldest }
}

/**
 * Walks along the whole chain of seals for a superuser, and writes down that they did and what came of
 * it. The head is for them to note down where nobody who owns this database can change it.
 */
export async function checkAudit(ctx: SignedIn, input: VerifyAuditInput): Promise<AuditVerdict> {
  await ctx.transaction((tx) => tx.attempts.take('audit_check', ctx.session.userId))
  const verdict = await verifyAudit(ctx, input.known)
  const { sealed, brokenAt, unsealedSince: since } = verdict
  await ctx.record({
    action: 'audit.verified',
    outcome: brokenAt === null ? 'ok' : 'failed',
    details: { sealed, ...(brokenAt === null ? {} : { brokenAt }) },
  })
  return { ...verdict, unsealedSince: since === null ? null : toIso(since) }
}
