import { AUDIT_PAGE_SIZE, type AuditInput, type AuditPage } from '#contract/audit.ts'
import type { Context } from '#server/context.ts'
import { findEntries } from './find-entries.ts'
import { placeText, wantedBy } from './rules.ts'

/** A page of the audit log, the newest first. */
export async function listAudit(ctx: Context, input: AuditInput): Promise<AuditPage> {
  const { before: _, ...filters } = input
  const part = { before: wantedBy(input).before, limit: AUDIT_PAGE_SIZE }
  const { entries, next } = await findEntries(ctx.database.db, filters, part)
  return { entries, next: next === null ? null : placeText(next) }
}
