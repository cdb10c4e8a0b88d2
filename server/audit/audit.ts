import {
  AUDIT_PAGE_SIZE,
  type AuditEntry,
  type AuditFilters,
  type AuditInput,
  AuditOutcome,
  type AuditPage,
  type AuditVerdict,
  type VerifyAuditInput,
} from '#contract/audit.ts'
import { DAY_MS, dayNumber, toIso } from '#contract/base/time.ts'
import { parseJson } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { Context, Services, SignedIn } from '#server/context.ts'
import { FIRST_SEAL, sealOf } from '#server/kernel/audit.ts'
import { BYTE_ORDER_MARK, csvLine, type ExportFile } from '#server/kernel/export-file.ts'
import { yieldToEventLoop } from '#server/kernel/limits/semaphore.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import {
  countUnsealed,
  type EntryFilters,
  findStaffId,
  type LogPosition,
  listEntries,
  listRecordedNames,
  listReferences,
  listSealed,
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
async function findEntries(
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
    // Each batch begins where the last one ended.
    const { entries, next } = await findEntries(db, filters, { before, limit: BATCH })
    yield entries.map(lineOf).join('')
    before = next ?? undefined
  } while (before !== undefined)
}

/** Ids and names of calls: what the log may store of a filter somebody typed, which may also be a name. */
const CODE = /^(?:[a-z]{3}_|[a-zA-Z]+\.|\/)[\w./{}-]*$/

/** A filter for the log: staff addresses as ids, and other text only if it is a code. Empty without a filter. */
async function filterCode(db: Db, text: string | undefined): Promise<string> {
  if (text === undefined) return ''
  const id = (await resolveId(db, text)) ?? ''
  return CODE.test(id) ? id : 'other'
}

/** The filtered log as a CSV file, newest first. The export is audited before the first row is read. */
export async function exportAudit(ctx: Context, filters: AuditFilters): Promise<ExportFile> {
  const { action = '', outcome = '', kind = '', from = '', to = '', reads = '' } = filters
  const { db } = ctx.database
  const actor = await filterCode(db, filters.actor)
  const entity = await filterCode(db, filters.entity)
  const details = { action, outcome, kind, actor, entity, from, to, reads }
  await ctx.record({ action: 'audit.exported', details })
  return {
    fileName: `audit-log-${toIso(ctx.now()).slice(0, 10)}.csv`,
    text: writeLines(ctx.database.db, filters),
  }
}

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
