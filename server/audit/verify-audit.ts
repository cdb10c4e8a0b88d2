import type { AuditVerdict, VerifyAuditInput } from '#contract/audit.ts'
import { toIso } from '#contract/time.ts'
import type { Services, SignedIn } from '#server/context.ts'
import { FIRST_SEAL, sealOf } from '#server/kernel/audit.ts'
import { yieldToEventLoop } from '#server/kernel/limits/semaphore.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import { countUnsealed, listSealed } from './store.ts'

const BATCH = 500

/** Result of verifying the chain. */
export type Verdict = {
  /** Number of rows with valid seals, from the start. */
  sealed: number
  /** Position of the first row that is wrong or missing; null when the chain is intact. */
  brokenAt: number | null
  /** Id of the row found at or after that position; null when the rest is missing. */
  brokenRow: string | null
  /** Rows not sealed yet, and the time of the oldest (epoch ms). */
  unsealed: number
  unsealedSince: number | null
  /** The head of the chain; null when nothing is sealed or the chain is broken. */
  head: KnownHead | null
}

type WalkResult = Pick<Verdict, 'sealed' | 'brokenAt' | 'brokenRow' | 'head'>

/** A position and its seal, as recorded in the log: reveals rows cut off since. */
export type KnownHead = { position: number; seal: string }

function matchesKnown(known: KnownHead | undefined, position: number, seal: string): boolean {
  return known?.position !== position || isSameSecret(known.seal, seal)
}

type Verifier = Pick<Services, 'database' | 'secrets'>

async function walk({ database, secrets }: Verifier, known?: KnownHead): Promise<WalkResult> {
  let previous = FIRST_SEAL
  let position = 0
  for (;;) {
    const rows = await listSealed(database.db, position, BATCH)
    for (const row of rows) {
      const expected = sealOf(secrets, previous, { ...row, position: position + 1 })
      const isRight = row.position === position + 1 && isSameSecret(row.seal ?? '', expected)
      if (!isRight || !matchesKnown(known, position + 1, expected)) {
        return { sealed: position, brokenAt: position + 1, brokenRow: row.id, head: null }
      }
      position += 1
      previous = expected
    }
    if (rows.length < BATCH) break
    await yieldToEventLoop()
  }
  const isCut = known !== undefined && known.position > position
  const head = isCut || position === 0 ? null : { position, seal: previous }
  return { sealed: position, brokenAt: isCut ? position + 1 : null, brokenRow: null, head }
}

/**
 * Verifies that every row of the audit log is as it was when sealed and that the log still contains the head
 * recorded elsewhere.
 */
export async function verifyAudit(services: Verifier, known?: KnownHead): Promise<Verdict> {
  const found = await walk(services, known)
  const { count, oldest } = await countUnsealed(services.database.db)
  return { ...found, unsealed: count, unsealedSince: oldest }
}

/**
 * Verifies the whole chain for a superuser, and audits the check and its result. The superuser can record the
 * head where nobody with access to this database can change it.
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
