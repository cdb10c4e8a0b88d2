import { sql } from 'kysely'
import type { ProviderId } from '#contract/ids.ts'
import type { Region } from '#contract/region.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { erasedAddress } from '#server/kernel/email-address.ts'
import { QUEUE_ORDER, WAITING } from './staff-store.ts'

/** Counts of providers and companies that await verification. */
export async function countWork(db: Db) {
  const counts = await db
    .selectFrom('providers as p')
    .leftJoin('provider_standings as s', 's.provider_no', 'p.no')
    .select([
      sql<number>`count(case when coalesce(s.state, '') not in ('refused', 'lost') then 1 end)`.as(
        'waiting',
      ),
      sql<number>`count(case when coalesce(s.state, '') not in ('refused', 'lost')
        and s.is_match = 1 then 1 end)`.as('matching'),
      sql<number>`count(case when s.state = 'lost' then 1 end)`.as('lost'),
    ])
    .where(sql<boolean>`p.verification_status = 'Unverified'`)
    .where('p.email', 'not like', `%${erasedAddress('')}`)
    .executeTakeFirstOrThrow()
  const { companies } = await db
    .selectFrom('company_claims')
    .select(({ fn }) => fn.countAll<number>().as('companies'))
    .where('state', '=', 'in_review')
    .executeTakeFirstOrThrow()
  return { ...counts, companies }
}

/** Number of providers who lost their status since an instant and have not regained it. */
export async function countLostSince(db: Db, since: Instant): Promise<number> {
  const { lost } = await db
    .selectFrom('provider_standings')
    .select(({ fn }) => fn.countAll<number>().as('lost'))
    .where('state', '=', 'lost')
    .where('since', '>=', since)
    .executeTakeFirstOrThrow()
  return lost
}

export type QueueRow = {
  n: number
  id: ProviderId
  region: Region
  title: string | null
  first_name: string
  last_name: string
  is_waiting: number
}

/**
 * A provider with their neighbours in the queue, in order; one who no longer waits is placed where they would
 * be. Without a provider, the head of the queue.
 */
export function listAround(db: Db, id: ProviderId | undefined): Promise<QueueRow[]> {
  const ordered = db
    .selectFrom('providers as p')
    .leftJoin('provider_standings as s', 's.provider_no', 'p.no')
    .select([
      'p.id',
      'p.region',
      'p.title',
      'p.first_name',
      'p.last_name',
      sql<number>`case when ${WAITING} then 1 else 0 end`.as('is_waiting'),
      sql<number>`row_number() over (order by ${QUEUE_ORDER})`.as('n'),
    ])
    .where('p.email', 'not like', `%${erasedAddress('')}`)
    .where((eb) => eb.or([WAITING, ...(id === undefined ? [] : [eb('p.id', '=', id)])]))
  const at =
    id === undefined
      ? sql<number>`0`
      : sql<number>`(select n from ordered as own where own.id = ${id})`
  return db
    .with('ordered', () => ordered)
    .selectFrom('ordered as o')
    .selectAll()
    .where('o.n', '>=', sql<number>`${at} - 1`)
    .where('o.n', '<=', sql<number>`${at} + 1`)
    .orderBy('o.n')
    .execute()
}
