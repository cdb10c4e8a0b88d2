import type { Database, Db } from '#db/engine.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'

const MOVE_KEY = 'demo_move'
const PATIENT = 'patient@demo.example'
const DAY_MS = 86_400_000

/** Records that the last upcoming visit of the patient people sign in as was moved from a week later. */
async function writeMove(db: Db, now: number): Promise<void> {
  const visit = await db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select(['b.no', 'b.start_at', 'a.id as patient_id'])
    .where('a.email', '=', PATIENT)
    .where('b.state', '=', 'confirmed')
    .where('b.sequence', '=', 0)
    .where('b.start_at', '>', now)
    .orderBy('b.start_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (visit === undefined) return
  const at = now - DAY_MS / 4
  await db
    .insertInto('visit_changes')
    .values({
      booking_no: visit.no,
      at,
      what: 'moved',
      by_kind: 'patient',
      by_id: visit.patient_id,
      sequence: 1,
      from_at: visit.start_at + 7 * DAY_MS,
      to_at: visit.start_at,
      reason: null,
      note: null,
      refund_minor: null,
      kept_minor: null,
    })
    .execute()
  await db
    .updateTable('bookings')
    .set({ sequence: 1, changed_at: at })
    .where('no', '=', visit.no)
    .execute()
}

/**
 * A visit that was moved, so that the demo shows how that looks. Runs once; returns whether this call wrote
 * it.
 */
export async function seedMove(database: Database, { now }: { now: number }): Promise<boolean> {
  if ((await readMeta(database.db, MOVE_KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, MOVE_KEY, String(now)))) return false
    await writeMove(db, now)
    return true
  })
}
