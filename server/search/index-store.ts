import { type SqlBool, sql } from 'kysely'
import { type Instant, NEVER } from '#db/columns.ts'
import { fits } from '#db/consecutive-slots.ts'
import type { Db } from '#db/engine.ts'
import { isPostgres } from '#db/run-sql.ts'
import type { SearchCellRow, SearchIndexRow } from '#db/tables/search.ts'
import { cellOf } from './circle.ts'

/** An arbitrary number that no other advisory lock of ours has. */
const INDEX_LOCK = 4_117_150_418

/**
 * Lets one transaction at a time rewrite the index: of two concurrent ones on Postgres, the second would not
 * see the rows the first inserted, and insert them again. SQLite has one writer anyway. The lock ends with
 * the transaction.
 */
export async function lockIndex(db: Db): Promise<void> {
  if (!isPostgres(db)) return
  await sql`select pg_advisory_xact_lock(${INDEX_LOCK})`.execute(db)
}

/** The sources of index rows: Verified providers, one row for each of their places. */
export function listIndexSources(db: Db, providerNos: readonly number[]) {
  return db
    .selectFrom('providers as p')
    .innerJoin('places as l', 'l.provider_no', 'p.no')
    .leftJoin('schedules as h', 'h.provider_no', 'p.no')
    .select([
      'p.no as provider_no',
      'l.no as place_no',
      'l.latitude',
      'l.longitude',
      'p.specialty_no',
      'p.region',
      'p.first_name',
      'p.last_name',
      'p.gender',
      'p.about',
      'p.qualifications',
      'p.languages',
      'p.offers_in_person',
      'p.offers_video',
      'p.consultation_minutes',
      'p.amount_minor',
      'h.buffer_minutes',
    ])
    .where('p.verification_status', '=', 'Verified')
    .where('p.no', 'in', providerNos)
    .where('l.removed_at', 'is', null)
    .orderBy('p.no')
    .orderBy('l.no')
    .execute()
}

/** The visit types of these providers, in each one's own order. */
export function listIndexTypes(db: Db, providerNos: readonly number[]) {
  return db
    .selectFrom('visit_types')
    .select(['provider_no', 'place_no', 'mode', 'minutes', 'first_minor', 'follow_minor'])
    .where('provider_no', 'in', providerNos)
    .where('archived_at', 'is', null)
    .orderBy('position')
    .orderBy('no')
    .execute()
}

/** The numbers of all providers after `after`, ascending, a batch at a time. */
export async function listProviderNos(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('providers')
    .select('no')
    .where('no', '>', after)
    .orderBy('no')
    .limit(limit)
    .execute()
  return rows.map(({ no }) => no)
}

/** The earliest free slot of each provider that has one. */
export async function listNextFree(
  db: Db,
  providerNos: readonly number[],
  now: Instant,
): Promise<Map<number, Instant>> {
  const rows = await db
    .selectFrom('slots')
    .select(({ fn }) => ['provider_no', fn.min('start_at').as('next')])
    .where('provider_no', 'in', providerNos)
    .where('free', '=', sql.lit(1))
    .where('start_at', '>=', now)
    .groupBy('provider_no')
    .execute()
  return new Map(rows.map(({ provider_no, next }) => [provider_no, next]))
}

/** The earliest free slot at each place of these providers that has one. */
export async function listNextFreeAt(
  db: Db,
  providerNos: readonly number[],
  now: Instant,
): Promise<Map<number, Instant>> {
  if (providerNos.length === 0) return new Map()
  const rows = await db
    .selectFrom('slots')
    .select(({ fn }) => ['place_no', fn.min('start_at').as('next')])
    .where('provider_no', 'in', providerNos)
    .where('free', '=', sql.lit(1))
    .where('start_at', '>=', now)
    .groupBy('place_no')
    .execute()
  return new Map(rows.map(({ place_no, next }) => [place_no, next]))
}

type Located = Pick<SearchIndexRow, 'specialty_no' | 'band' | 'longitude'>

/** The change of each cell's count when rows leave the index and others join it. */
function cellChanges(removed: readonly Located[], added: readonly Located[]): SearchCellRow[] {
  const cells = new Map<string, SearchCellRow>()
  const add = ({ specialty_no, band, longitude }: Located, places: number) => {
    const cell = cellOf(longitude)
    const key = `${specialty_no}/${band}/${cell}`
    const known = cells.get(key) ?? { specialty_no, band, cell, places: 0 }
    cells.set(key, { ...known, places: known.places + places })
  }
  for (const row of removed) add(row, -1)
  for (const row of added) add(row, 1)
  // The same order everywhere, so that two processes never deadlock.
  return [...cells.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)
    .filter(({ places }) => places !== 0)
}

/** Replaces the index rows of these providers and keeps the counts of the cells in step. */
export async function replaceIndexRows(
  db: Db,
  providerNos: readonly number[],
  rows: readonly SearchIndexRow[],
): Promise<void> {
  const previous = await db
    .deleteFrom('search_index')
    .where('provider_no', 'in', providerNos)
    .returning(['specialty_no', 'band', 'longitude'])
    .execute()
  if (rows.length > 0) await db.insertInto('search_index').values(rows).execute()
  const changes = cellChanges(previous, rows)
  if (changes.length === 0) return
  await db
    .insertInto('search_cells')
    .values(changes)
    .onConflict((conflict) =>
      conflict.columns(['specialty_no', 'band', 'cell']).doUpdateSet((eb) => ({
        places: eb('search_cells.places', '+', eb.ref('excluded.places')),
      })),
    )
    .execute()
}

/** Recounts every cell from the index. */
export async function rebuildCells(db: Db): Promise<void> {
  await db.deleteFrom('search_cells').execute()
  await sql`insert into search_cells (specialty_no, band, cell, places)
    select specialty_no, band, cast(floor(longitude * 8) as integer), count(*)
    from search_index group by 1, 2, 3`.execute(db)
}

function firstFreeNow(now: Instant) {
  return sql<Instant>`coalesce((
    select min(f.start_at) from slots f
    where f.provider_no = search_index.provider_no and f.free = 1 and f.start_at >= ${now}
      and (search_index.siblings = 0 or f.place_no = search_index.place_no)
      and ${fits('f', 'search_index.visit_minutes', 'search_index.buffer_minutes')}
  ), ${sql.lit(NEVER)})`
}

/** Recomputes up to `limit` rows whose first free slot has passed, and returns their number. */
export async function updateStaleNextFree(db: Db, now: Instant, limit: number): Promise<number> {
  const stale = await db
    .selectFrom('search_index')
    .select('provider_no')
    .where('next_free', '<', now)
    .orderBy('next_free')
    .limit(limit)
    .execute()
  if (stale.length === 0) return 0
  await db
    .updateTable('search_index')
    .set({ next_free: firstFreeNow(now) })
    .where(
      'provider_no',
      'in',
      stale.map((row) => row.provider_no),
    )
    // A concurrent booking or cancellation has already set it.
    .where(sql<SqlBool>`next_free < ${now}`)
    .execute()
  return stale.length
}

/** Recomputes the first free slot of these providers. */
export async function updateNextFree(
  db: Db,
  now: Instant,
  providerNos: readonly number[],
): Promise<void> {
  await db
    .updateTable('search_index')
    .set({ next_free: firstFreeNow(now) })
    .where('provider_no', 'in', providerNos)
    .execute()
}
