import { type Instant, toJson, type WholeRow } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { prepared } from '#db/prepared.ts'
import type { AuditRow } from '#db/tables/audit.ts'
import type { AuditEvent } from '#server/kernel/audit.ts'

type NewAudit = {
  id: string
  at: Instant
  event: AuditEvent
  actorKind: AuditRow['actor_kind']
  actorId: string | null
  network: string
  requestId: string
}

const insertRow = prepared((db, row: WholeRow<AuditRow>) => db.insertInto('audit').values(row))

/** Writes down an event; the sealing job adds its place in the chain. */
export async function insertAudit(db: Db, row: NewAudit): Promise<void> {
  const { event } = row
  await insertRow(db, {
    id: row.id,
    at: row.at,
    type: event.action.slice(0, event.action.indexOf('.')),
    action: event.action,
    outcome: event.outcome ?? 'ok',
    actor_kind: row.actorKind,
    actor_id: row.actorId,
    network: row.network,
    request_id: row.requestId,
    entity: event.entity ?? null,
    details: toJson(event.details ?? {}),
    position: null,
    seal: null,
  })
}

/** The end of the chain, or undefined when nothing is sealed yet. */
export function findLastSeal(db: Db) {
  return db
    .selectFrom('audit')
    .select(['position', 'seal'])
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** What is not in the chain yet, oldest first. */
export function listUnsealed(db: Db, limit: number) {
  return db
    .selectFrom('audit')
    .selectAll()
    .where('seal', 'is', null)
    .orderBy('no')
    .limit(limit)
    .execute()
}

/** Puts a row into the chain; false when somebody else has. */
export async function setSeal(
  db: Db,
  no: number,
  place: { position: number; seal: string },
): Promise<boolean> {
  const result = await db
    .updateTable('audit')
    .set({ position: place.position, seal: place.seal })
    .where('no', '=', no)
    .where('seal', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
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

/** How many rows are not sealed yet, and since when the oldest waits. */
export async function countUnsealed(db: Db): Promise<{ count: number; oldest: Instant | null }> {
  const row = await db
    .selectFrom('audit')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('at').as('oldest')])
    .where('seal', 'is', null)
    .executeTakeFirstOrThrow()
  return row
}
