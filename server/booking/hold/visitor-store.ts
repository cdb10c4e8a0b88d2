import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

type OfVisitor = { no: number; visitor: string; now: Instant }
type Owner = {
  patientNo: number
  purpose: string
  /** They have paid for a visit before: their holds are not counted by network. */
  isKnown: boolean
}

/**
 * Gives a visitor's hold to a patient, while it is kept and still the visitor's. Returns the network it
 * was held from, keyed; undefined when it was not theirs any more.
 */
export async function setPatient(
  db: Db,
  { no, visitor, now }: OfVisitor,
  { patientNo, purpose, isKnown }: Owner,
): Promise<string | null | undefined> {
  const held = await db
    .updateTable('bookings')
    .set({ patient_no: patientNo, visitor: null, purpose })
    .where('no', '=', no)
    .where('visitor', '=', visitor)
    .where('state', '=', 'held')
    .where('hold_until', '>', now)
    .returning('held_from')
    .executeTakeFirst()
  if (held !== undefined && isKnown) {
    await db.updateTable('bookings').set({ held_from: null }).where('no', '=', no).execute()
  }
  return held?.held_from
}

/**
 * Ends what a visitor keeps, at this instant: whoever looks at the time next gives it back. Returns
 * when and with whom it was; undefined when they kept nothing.
 */
export function endOfVisitor(db: Db, { visitor, now }: Omit<OfVisitor, 'no'>) {
  return db
    .updateTable('bookings')
    .set({ visitor: null, hold_until: now })
    .where('visitor', '=', visitor)
    .where('state', '=', 'held')
    .returning(['provider_no', 'start_at', 'end_at'])
    .executeTakeFirst()
}
