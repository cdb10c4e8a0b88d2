import type { Insertable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { VisitJoinRow } from '#db/tables/booking.ts'

function selectBooked(db: Db) {
  return (
    db
      .selectFrom('bookings as b')
      .innerJoin('payments as y', 'y.no', 'b.paid_by')
      .innerJoin('providers as p', 'p.no', 'b.provider_no')
      .innerJoin('accounts as a', 'a.no', 'b.patient_no')
      .innerJoin('places as l', 'l.no', 'b.place_no')
      .leftJoin('visit_types as t', 't.no', 'b.type_no')
      // Where its only place was removed, a visit may move to any other.
      .leftJoin('places as k', (join) =>
        join.onRef('k.no', '=', 't.place_no').on('k.removed_at', 'is', null),
      )
      .selectAll('b')
      .select([
        'y.no as payment_no',
        'p.id as provider_id',
        'a.id as patient_id',
        'l.name as place_name',
        't.id as type_id',
        'k.no as type_place_no',
      ])
      .$narrowType<{ patient_no: number }>()
      .where('b.state', 'in', ['confirmed', 'cancelled'])
  )
}

export type BookedRow = NonNullable<Awaited<ReturnType<typeof findOfPatient>>>

/** A patient's paid visit by its id. */
export function findOfPatient(db: Db, id: string, patientNo: number) {
  return selectBooked(db)
    .where('b.id', '=', id)
    .where('b.patient_no', '=', patientNo)
    .executeTakeFirst()
}

/** A provider's paid visit by its id. */
export function findOfProvider(db: Db, id: string, providerNo: number) {
  return selectBooked(db)
    .where('b.id', '=', id)
    .where('b.provider_no', '=', providerNo)
    .executeTakeFirst()
}

/** Booked visits of a provider that have not begun, earliest first, with patient and place. */
export function listUpcoming(db: Db, providerNo: number, now: Instant) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('payments as y', 'y.no', 'b.paid_by')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .select([
      'b.id',
      'b.start_at',
      'b.end_at',
      'b.time_zone',
      'b.place_no',
      'b.sequence',
      'y.no as payment_no',
      'l.id as place_id',
      'a.first_name',
      'a.last_name',
    ])
    .where('b.provider_no', '=', providerNo)
    .where('b.state', '=', 'confirmed')
    .where('b.start_at', '>', now)
    .orderBy('b.start_at')
    .execute()
}

/** A paid visit by its id. No ownership check: the caller authorizes. */
export function findBooked(db: Db, id: string) {
  return selectBooked(db).where('b.id', '=', id).executeTakeFirst()
}

/** Locks a visit until the transaction ends. Lock order: after its payment. */
export async function lockBooked(db: Db, no: number): Promise<void> {
  // An update locks the row on both engines.
  await db
    .updateTable('bookings')
    .set((eb) => ({ renewed: eb.ref('renewed') }))
    .where('no', '=', no)
    .execute()
}

/** The party a visit has to belong to. */
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

/** The room of a visit: the existing one, else `room`, which is stored. The first of two calls wins. */
export async function ensureRoom(db: Db, bookingNo: number, room: string): Promise<string> {
  const { video_room: stored } = await db
    .updateTable('bookings')
    .set((eb) => ({ video_room: eb.fn.coalesce('video_room', eb.val(room)) }))
    .where('no', '=', bookingNo)
    .returning('video_room')
    .executeTakeFirstOrThrow()
  return stored ?? room
}

/** Records a join permanently. */
export async function insertJoin(db: Db, join: Insertable<VisitJoinRow>): Promise<void> {
  await db.insertInto('visit_joins').values(join).execute()
}
