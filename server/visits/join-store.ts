import type { Insertable } from 'kysely'
import type { Db } from '#db/engine.ts'
import type { VisitJoinRow } from '#db/tables/booking.ts'

/** Whose visit it has to be. */
export type Party = { patientNo: number } | { providerNo: number }

/** A booked visit with its provider's own video room, only if it is this party's. */
export function findToJoin(db: Db, id: string, party: Party) {
  const found = db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .select([
      'b.no',
      'b.id',
      'b.state',
      'b.mode',
      'b.region',
      'b.start_at',
      'b.end_at',
      'b.time_zone',
      'b.video_room',
      'p.video_link',
    ])
    .where('b.id', '=', id)
    .where('b.state', 'in', ['confirmed', 'cancelled'])
  const ofParty =
    'patientNo' in party
      ? found.where('b.patient_no', '=', party.patientNo)
      : found.where('b.provider_no', '=', party.providerNo)
  return ofParty.executeTakeFirst()
}

export type JoinRow = NonNullable<Awaited<ReturnType<typeof findToJoin>>>

/** The room of a visit: the one it has, or from now on this one, whoever of two asks first. */
export async function keepRoom(db: Db, bookingNo: number, room: string): Promise<string> {
  const { video_room: kept } = await db
    .updateTable('bookings')
    .set((eb) => ({ video_room: eb.fn.coalesce('video_room', eb.val(room)) }))
    .where('no', '=', bookingNo)
    .returning('video_room')
    .executeTakeFirstOrThrow()
  return kept ?? room
}

/** Notes that somebody joined, for good. */
export async function insertJoin(db: Db, join: Insertable<VisitJoinRow>): Promise<void> {
  await db.insertInto('visit_joins').values(join).execute()
}
