import { DAY_MS } from '#contract/base/time.ts'
import type { Database, Db } from '#db/engine.ts'
import { DEMO_PATIENT, DEMO_PROVIDER, DEMO_US_PROVIDER } from '#db/reference/demo.ts'
import { clocks, dayIn, scheduleOf, slotsOn } from '#demo/practice/schedule.ts'
import { idFrom } from '#demo/random.ts'
import { seedOnce } from '#demo/store.ts'
import { findProvider, type Visited, writeVisit } from './write-visit.ts'

const MOVE_KEY = 'demo_move'

/** The last upcoming visit of the patient people sign in as that nothing has happened to yet. */
function findUnchangedVisit(db: Db, now: number) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .leftJoin('accounts as p', 'p.provider_no', 'b.provider_no')
    .select([
      'b.no',
      'b.provider_no',
      'b.start_at',
      'b.sequence',
      'a.id as patient_id',
      'p.id as provider_id',
    ])
    .where('a.email', '=', DEMO_PATIENT)
    .where('b.state', '=', 'confirmed')
    .where('b.sequence', '=', 0)
    .where('b.start_at', '>', now)
    .orderBy('b.start_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Records that this visit was moved from a week later. */
async function writeMove(db: Db, now: number): Promise<void> {
  const visit = await findUnchangedVisit(db, now)
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
  return seedOnce(database, MOVE_KEY, (db) => writeMove(db, now))
}

const PROPOSAL_KEY = 'demo_proposal'
const HOUR_MS = 3_600_000

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
  return seedOnce(database, PROPOSAL_KEY, (db) => writeProposal(db, now))
}

const FLAGS_KEY = 'demo_flags'
const GUEST = 'caleb.morgan.guest@demo.example'
const DAYS_BACK = 25

/** Which visits are cancelled, by whom, and how many: those of the guest, and those of a provider. */
const CANCELLED = [
  { provider: DEMO_PROVIDER, by: 'patient', count: 4 },
  { provider: DEMO_US_PROVIDER, by: 'provider', count: 3 },
] as const

/** Unused times of the last weeks, latest first. */
async function unusedStarts(db: Db, provider: Visited, now: number): Promise<number[]> {
  const { id, email, consultation_minutes: minutes, time_zone: timeZone } = provider
  const booked = await db
    .selectFrom('bookings')
    .select('start_at')
    .where('provider_no', '=', provider.no)
    .execute()
  const taken = new Set(booked.map((row) => row.start_at))
  const schedule = scheduleOf({ id, email, minutes })
  const today = dayIn(timeZone, now)
  const clockFor = clocks()
  return Array.from({ length: DAYS_BACK }, (_, n) => today - 1 - n).flatMap((day) => {
    const free = slotsOn(schedule, day, clockFor(timeZone, day)).filter(
      ({ startAt }) => !taken.has(startAt),
    )
    return free.slice(0, 1).map(({ startAt }) => startAt)
  })
}

async function writeCancelled(db: Db, now: number): Promise<void> {
  const guest = await db
    .selectFrom('accounts')
    .select('no')
    .where('email', '=', GUEST)
    .executeTakeFirst()
  if (guest === undefined) return
  for (const { provider: email, by, count } of CANCELLED) {
    const provider = await findProvider(db, email)
    if (provider === undefined) continue
    const starts = await unusedStarts(db, provider, now)
    for (const startAt of starts.slice(0, count)) {
      const visit = {
        guest: GUEST,
        startAt,
        bookedAt: startAt - 4 * DAY_MS,
        followUp: null,
        purpose: 'A second opinion on a treatment I was offered',
        method: 'stripe' as const,
        isCancelled: true,
        cancelledBy: by,
      }
      await writeVisit(db, { provider, visit, patientNo: guest.no, now })
    }
  }
}

/**
 * A patient and a provider who cancelled many visits in time, so that the demo's staff see them. Runs once;
 * returns whether this call wrote them.
 */
export async function seedFlags(database: Database, { now }: { now: number }): Promise<boolean> {
  return seedOnce(database, FLAGS_KEY, (db) => writeCancelled(db, now))
}

const OUTCOMES_KEY = 'demo_outcomes'

const CLAIM_TEXT =
  'I was in the waiting room ten minutes early. Nobody called me, and half an hour later reception told me to book again.'

const ANSWER_TEXT =
  'We called the name twice in the waiting room, at the time of the visit and ten minutes later.'

type OutcomeOptions = {
  now: number
  /** Encrypts what a patient writes to staff. */
  seal: (words: string) => string
}

function pastVisits(db: Db, now: number) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .where('p.email', '=', DEMO_PROVIDER)
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

async function contest(db: Db, visit: Visit, { now, seal }: OutcomeOptions): Promise<void> {
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

async function writeOutcomes(db: Db, options: OutcomeOptions): Promise<void> {
  const { now } = options
  const visits = await pastVisits(db, now)
  const mine = visits.find(({ email }) => email === DEMO_PATIENT)
  const [guests, ...seen] = visits.filter(({ email }) => email !== DEMO_PATIENT)
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
export async function seedOutcomes(database: Database, options: OutcomeOptions): Promise<boolean> {
  return seedOnce(database, OUTCOMES_KEY, (db) => writeOutcomes(db, options))
}
