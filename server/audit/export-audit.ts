import {
  AUDIT_EXPORT_MAX,
  type AuditEntry,
  type AuditFile,
  type AuditFilters,
} from '#contract/audit.ts'
import { toIso } from '#contract/time.ts'
import type { SignedIn } from '#server/context.ts'
import { BYTE_ORDER_MARK, csvLine } from '#server/kernel/csv.ts'
import { nextTurn } from '#server/kernel/limits/semaphore.ts'
import { findEntries } from './find-entries.ts'
import type { Place } from './store.ts'

/** Read at once: others get their turn between two of these. */
const STRETCH = 500

const HEAD = csvLine([
  'Time (UTC)',
  'Action',
  'Outcome',
  'Actor',
  'Actor id',
  'Actor email',
  'Actor name',
  'Entity',
  'Entity name',
  'Details',
  'Network',
  'Request',
  'Position',
  'Id',
])

function lineOf(entry: AuditEntry): string {
  return csvLine([
    entry.at,
    entry.action,
    entry.outcome,
    entry.actor.kind,
    entry.actor.id ?? '',
    entry.actor.email ?? '',
    entry.actor.name ?? '',
    entry.entity ?? '',
    entry.entityName ?? entry.entityEmail ?? '',
    JSON.stringify(entry.details),
    entry.network,
    entry.requestId,
    entry.position === null ? '' : String(entry.position),
    entry.id,
  ])
}

/** What the filters leave as a file, the newest first. Ends after `AUDIT_EXPORT_MAX` rows and says so. */
export async function exportAudit(ctx: SignedIn, filters: AuditFilters): Promise<AuditFile> {
  await ctx.transaction((tx) => tx.attempts.take('export', ctx.session.userId))
  const lines = [BYTE_ORDER_MARK + HEAD]
  let before: Place | undefined
  let rows = 0
  for (;;) {
    const limit = Math.min(STRETCH, AUDIT_EXPORT_MAX - rows)
    const { entries, next } = await findEntries(ctx.database.db, filters, { before, limit })
    lines.push(...entries.map(lineOf))
    rows += entries.length
    before = next ?? undefined
    if (next === null || rows >= AUDIT_EXPORT_MAX) break
    await nextTurn()
  }
  const { action = '', outcome = '', kind = '', from = '', to = '' } = filters
  await ctx.record({
    action: 'audit.exported',
    details: { rows, action, outcome, kind, from, to },
  })
  const fileName = `audit-log-${toIso(ctx.now()).slice(0, 10)}.csv`
  return { fileName, text: lines.join(''), rows, isCut: before !== undefined }
}
