import type { Insertable } from 'kysely'
import { claimLife } from '#contract/life-cycles/claim.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { OutcomeClaimRow } from '#db/tables/booking.ts'

/** Inserts a claim; false when its visit already has one. */
export async function insertClaim(db: Db, row: Insertable<OutcomeClaimRow>): Promise<boolean> {
  const written = await db
    .insertInto('outcome_claims')
    .values(row)
    .onConflict((conflict) => conflict.column('booking_no').doNothing())
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/** The open claim about a visit. */
export function findOpenClaim(db: Db, bookingNo: number) {
  return db
    .selectFrom('outcome_claims')
    .selectAll()
    .where('booking_no', '=', bookingNo)
    .where('state', '=', 'open')
    .executeTakeFirst()
}

type Answer = { words: string; now: Instant; madeAfter: Instant }

/** Stores a provider's answer, once. Returns its claim; undefined when it is too late or already answered. */
export async function setAnswer(
  db: Db,
  bookingNo: number,
  { words, now, madeAfter }: Answer,
): Promise<{ id: string } | undefined> {
  return db
    .updateTable('outcome_claims')
    .set({ answer: words, answered_at: now })
    .where('booking_no', '=', bookingNo)
    .where('state', '=', 'open')
    .where('answer', 'is', null)
    .where('created_at', '>', madeAfter)
    .returning('id')
    .executeTakeFirst()
}

type Decision = Pick<OutcomeClaimRow, 'decided_at' | 'decided_by' | 'note'> & {
  event: 'uphold' | 'reject' | 'settle'
}

/** Closes the open claim of a visit; returns its id, or undefined when there is none. */
export async function closeClaim(
  db: Db,
  bookingNo: number,
  { event, ...decision }: Decision,
): Promise<string | undefined> {
  const row = await db
    .updateTable('outcome_claims')
    .set({ ...decision, state: claimLife.to(event) })
    .where('booking_no', '=', bookingNo)
    .where('state', 'in', claimLife.from(event))
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

function selectClaims(db: Db) {
  return db
    .selectFrom('outcome_claims as c')
    .innerJoin('bookings as b', 'b.no', 'c.booking_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .selectAll('c')
    .select([
      'b.id as visit_id',
      'b.reference',
      'b.region',
      'b.start_at',
      'b.time_zone',
      'b.mode',
      'b.outcome',
      'b.outcome_at',
      'b.paid_by',
      'p.title',
      'p.first_name',
      'p.last_name',
      'p.email as provider_email',
      'a.id as patient_id',
      'a.email as patient_email',
      'a.first_name as patient_first_name',
      'a.last_name as patient_last_name',
      'a.erased_at as patient_erased_at',
    ])
}

export type ClaimRow = NonNullable<Awaited<ReturnType<typeof findClaim>>>

/** A claim with its visit. */
export function findClaim(db: Db, id: string) {
  return selectClaims(db).where('c.id', '=', id).executeTakeFirst()
}

/** Open claims, the oldest first. */
export function listOpenClaims(db: Db, limit: number) {
  return selectClaims(db)
    .where('c.state', '=', 'open')
    .orderBy('c.created_at')
    .orderBy('c.id')
    .limit(limit)
    .execute()
}

export async function countOpenClaims(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('outcome_claims')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether a visit has an open claim. */
export async function hasOpenClaim(db: Db, bookingNo: number): Promise<boolean> {
  const row = await db
    .selectFrom('outcome_claims')
    .select('id')
    .where('booking_no', '=', bookingNo)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return row !== undefined
}

/** The state of the one claim about a visit; undefined while there is none. */
export async function findClaimState(
  db: Db,
  bookingNo: number,
): Promise<OutcomeClaimRow['state'] | undefined> {
  const row = await db
    .selectFrom('outcome_claims')
    .select('state')
    .where('booking_no', '=', bookingNo)
    .executeTakeFirst()
  return row?.state
}

/** Blanks the texts of an erased patient's claims, from either side. */
export async function blankClaimsOf(db: Db, userId: string): Promise<void> {
  const visits = db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select('b.no')
    .where('a.id', '=', userId)
    .where('a.erased_at', 'is not', null)
  await db
    .updateTable('outcome_claims')
    .set((eb) => ({
      words: '',
      note: null,
      answer: eb.case().when('answer', 'is not', null).then('').end(),
    }))
    .where('booking_no', 'in', visits)
    .execute()
}

/** Blanks an erased provider's answers; the patients' texts stay. */
export async function blankAnswersOf(db: Db, userId: string): Promise<void> {
  const visits = db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.provider_no', 'b.provider_no')
    .select('b.no')
    .where('a.id', '=', userId)
    .where('a.erased_at', 'is not', null)
  await db
    .updateTable('outcome_claims')
    .set({ answer: '' })
    .where('answer', 'is not', null)
    .where('booking_no', 'in', visits)
    .execute()
}
