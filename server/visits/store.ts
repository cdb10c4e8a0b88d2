import type { Db } from '#db/engine.ts'

function selectBooked(db: Db) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('payments as y', 'y.no', 'b.paid_by')
    .selectAll('b')
    .select('y.no as payment_no')
    .where('b.state', 'in', ['confirmed', 'cancelled'])
}

export type BookedRow = NonNullable<Awaited<ReturnType<typeof findBooked>>>

/** A visit that was paid for, by its id; whose it is the caller asks. */
export function findBooked(db: Db, id: string) {
  return selectBooked(db).where('b.id', '=', id).executeTakeFirst()
}

/** The same, only if it is this patient's. */
export function findOfPatient(db: Db, id: string, patientNo: number) {
  return selectBooked(db)
    .where('b.id', '=', id)
    .where('b.patient_no', '=', patientNo)
    .executeTakeFirst()
}
