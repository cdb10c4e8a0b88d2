import type { AuditActorKind, AuditOutcome } from '#contract/audit.ts'
import { READ_ACTIONS } from '#contract/audit-actions.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

/** A position in the log, ordered by time; of two rows with the same time the later number is newer. */
export type LogPosition = { at: Instant; no: number }

/** Row filters; omitted ones don't apply. */
export type EntryFilters = {
  action?: string | undefined
  outcome?: AuditOutcome | undefined
  kind?: AuditActorKind | undefined
  actor?: string | undefined
  entity?: string | undefined
  from?: Instant | undefined
  /** Exclusive. */
  until?: Instant | undefined
  before?: LogPosition | undefined
  /** Leaves out read-only actions. */
  isWithoutReads?: boolean
}

/** Rows of the log, newest first. */
export function listEntries(db: Db, filters: EntryFilters, limit: number) {
  const { action, outcome, kind, actor, entity, from, until, before } = filters
  let query = db.selectFrom('audit').selectAll()
  if (action !== undefined) query = query.where('action', '=', action)
  if (filters.isWithoutReads === true) query = query.where('action', 'not in', READ_ACTIONS)
  if (outcome !== undefined) query = query.where('outcome', '=', outcome)
  // Lets the query use the index on rare outcomes.
  if (outcome !== undefined && outcome !== 'ok') query = query.where('outcome', '<>', 'ok')
  if (kind !== undefined) query = query.where('actor_kind', '=', kind)
  if (actor !== undefined) query = query.where('actor_id', '=', actor)
  if (entity !== undefined) query = query.where('entity', '=', entity)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (until !== undefined) query = query.where('at', '<', until)
  if (before !== undefined) {
    query = query
      .where('at', '<=', before.at)
      .where((eb) => eb.or([eb('at', '<', before.at), eb('no', '<', before.no)]))
  }
  return query.orderBy('at', 'desc').orderBy('no', 'desc').limit(limit).execute()
}

/** The id of a staff member, by email address. */
export async function findStaffId(db: Db, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('kind', '=', 'staff')
    .where('email', '=', email)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Email addresses of the staff members among these ids. */
export function listStaffAddresses(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('id', 'in', ids)
    .where('kind', '=', 'staff')
    .where('erased_at', 'is', null)
    .execute()
}

/** Names of providers when these entries were written, as long as their accounts exist. */
export function listRecordedNames(db: Db, auditIds: readonly string[]) {
  return db
    .selectFrom('audit_names as n')
    .innerJoin('providers as p', 'p.no', 'n.provider_no')
    .select(['n.audit_id', 'n.part', 'n.name'])
    .where('n.audit_id', 'in', auditIds)
    .where('p.membership_number', '<>', '')
    .execute()
}

/** References of the visits behind ids of bookings, payments and desk visits. */
export async function listReferences(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('bookings')
    .select(['id', 'reference'])
    .where('id', 'in', ids)
    .unionAll(
      db
        .selectFrom('payments as y')
        .innerJoin('bookings as b', 'b.no', 'y.booking_no')
        .select(['y.id', 'b.reference'])
        .where('y.id', 'in', ids),
    )
    .unionAll(db.selectFrom('desk_visits').select(['id', 'reference']).where('id', 'in', ids))
    .execute()
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

/** The head of the chain, or undefined when nothing is sealed yet. */
export function findLastSeal(db: Db) {
  return db
    .selectFrom('audit')
    .select(['position', 'seal'])
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Sealed rows after a position, in the order of the chain. */
export function listSealed(db: Db, after: number, limit: number) {
  return db
    .selectFrom('audit')
    .selectAll()
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()
}

/** Number of unsealed rows, and the time of the oldest. */
export async function countUnsealed(db: Db): Promise<{ count: number; oldest: Instant | null }> {
  const row = await db
    .selectFrom('audit')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('at').as('oldest')])
    .where('seal', 'is', null)
    .executeTakeFirstOrThrow()
  return row
}
