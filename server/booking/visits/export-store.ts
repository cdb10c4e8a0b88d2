import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

/** The zone of a provider's main place. */
export async function findMainZone(db: Db, providerNo: number): Promise<string | null> {
  const row = await db
    .selectFrom('places')
    .select('time_zone')
    .where('provider_no', '=', providerNo)
    .where('position', '=', 0)
    .executeTakeFirst()
  return row?.time_zone ?? null
}

type Between = {
  providerNo: number
  from: Instant
  until: Instant
  /** The last one that was read. */
  after: { start_at: Instant; no: number } | null
  limit: number
}

/** A provider's visits, booked and cancelled, earliest first; those of erased people without them. */
export function listVisitsBetween(db: Db, { providerNo, from, until, after, limit }: Between) {
  let found = db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .selectAll('b')
    .select([
      'l.name as place_name',
      'a.first_name',
      'a.last_name',
      'a.erased_at as patient_erased_at',
    ])
    .where('b.provider_no', '=', providerNo)
    .where('b.confirmed_at', 'is not', null)
    .where('b.state', 'in', ['confirmed', 'cancelled'])
    .where('b.start_at', '>=', from)
    .where('b.start_at', '<', until)
  if (after !== null) {
    found = found.where((eb) =>
      eb.or([
        eb('b.start_at', '>', after.start_at),
        eb.and([eb('b.start_at', '=', after.start_at), eb('b.no', '>', after.no)]),
      ]),
    )
  }
  return found.orderBy('b.start_at').orderBy('b.no').limit(limit).execute()
}

export type ExportedVisit = Awaited<ReturnType<typeof listVisitsBetween>>[number]
