import {
  AUDIT_PAGE_SIZE,
  type AuditEntry,
  type AuditFilters,
  type AuditInput,
  AuditOutcome,
  type AuditPage,
} from '#contract/audit.ts'
import { DAY_MS, dayNumber, toIso } from '#contract/time.ts'
import { parseJson } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { Context } from '#server/context.ts'
import {
  type EntryFilters,
  findStaffId,
  type LogPosition,
  listEntries,
  listRecordedNames,
  listReferences,
  listStaffAddresses,
} from './store.ts'

/** A page cursor as URL text. */
function formatPosition({ at, no }: LogPosition): string {
  return `${at}-${no}`
}

function parsePosition(text: string): LogPosition {
  const [at = 0, no = 0] = text.split('-').map(Number)
  return { at, no }
}

/** The filters in terms of the table; days are UTC days. */
function entryFilters(input: AuditInput): EntryFilters {
  const { action, outcome, kind, actor, entity, from, to, before, reads } = input
  return {
    action,
    outcome,
    kind,
    actor,
    entity,
    from: from === undefined ? undefined : dayNumber(from) * DAY_MS,
    until: to === undefined ? undefined : (dayNumber(to) + 1) * DAY_MS,
    before: before === undefined ? undefined : parsePosition(before),
    isWithoutReads: reads === undefined && action === undefined,
  }
}

/** Whether a filter text is an email address rather than an id. */
function isAddress(text: string): boolean {
  return text.includes('@')
}

/** A page of the audit log, newest first. */
export async function listAudit(ctx: Context, input: AuditInput): Promise<AuditPage> {
  const { before: _, ...filters } = input
  const part = { before: entryFilters(input).before, limit: AUDIT_PAGE_SIZE }
  const { entries, next } = await findEntries(ctx.database.db, filters, part)
  return { entries, next: next === null ? null : formatPosition(next) }
}

type Row = Awaited<ReturnType<typeof listEntries>>[number]

/** The id for a filter text; null when no staff member has that address. */
function resolveId(db: Db, text: string | undefined): Promise<string | null | undefined> {
  if (text === undefined || !isAddress(text)) return Promise.resolve(text)
  return findStaffId(db, text.toLowerCase())
}

async function addressesIn(db: Db, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ actor_id: actor, entity }) => [actor, entity])
  const people = [...new Set(ids)].filter((id) => id?.startsWith('usr_') === true)
  const known = people.filter((id) => id !== null)
  if (known.length === 0) return new Map()
  return new Map((await listStaffAddresses(db, known)).map(({ id, email }) => [id, email]))
}

type Names = {
  addresses: ReadonlyMap<string, string>
  /** Names by entry id and part (actor or entity). */
  called: ReadonlyMap<string, string>
  references: ReadonlyMap<string, string>
}

async function namesIn(db: Db, rows: readonly Row[]): Promise<Names> {
  const isVisit = (id: string | null) => id !== null && /^(apt|dsk|pay)_/.test(id)
  const named =
    rows.length === 0
      ? []
      : await listRecordedNames(
          db,
          rows.map(({ id }) => id),
        )
  return {
    addresses: await addressesIn(db, rows),
    called: new Map(named.map(({ audit_id: id, part, name }) => [`${part} ${id}`, name])),
    references: await listReferences(
      db,
      [...new Set(rows.map(({ entity }) => entity))].filter(isVisit).filter((id) => id !== null),
    ),
  }
}

function entryOf(row: Row, { addresses, called, references }: Names): AuditEntry {
  const emailOf = (id: string | null) => (id === null ? null : (addresses.get(id) ?? null))
  return {
    id: row.id,
    at: toIso(row.at),
    action: row.action,
    outcome: AuditOutcome.parse(row.outcome),
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      email: emailOf(row.actor_id),
      name: called.get(`actor ${row.id}`) ?? null,
    },
    network: row.network,
    requestId: row.request_id,
    entity: row.entity,
    entityEmail: emailOf(row.entity),
    entityName: called.get(`entity ${row.id}`) ?? references.get(row.entity ?? '') ?? null,
    details: parseJson(row.details),
    position: row.position,
  }
}

/** A batch of entries and where the next one starts; null at the end. */
export type EntryBatch = { entries: AuditEntry[]; next: LogPosition | null }

/** Filtered entries before a position, newest first. */
export async function findEntries(
  db: Db,
  filters: AuditFilters,
  part: { before: LogPosition | undefined; limit: number },
): Promise<EntryBatch> {
  const actor = await resolveId(db, filters.actor)
  const entity = await resolveId(db, filters.entity)
  if (actor === null || entity === null) return { entries: [], next: null }
  const rowFilters = { ...entryFilters({ ...filters, actor, entity }), before: part.before }
  // One extra row shows whether there are more.
  const rows = await listEntries(db, rowFilters, part.limit + 1)
  const shown = rows.slice(0, part.limit)
  const names = await namesIn(db, shown)
  const last = rows.length > part.limit ? shown.at(-1) : undefined
  return {
    entries: shown.map((row) => entryOf(row, names)),
    next: last === undefined ? null : { at: last.at, no: last.no },
  }
}
