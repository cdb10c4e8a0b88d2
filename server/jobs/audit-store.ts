import { type RawBuilder, sql } from 'kysely'
import { type Instant, toJson, type WholeRow } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { AuditNameRow, AuditRow, StrangerDenialRow } from '#db/tables/audit.ts'
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

function insertRow(db: Db, row: WholeRow<AuditRow>) {
  return db.insertInto('audit').values(row).execute()
}

/** Inserts an audit event; the sealing job adds its position in the chain. */
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
  if (row.actorKind === 'provider' && row.actorId !== null) {
    await insertName(db, row.id, {
      part: 'actor',
      name: NAME,
      of: sql`inner join accounts a on a.provider_no = p.no and a.id = ${row.actorId}`,
    })
  }
  const named = namedBy(event.entity ?? '')
  if (named !== null) await insertName(db, row.id, { part: 'entity', ...named })
}

const NAME = sql<string>`trim(coalesce(p.title, '') || ' ' || p.first_name || ' ' || p.last_name)`
const NUMBERED = sql<string>`${NAME} || ', ' || p.professional_body || ' ' || p.membership_number`

type Named = { name: RawBuilder<string>; of: RawBuilder<unknown> }

/** The name of the provider, company claim or information request that an id refers to, by its prefix. */
function namedBy(entity: string): Named | null {
  switch (entity.slice(0, 4)) {
    case 'prv_':
      return { name: NUMBERED, of: sql`inner join providers o on o.no = p.no and o.id = ${entity}` }
    case 'cmp_': {
      const of = sql`inner join company_claims c on c.provider_no = p.no and c.id = ${entity}`
      return { name: sql`c.company_name || ', ' || ${NUMBERED}`, of }
    }
    case 'req_': {
      const of = sql`inner join verification_requests r on r.provider_no = p.no and r.id = ${entity}`
      return { name: NUMBERED, of }
    }
    default:
      return null
  }
}

/** An erased provider has no membership number any more, and their name is not stored. */
async function insertName(
  db: Db,
  auditId: string,
  { part, name, of }: Named & Pick<AuditNameRow, 'part'>,
): Promise<void> {
  await sql`insert into audit_names (audit_id, part, provider_no, name)
    select ${auditId}, ${part}, p.no, ${name} from providers p ${of}
    where p.membership_number <> ''`.execute(db)
}

/** Rows that are not in the chain yet, oldest first. */
export function listUnsealed(db: Db, limit: number) {
  return db
    .selectFrom('audit')
    .selectAll()
    .where('seal', 'is', null)
    .orderBy('no')
    .limit(limit)
    .execute()
}

/** Adds a row to the chain; false when another process has already done so. */
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

/** Counts a visitor's refusal in the row of its network, path and minute. */
export async function countDenial(db: Db, denial: Omit<StrangerDenialRow, 'count'>): Promise<void> {
  await db
    .insertInto('stranger_denials')
    .values({ ...denial, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['minute', 'network', 'path'])
        .doUpdateSet((eb) => ({ count: eb('stranger_denials.count', '+', 1) })),
    )
    .execute()
}

/** Number of visitor refusals since `from`, in whole minutes since the epoch. */
export async function sumDenials(db: Db, from: number): Promise<number> {
  const { sum } = await db
    .selectFrom('stranger_denials')
    .select(({ fn }) => fn.sum<number | string | null>('count').as('sum'))
    .where('minute', '>=', from)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Deletes visitor refusals before `before`, in whole minutes since the epoch. */
export async function deleteOldDenials(db: Db, before: number): Promise<void> {
  await db.deleteFrom('stranger_denials').where('minute', '<', before).execute()
}
