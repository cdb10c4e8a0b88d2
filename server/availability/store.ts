import { sql } from 'kysely'
import { type Instant, type Json, parseJson } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { runSql } from '#db/run-sql.ts'

/** A provider, and the end of the first day expected to have free times. */
export type NextTimesWanted = {
  providerNo: number
  /** Only times there; null for those anywhere, of which all in one call must be alike. */
  placeNo: number | null
  from: Instant
  dayEnd: Instant
}

/** No calendar day is longer: 24 hours, and one when the clocks go back. */
const LONGEST_DAY_MS = 90_000_000

function nextTimesText(count: number, isThere: boolean): string {
  const first = '(cast(? as integer), cast(? as bigint), cast(? as bigint), cast(? as integer))'
  const rows = [first, ...Array<string>(count - 1).fill('(?, ?, ?, ?)')]
  // Named only where it counts: without it the index alone answers.
  const there = isThere ? ' and place_no = place' : ''
  return `with wanted(no, since, day_end, place) as (values ${rows.join(', ')})
    select no as "providerNo", (
      select '[' || string_agg(cast(start_at as text), ',') || ']' from slots
      where provider_no = no and free = 1${there} and start_at >= since and start_at < coalesce(
        ${LONGEST_DAY_MS} + (
          select min(start_at) from slots
          where provider_no = no and free = 1${there} and start_at >= day_end),
        day_end)
    ) as times from wanted`
}

const nextTimesTexts = { anywhere: [] as string[], there: [] as string[] }

function isAscending(instants: readonly Instant[]): boolean {
  return instants.every((instant, n) => n === 0 || instant >= (instants[n - 1] ?? 0))
}

/**
 * For several providers in one statement, ascending: all free slots up to the end of the day named,
 * then those of the next day that has any, however far off, and perhaps some beyond. One text a
 * provider is cheaper to hand over than one row a slot.
 */
export async function listNextTimes(
  db: Db,
  wanted: readonly NextTimesWanted[],
): Promise<Map<number, Instant[]>> {
  const found = new Map<number, Instant[]>()
  if (wanted.length === 0) return found
  const isThere = wanted.every(({ placeNo }) => placeNo !== null)
  const texts = nextTimesTexts[isThere ? 'there' : 'anywhere']
  const text = (texts[wanted.length] ??= nextTimesText(wanted.length, isThere))
  const parameters: number[] = []
  for (const { providerNo, placeNo, from, dayEnd } of wanted) {
    parameters.push(providerNo, from, dayEnd, placeNo ?? 0)
  }
  const rows = await runSql<{ providerNo: number; times: Json<Instant[]> | null }>(
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

type Between = { from: Instant; until: Instant }

/** The free slots of a provider from an instant up to, not including, another; ascending. */
export async function listFreeTimes(
  db: Db,
  providerNo: number,
  { from, until }: Between,
): Promise<Instant[]> {
  const rows = await db
    .selectFrom('slots')
    .select('start_at')
    .where('provider_no', '=', providerNo)
    .where('free', '=', sql.lit(1))
    .where('start_at', '>=', from)
    .where('start_at', '<', until)
    .orderBy('start_at')
    .execute()
  return rows.map((row) => row.start_at)
}

/** The name of the place of each free slot of the same stretch of time. */
export async function listFreePlaces(
  db: Db,
  providerNo: number,
  { from, until }: Between,
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

/** The earliest free slot at or after `from`, or null. */
export async function findNextFree(
  db: Db,
  providerNo: number,
  from: Instant,
): Promise<Instant | null> {
  const row = await db
    .selectFrom('slots')
    .select('start_at')
    .where('provider_no', '=', providerNo)
    .where('free', '=', sql.lit(1))
    .where('start_at', '>=', from)
    .orderBy('start_at')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row?.start_at ?? null
}

/** A provider people may find here, with the zone of the main place; Verified ones only. */
export function findClinic(db: Db, providerId: string) {
  return db
    .selectFrom('providers as p')
    .innerJoin('places as l', (join) =>
      join.onRef('l.provider_no', '=', 'p.no').on('l.position', '=', 0),
    )
    .leftJoin('schedules as s', 's.provider_no', 'p.no')
    .select(['p.no', 'p.consultation_minutes', 'l.time_zone', 's.notice_minutes'])
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
