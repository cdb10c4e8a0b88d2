import type { AuditEntry, AuditFilters } from '#contract/audit.ts'
import { toIso } from '#contract/time.ts'
import type { Db } from '#db/engine.ts'
import type { Context } from '#server/context.ts'
import { BYTE_ORDER_MARK, csvLine, type ExportFile } from '#server/kernel/export-file.ts'
import { findEntries } from './list-audit.ts'
import type { LogPosition } from './store.ts'

/** Rows per query; other requests run between two queries. */
const BATCH = 500

const CSV_HEADER = csvLine([
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

async function* writeLines(db: Db, filters: AuditFilters): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK + CSV_HEADER
  let before: LogPosition | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- each stretch begins where the one before ended
    const { entries, next } = await findEntries(db, filters, { before, limit: BATCH })
    yield entries.map(lineOf).join('')
    before = next ?? undefined
  } while (before !== undefined)
}

/** The filtered log as a CSV file, newest first. The export is audited before the first row is read. */
export async function exportAudit(ctx: Context, filters: AuditFilters): Promise<ExportFile> {
  const { action = '', outcome = '', kind = '', from = '', to = '' } = filters
  await ctx.record({ action: 'audit.exported', details: { action, outcome, kind, from, to } })
  return {
    fileName: `audit-log-${toIso(ctx.now()).slice(0, 10)}.csv`,
    text: writeLines(ctx.database.db, filters),
  }
}
