import type { Database, Db } from '#db/engine.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'

const PROPOSAL_KEY = 'demo_proposal'
const PATIENT = 'patient@demo.example'
const HOUR_MS = 3_600_000

/** The last upcoming visit of the patient people sign in as that nothing has happened to yet. */
function findUnchangedVisit(db: Db, now: number) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .leftJoin('accounts as p', 'p.provider_no', 'b.provider_no')
    .select(['b.no', 'b.provider_no', 'b.start_at', 'b.sequence', 'p.id as provider_id'])
    .where('a.email', '=', PATIENT)
    .where('b.state', '=', 'confirmed')
    .where('b.sequence', '=', 0)
    .where('b.start_at', '>', now)
    .orderBy('b.start_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Its provider proposes the next three free times after it. */
async function writeProposal(db: Db, now: number): Promise<void> {
  const visit = await findUnchangedVisit(db, now)
  if (visit === undefined) return
  const slots = await db
    .selectFrom('slots')
    .select(['start_at', 'place_no'])
    .where('provider_no', '=', visit.provider_no)
    .where('free', '=', 1)
    .where('start_at', '>', visit.start_at)
    .orderBy('start_at')
    .limit(3)
    .execute()
  if (slots.length === 0) return
  const at = now - HOUR_MS
  await db
    .insertInto('visit_changes')
    .values({
      booking_no: visit.no,
      at,
      what: 'proposed',
      by_kind: 'provider',
      by_id: visit.provider_id,
      sequence: visit.sequence,
      from_at: visit.start_at,
      to_at: null,
      reason: null,
      note: 'The clinic closes early that day.',
      refund_minor: null,
      kept_minor: null,
    })
    .execute()
  await db
    .insertInto('visit_proposals')
    .values(slots.map((slot, position) => ({ ...slot, booking_no: visit.no, position, at })))
    .execute()
}

/**
 * A visit whose provider proposes other times, so that the demo shows one. Runs once; returns whether this
 * call wrote it.
 */
export async function seedProposal(database: Database, { now }: { now: number }): Promise<boolean> {
  if ((await readMeta(database.db, PROPOSAL_KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, PROPOSAL_KEY, String(now)))) return false
    await writeProposal(db, now)
    return true
  })
}
