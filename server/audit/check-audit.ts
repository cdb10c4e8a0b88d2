import type { AuditVerdict, VerifyAuditInput } from '#contract/audit.ts'
import { toIso } from '#contract/time.ts'
import type { SignedIn } from '#server/context.ts'
import { verifyAudit } from './verify-audit.ts'

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
