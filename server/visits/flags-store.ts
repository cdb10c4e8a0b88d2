import { type SqlBool, sql } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

/** Whether the patient or the provider cancelled, or staff on their behalf. */
function isBy(kind: 'patient' | 'provider') {
  const forThem = sql<SqlBool>`c.by_kind = 'staff' and c.reason = ${`for_${kind}`}`
  return sql<SqlBool>`(c.by_kind = ${kind} or (${forThem}))`
}

// A literal, so that the partial index is used.
const CANCELLED = sql<SqlBool>`c.what = 'cancelled'`

type FrequencyQuery = { since: Instant; least: number; limit: number }

/** Patients with at least `least` free cancellations since an instant, most frequent first. */
export function listFreeCancellers(db: Db, { since, least, limit }: FrequencyQuery) {
  return db
    .selectFrom('visit_changes as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select(({ fn }) => [
      'a.id',
      'a.email',
      'a.first_name',
      'a.last_name',
      fn.countAll<number | string>().as('count'),
      fn.max('c.at').as('last_at'),
    ])
    .where(CANCELLED)
    .where('c.at', '>', since)
    .where('c.kept_minor', '=', 0)
    .where(isBy('patient'))
    .where('a.erased_at', 'is', null)
    .groupBy(['a.id', 'a.email', 'a.first_name', 'a.last_name'])
    .having(({ fn }) => fn.countAll(), '>=', least)
    .orderBy('count', 'desc')
    .orderBy('a.id')
    .limit(limit)
    .execute()
}

/**
 * Providers with an account who cancelled since an instant: how many of their visits they cancelled, and how
 * many were cancelled in all.
 */
export function listCancellingProviders(db: Db, since: Instant) {
  const byProvider = isBy('provider')
  const own = sql<number | string>`sum(case when ${byProvider} then 1 else 0 end)`
  return db
    .selectFrom('visit_changes as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .innerJoin('accounts as a', 'a.provider_no', 'p.no')
    .select(({ fn }) => [
      'p.no',
      'p.id',
      'p.region',
      'p.title',
      'p.first_name',
      'p.last_name',
      'a.email',
      own.as('own'),
      fn.countAll<number | string>().as('cancelled'),
      sql<Instant | string>`max(case when ${byProvider} then c.at end)`.as('last_at'),
    ])
    .where(CANCELLED)
    .where('c.at', '>', since)
    .where('a.erased_at', 'is', null)
    .groupBy(['p.no', 'p.id', 'p.region', 'p.title', 'p.first_name', 'p.last_name', 'a.email'])
    .having(own, '>', 0)
    .execute()
}

/** Visits that began between two instants, counted by provider number. */
export async function countStarted(
  db: Db,
  of: { providerNos: readonly number[]; since: Instant; now: Instant },
): Promise<ReadonlyMap<number, number>> {
  if (of.providerNos.length === 0) return new Map()
  const rows = await db
    .selectFrom('bookings')
    .select(({ fn }) => ['provider_no', fn.countAll<number | string>().as('count')])
    .where('provider_no', 'in', of.providerNos)
    .where('state', '=', 'confirmed')
    .where('start_at', '>', of.since)
    .where('start_at', '<=', of.now)
    .groupBy('provider_no')
    .execute()
  return new Map(rows.map(({ provider_no: no, count }) => [no, Number(count)]))
}
