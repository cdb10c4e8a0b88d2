import type { Database, Db } from '#db/engine.ts'
import { idFrom } from '#demo/ids.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'

const OUTCOMES_KEY = 'demo_outcomes'
const PATIENT = 'patient@demo.example'
const PROVIDER = 'provider@demo.example'
const DAY_MS = 86_400_000

const CLAIM_TEXT =
  'I was in the waiting room ten minutes early. Nobody called me, and half an hour later reception told me to book again.'

const ANSWER_TEXT =
  'We called the name twice in the waiting room, at the time of the visit and ten minutes later.'

type Options = {
  now: number
  /** Encrypts what a patient writes to staff. */
  seal: (words: string) => string
}

function pastVisits(db: Db, now: number) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .where('p.email', '=', PROVIDER)
    .where('b.state', '=', 'confirmed')
    .where('b.end_at', '<', now)
    .where('b.outcome', 'is', null)
    .select(['b.no', 'b.start_at', 'b.end_at', 'a.email'])
    .orderBy('b.start_at', 'desc')
    .orderBy('b.no')
    .limit(30)
    .execute()
}

type Visit = Awaited<ReturnType<typeof pastVisits>>[number]

async function markNoShow(db: Db, visit: Visit, at: number): Promise<void> {
  await db
    .updateTable('bookings')
    .set({ outcome: 'no_show', outcome_at: at })
    .where('no', '=', visit.no)
    .execute()
}

async function contest(db: Db, visit: Visit, { now, seal }: Options): Promise<void> {
  await db
    .insertInto('outcome_claims')
    .values({
      id: idFrom('clm', `visit ${visit.no}`),
      booking_no: visit.no,
      says: 'was_there',
      words: seal(CLAIM_TEXT),
      state: 'open',
      created_at: now - DAY_MS / 2,
      answer: seal(ANSWER_TEXT),
      answered_at: now - DAY_MS / 4,
      decided_at: null,
      decided_by: null,
      note: null,
    })
    .execute()
}

async function writeOutcomes(db: Db, options: Options): Promise<void> {
  const { now } = options
  const visits = await pastVisits(db, now)
  const mine = visits.find(({ email }) => email === PATIENT)
  const [guests, ...seen] = visits.filter(({ email }) => email !== PATIENT)
  if (mine !== undefined) await markNoShow(db, mine, now - DAY_MS / 4)
  if (guests !== undefined) {
    await markNoShow(db, guests, now - DAY_MS)
    await contest(db, guests, options)
  }
  for (const visit of seen) {
    await db
      .updateTable('bookings')
      .set({ outcome: 'completed', outcome_at: visit.end_at, arrived_at: visit.start_at })
      .where('no', '=', visit.no)
      .execute()
  }
}

/**
 * Outcomes of the demo provider's latest visits: most took place, the patient people sign in as missed one
 * and can contest it, and a guest has contested another. Runs once; returns whether this call wrote them.
 */
export async function seedOutcomes(database: Database, options: Options): Promise<boolean> {
  if ((await readMeta(database.db, OUTCOMES_KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, OUTCOMES_KEY, String(options.now)))) return false
    await writeOutcomes(db, options)
    return true
  })
}
