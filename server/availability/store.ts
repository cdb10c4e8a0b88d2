import { sql } from 'kysely'
import { type Instant, type Json, parseJson } from '#db/columns.ts'
import { fits, hasConsecutiveSlotsSql } from '#db/consecutive-slots.ts'
import type { Db } from '#db/engine.ts'
import { readSql } from '#db/run-sql.ts'
import type { VisitNeeds } from './rules.ts'

/** A provider, and the end of the first day expected to have free times. */
export type NextTimesQuery = {
  providerNo: number
  /** Only times at this place; null for any place. */
  placeNo: number | null
  from: Instant
  dayEnd: Instant
  /** Length and buffer of a visit that takes several slots; 0 where each slot is long enough. */
  minutes: number
  bufferMinutes: number
}

/** Longest calendar day: 24 hours, plus one when clocks go back. */
const MAX_DAY_MS = 90_000_000

type Kind = 'anywhere' | 'there' | 'long'

const INTEGER = 'cast(? as integer)'
const FIRST_ROW = `(${INTEGER}, cast(? as bigint), cast(? as bigint), ${INTEGER}, ${INTEGER}, ${INTEGER})`

// The place is named only where it matters: without it the query is index-only.
const KINDS: Record<Kind, string> = {
  anywhere: '',
  there: ' and s.place_no = place',
  long: ` and (place = 0 or s.place_no = place) and ${hasConsecutiveSlotsSql('s', 'visit', 'buffer')}`,
}

function nextTimesText(count: number, kind: Kind): string {
  const rows = [FIRST_ROW, ...Array<string>(count - 1).fill('(?, ?, ?, ?, ?, ?)')]
  const free = `s.provider_no = no and s.free = 1${KINDS[kind]}`
  return `with wanted(no, since, day_end, place, visit, buffer) as (values ${rows.join(', ')})
    select no as "providerNo", (
      select '[' || string_agg(cast(s.start_at as text), ',') || ']' from slots s
      where ${free} and s.start_at >= since and s.start_at < coalesce(
        ${MAX_DAY_MS} + (
          select min(s.start_at) from slots s where ${free} and s.start_at >= day_end),
        day_end)
    ) as times from wanted`
}

const nextTimesTexts: Record<Kind, string[]> = { anywhere: [], there: [], long: [] }

function kindOf({ placeNo, minutes }: NextTimesQuery): Kind {
  if (minutes > 0) return 'long'
  return placeNo === null ? 'anywhere' : 'there'
}

function isAscending(instants: readonly Instant[]): boolean {
  return instants.every((instant, n) => n === 0 || instant >= (instants[n - 1] ?? 0))
}

/**
 * Times of several providers in one statement, ascending: all free slots up to `dayEnd`, then those of the next day
 * that has any, however far off, and possibly some after it. One aggregated text per provider, rather than one row per
 * slot.
 */
export async function listNextTimes(
  db: Db,
  queries: readonly NextTimesQuery[],
): Promise<Map<number, Instant[]>> {
  const byKind = Map.groupBy(queries, kindOf)
  const found = await Promise.all(
    [...byKind].map(([kind, some]) => listTimesOfKind(db, kind, some)),
  )
  return new Map(found.flatMap((one) => [...one]))
}

async function listTimesOfKind(
  db: Db,
  kind: Kind,
  queries: readonly NextTimesQuery[],
): Promise<Map<number, Instant[]>> {
  const found = new Map<number, Instant[]>()
  const parameters: number[] = []
  for (const { providerNo, placeNo, from, dayEnd, minutes, bufferMinutes } of queries) {
    parameters.push(providerNo, from, dayEnd, placeNo ?? 0, minutes, bufferMinutes)
  }
  const text = (nextTimesTexts[kind][queries.length] ??= nextTimesText(queries.length, kind))
  const rows = await readSql<{ providerNo: number; times: Json<Instant[]> | null }>(
    db,
    text,
    parameters,
  )
  for (const { providerNo, times } of rows) {
    const instants = times === null ? [] : parseJson<Instant[]>(times)
    found.set(providerNo, isAscending(instants) ? instants : instants.toSorted((a, b) => a - b))
  }
  return found
}

type TimeRange = { from: Instant; until: Instant }

/** A provider, and the requirements of the visit to find times for. */
export type FreeTimesQuery = { providerNo: number; needs: VisitNeeds }

/** Free slots at which such a visit can begin. */
function selectStarts(db: Db, { providerNo, needs }: FreeTimesQuery) {
  const { minutes, bufferMinutes, placeNo } = needs
  const query = db
    .selectFrom('slots as s')
    .select('s.start_at')
    .where('s.provider_no', '=', providerNo)
    .where('s.free', '=', sql.lit(1))
    .where(fits('s', minutes, bufferMinutes))
  return placeNo === null ? query : query.where('s.place_no', '=', placeNo)
}

/** A provider's times for a visit from an instant to another, exclusive; ascending. */
export async function listFreeTimes(
  db: Db,
  query: FreeTimesQuery,
  { from, until }: TimeRange,
): Promise<Instant[]> {
  const rows = await selectStarts(db, query)
    .where('s.start_at', '>=', from)
    .where('s.start_at', '<', until)
    .orderBy('s.start_at')
    .execute()
  return rows.map((row) => row.start_at)
}

/** Up to three such times on either side of an instant, from `now` on. */
export async function listFreeAround(
  db: Db,
  query: FreeTimesQuery,
  { wanted, now }: { wanted: Instant; now: Instant },
): Promise<Instant[]> {
  const free = selectStarts(db, query).where('s.start_at', '>', now).limit(3)
  const [before, after] = await Promise.all([
    free.where('s.start_at', '<', wanted).orderBy('s.start_at', 'desc').execute(),
    free.where('s.start_at', '>', wanted).orderBy('s.start_at').execute(),
  ])
  return [...before, ...after].map((row) => row.start_at)
}

/** The place names of the free slots in the same time range. */
export async function listFreePlaces(
  db: Db,
  providerNo: number,
  { from, until }: TimeRange,
): Promise<Map<Instant, string>> {
  const rows = await db
    .selectFrom('slots as s')
    .innerJoin('places as l', 'l.no', 's.place_no')
    .select(['s.start_at', 'l.name'])
    .where('s.provider_no', '=', providerNo)
    .where('s.free', '=', sql.lit(1))
    .where('s.start_at', '>=', from)
    .where('s.start_at', '<', until)
    .execute()
  return new Map(rows.map((row) => [row.start_at, row.name]))
}

/** The earliest such time at or after `from`, or null. */
export async function findNextFree(
  db: Db,
  query: FreeTimesQuery,
  from: Instant,
): Promise<Instant | null> {
  const row = await selectStarts(db, query)
    .where('s.start_at', '>=', from)
    .orderBy('s.start_at')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row?.start_at ?? null
}

/** The first such times after an instant, ascending. */
export async function listFirstTimes(
  db: Db,
  looking: FreeTimesQuery,
  { after, limit }: { after: Instant; limit: number },
): Promise<Instant[]> {
  const rows = await selectStarts(db, looking)
    .where('s.start_at', '>', after)
    .orderBy('s.start_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.start_at)
}

/** A Verified provider, with the zone of the main place. */
export function findClinic(db: Db, providerId: string) {
  return db
    .selectFrom('providers as p')
    .innerJoin('places as l', (join) =>
      join.onRef('l.provider_no', '=', 'p.no').on('l.position', '=', 0),
    )
    .leftJoin('schedules as s', 's.provider_no', 'p.no')
    .select(['p.no', 'l.time_zone', 's.notice_minutes', 's.buffer_minutes'])
    .select((eb) =>
      eb
        .selectFrom('places as k')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('k.provider_no', '=', 'p.no')
        .where('k.removed_at', 'is', null)
        .as('places'),
    )
    .where('p.id', '=', providerId)
    .where('p.verification_status', '=', 'Verified')
    .executeTakeFirst()
}

/** A provider's buffer between visits in minutes; null where none is set. */
export async function findBuffer(db: Db, providerNo: number): Promise<number | null> {
  const row = await db
    .selectFrom('schedules')
    .select('buffer_minutes')
    .where('provider_no', '=', providerNo)
    .executeTakeFirst()
  return row?.buffer_minutes ?? null
}

/** Bookable types of a provider's visits, in their order; with `hasArchived` also archived ones. */
export function listTypes(db: Db, providerNo: number, hasArchived = false) {
  const query = db
    .selectFrom('visit_types as t')
    .leftJoin('places as l', 'l.no', 't.place_no')
    .selectAll('t')
    .select(['l.id as place_id', 'l.name as place_name', 'l.removed_at as place_removed_at'])
    .where('t.provider_no', '=', providerNo)
    .orderBy('t.position')
    .orderBy('t.no')
  return (hasArchived ? query : query.where('t.archived_at', 'is', null)).execute()
}

export type TypeRow = Awaited<ReturnType<typeof listTypes>>[number]
