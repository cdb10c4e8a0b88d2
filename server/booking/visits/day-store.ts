import { type SqlBool, sql } from 'kysely'
import type { WallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

/** The zone a provider's days are counted in: that of the main place. */
export async function findMainZone(db: Db, providerNo: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('places')
    .select('time_zone')
    .where('provider_no', '=', providerNo)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row?.time_zone
}

/** How many places a provider sees patients at. */
export async function countPlaces(db: Db, providerNo: number): Promise<number> {
  const { count } = await db
    .selectFrom('places')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('provider_no', '=', providerNo)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Wanted = { providerNo: number; from: WallClock; to: WallClock; limit: number }

/** Confirmed visits of a provider by the clock on the wall of their places. */
export function listDay(db: Db, { providerNo, from, to, limit }: Wanted) {
  return (
    db
      .selectFrom('bookings as b')
      .innerJoin('accounts as a', 'a.no', 'b.patient_no')
      .innerJoin('places as l', 'l.no', 'b.place_no')
      .leftJoin('visit_types as t', 't.no', 'b.type_no')
      .select([
        'b.id',
        'b.reference',
        'b.start_at',
        'b.wall_at',
        'b.end_at',
        'b.time_zone',
        'b.visit_type',
        'b.type_name',
        't.id as type_id',
        'b.mode',
        'b.follow_up_basis',
        'b.state',
        'b.outcome',
        'b.outcome_at',
        'b.arrived_at',
        'l.id as place_id',
        'l.name as place_name',
        'a.first_name',
        'a.last_name',
        'a.phone_number',
        'a.erased_at',
        sql<number>`case when b.purpose <> '' then 1 else 0 end`.as('has_purpose'),
      ])
      .where('b.provider_no', '=', providerNo)
      // In the words of the index of histories; then those that still take place.
      .where(sql<SqlBool>`b.state in ('confirmed', 'cancelled')`)
      .where('b.state', '=', 'confirmed')
      .where('b.wall_at', '>=', from)
      .where('b.wall_at', '<', to)
      .orderBy('b.wall_at')
      .orderBy('b.no')
      .limit(limit)
      .execute()
  )
}

export type DayRow = Awaited<ReturnType<typeof listDay>>[number]

/** What a booked visit of a provider is for. */
export async function findPurpose(
  db: Db,
  { id, providerNo }: { id: string; providerNo: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('bookings')
    .select('purpose')
    .where('id', '=', id)
    .where('provider_no', '=', providerNo)
    .where('state', 'in', ['confirmed', 'cancelled'])
    .executeTakeFirst()
  return row?.purpose
}
