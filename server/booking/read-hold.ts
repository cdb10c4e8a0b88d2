import type { Hold } from '#contract/booking.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { toIso } from '#contract/time.ts'
import type { Db } from '#db/engine.ts'
import { hasVerifiedCode } from '#server/auth/has-verified-code.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { followUpBasis, isKept, priceOf, whyNotRenew } from './rules.ts'
import { findMovingOrder, hasVisited } from './store.ts'
import { factsOf } from './visit-facts.ts'
import { findOwnVisit, listKept, type VisitRow } from './visit-store.ts'

async function isVerified(ctx: SignedIn, db: Db, row: VisitRow): Promise<boolean> {
  if (row.code_at !== null) return true
  const { patient_no: accountNo, id: object } = row
  return hasVerifiedCode(db, { accountNo, purpose: 'booking', object, now: ctx.now() })
}

function stateOf(row: VisitRow, now: number): Hold['state'] {
  if (isKept(row, now)) return 'held'
  return row.state === 'confirmed' || row.state === 'cancelled' ? 'confirmed' : 'released'
}

async function holdOf(ctx: SignedIn, db: Db, row: VisitRow): Promise<Hold> {
  const now = ctx.now()
  const who = { patientNo: row.patient_no, providerNo: row.provider_no }
  const basis = followUpBasis(row.follow_up_policy, await hasVisited(db, who, now))
  return {
    ...factsOf(row),
    state: stateOf(row, now),
    holdUntil: toIso(row.hold_until),
    canRenew: whyNotRenew(row, now) === null,
    fees: { first_visit: priceOf(row, 'first_visit'), follow_up: priceOf(row, 'follow_up') },
    followUpRefusal: basis === null ? sentenceFor('follow_up_refused') : null,
    typeOfVisit: row.visit_type,
    paymentMethod: row.payment_method,
    purposeForVisit: row.purpose,
    isCodeVerified: await isVerified(ctx, db, row),
    movingOrder: await findMovingOrder(db, row.id),
  }
}

/** A time kept for the viewer, or what became of it; somebody else's is `not_found`. */
export function readHold(ctx: SignedIn, { holdId }: { holdId: string }): Promise<Hold> {
  return readHoldIn(ctx, ctx.database.db, holdId)
}

/** The same within a transaction, which has just written it. */
export async function readHoldIn(ctx: SignedIn, db: Db, holdId: string): Promise<Hold> {
  const row = await findOwnVisit(db, holdId, ctx.session.accountNo)
  if (row === undefined) throw new AppError('not_found')
  return holdOf(ctx, db, row)
}

/** Everything kept for the viewer at this moment. */
export async function listHolds(ctx: SignedIn): Promise<Hold[]> {
  const { db } = ctx.database
  const rows = await listKept(db, ctx.session.accountNo, ctx.now())
  return Promise.all(rows.map((row) => holdOf(ctx, db, row)))
}
