import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { runSql } from '#db/run-sql.ts'

/** A provider and the stretch of time whose free slots are wanted; `until` is not included. */
export type Wanted = { providerNo: number; from: Instant; until: Instant }

function freeTimesText(count: number): string {
  const rows = Array<string>(count - 1).fill('(?, ?, ?)')
  return `with wanted(no, since, until) as (values
      (cast(? as integer), cast(? as bigint), cast(? as bigint))${rows.map((row) => `, ${row}`).join('')})
    select no as "providerNo", (
      select string_agg(cast(start_at as text), ',') from slots
      where provider_no = no and free = 1 and start_at >= since and start_at < until
    ) as times from wanted`
}

const freeTimesTexts: string[] = []

/**
 * The free slots of several providers in one statement, each within its own stretch of time,
 * ascending. One text a provider is cheaper to hand over than one row a slot.
 */
export async function listFreeTimes(
  db: Db,
  wanted: readonly Wanted[],
): Promise<Map<number, Instant[]>> {
  const found = new Map<number, Instant[]>()
  if (wanted.length === 0) return found
  const text = (freeTimesTexts[wanted.length] ??= freeTimesText(wanted.length))
  const parameters = wanted.flatMap(({ providerNo, from, until }) => [providerNo, from, until])
  const rows = await runSql<{ providerNo: number; times: string | null }>(db, text, parameters)
  for (const { providerNo, times } of rows) {
    const instants = times === null ? [] : times.split(',').map(Number)
    found.set(
      providerNo,
      instants.toSorted((a, b) => a - b),
    )
  }
  return found
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
    .where('free', '=', 1)
    .where('start_at', '>=', from)
    .orderBy('start_at')
    .limit(1)
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
    .select(['p.no', 'p.consultation_minutes', 'l.time_zone'])
    .where('p.id', '=', providerId)
    .where('p.verification_status', '=', 'Verified')
    .executeTakeFirst()
}
