import type { DescribeInput, Hold } from '#contract/booking.ts'
import { errorMessage } from '#contract/sentences.ts'
import { toIso } from '#contract/time.ts'
import type { Db } from '#db/engine.ts'
import { hasVerifiedCode } from '#server/auth/codes/check-code.ts'
import { assertLicensed, assertOffered, offeredModes } from '#server/booking/mode-rules.ts'
import {
  followUpBasis,
  isActiveHold,
  priceOf,
  whyNotActive,
  whyNotRenew,
} from '#server/booking/rules.ts'
import {
  type Choices,
  findCapturingOrder,
  findOwn,
  hasLivePayment,
  hasVisited,
  updateChoices,
} from '#server/booking/store.ts'
import { factsOf } from '#server/booking/visits/read-visit.ts'
import { findOwnVisit, listActiveHolds, type VisitRow } from '#server/booking/visits/visit-store.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { licensedStates } from '#server/profiles/video-offer.ts'

async function isVerified(ctx: SignedIn, db: Db, row: VisitRow): Promise<boolean> {
  if (row.code_at !== null) return true
  const { patient_no: accountNo, id: object } = row
  return hasVerifiedCode(db, { accountNo, purpose: 'booking', object, now: ctx.now() })
}

function stateOf(row: VisitRow, now: number): Hold['state'] {
  if (isActiveHold(row, now)) return 'held'
  return row.state === 'confirmed' || row.state === 'cancelled' ? 'confirmed' : 'released'
}

async function holdOf(ctx: SignedIn, db: Db, row: VisitRow): Promise<Hold> {
  const now = ctx.now()
  const who = { patientNo: row.patient_no, providerNo: row.provider_no }
  const basis = followUpBasis(row.follow_up_policy, await hasVisited(db, who, now))
  return {
    ...factsOf(row, now),
    state: stateOf(row, now),
    holdUntil: toIso(row.hold_until),
    canRenew: whyNotRenew(row, now) === null,
    fees: { first_visit: priceOf(row, 'first_visit'), follow_up: priceOf(row, 'follow_up') },
    modes: offeredModes(row),
    licensedStates: row.region === 'usa' ? await licensedStates(db, row.provider_no) : [],
    patientState: row.patient_state,
    followUpRefusal: basis === null ? errorMessage('follow_up_refused') : null,
    typeOfVisit: row.visit_type,
    paymentMethod: row.payment_method,
    purposeForVisit: row.purpose,
    isCodeVerified: await isVerified(ctx, db, row),
    movingOrder: await findCapturingOrder(db, row.id),
  }
}

/** One of the viewer's holds, in any state; somebody else's is `not_found`. */
export function readHold(ctx: SignedIn, { holdId }: { holdId: string }): Promise<Hold> {
  return readHoldIn(ctx, ctx.database.db, holdId)
}

/** Reads a hold within the transaction that has just written it. */
export async function readHoldIn(ctx: SignedIn, db: Db, holdId: string): Promise<Hold> {
  const row = await findOwnVisit(db, holdId, ctx.session.accountNo)
  if (row === undefined) throw new AppError('not_found')
  return holdOf(ctx, db, row)
}

/** The viewer's active holds. */
export async function listHolds(ctx: SignedIn): Promise<Hold[]> {
  const { db } = ctx.database
  const rows = await listActiveHolds(db, ctx.session.accountNo, ctx.now())
  return Promise.all(rows.map((row) => holdOf(ctx, db, row)))
}

type Booking = NonNullable<Awaited<ReturnType<typeof findOwn>>>

/** Why the follow-up fee is granted; null for a first visit. Throws `follow_up_refused`. */
export async function grantType(
  tx: Tx,
  booking: Booking,
  wanted: { type: Booking['visit_type']; now: number },
): Promise<Booking['follow_up_basis']> {
  if (wanted.type === 'first_visit') return null
  const who = { patientNo: booking.patient_no, providerNo: booking.provider_no }
  const hasBeenHere = await hasVisited(tx.db, who, wanted.now)
  const basis = followUpBasis(booking.follow_up_policy, hasBeenHere)
  if (basis === null) throw new AppError('follow_up_refused')
  return basis
}

async function choicesOf(
  ctx: SignedIn,
  tx: Tx,
  context: { booking: Booking; input: DescribeInput },
) {
  const { booking, input } = context
  const { typeOfVisit: type, paymentMethod: method, purposeForVisit: purpose } = input
  const { mode, patientState: state } = input
  const changesTerms =
    (type ?? booking.visit_type) !== booking.visit_type ||
    (mode ?? booking.mode) !== booking.mode ||
    (state ?? booking.patient_state) !== booking.patient_state ||
    (method ?? booking.payment_method) !== booking.payment_method
  // The running payment was agreed on other terms, and has to be cancelled first.
  if (changesTerms && (await hasLivePayment(tx.db, booking.no))) throw new AppError('payment_busy')
  const choices: Choices = {}
  if (mode !== undefined) {
    assertOffered(booking, mode)
    choices.mode = mode
  }
  if (state !== undefined) {
    assertLicensed(await licensedStates(tx.db, booking.provider_no), state)
    choices.patient_state = state
  }
  if (type !== undefined) {
    choices.visit_type = type
    choices.follow_up_basis = await grantType(tx, booking, { type, now: ctx.now() })
  }
  if (method !== undefined) choices.payment_method = method
  if (purpose !== undefined) choices.purpose = purpose
  return choices
}

/** Saves what was entered at the checkout, so that a reload or another tab loses nothing. */
export async function describeHold(ctx: SignedIn, input: DescribeInput): Promise<Hold> {
  const { holdId } = input
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const booking = await findOwn(tx.db, holdId, ctx.session.accountNo)
    if (booking === undefined) throw new AppError('not_found')
    const refusal = whyNotActive(booking, now)
    if (refusal !== null) throw new AppError(refusal)
    const choices = await choicesOf(ctx, tx, { booking, input })
    if (Object.keys(choices).length === 0) return
    const isWritten = await updateChoices(tx.db, booking.no, { choices, now })
    if (!isWritten) throw new AppError('hold_expired')
    // Audits which fields were set, never their values: the purpose is confidential.
    await tx.audit.add({
      action: 'booking.described',
      entity: holdId,
      details: { fields: Object.keys(choices).join(' ') },
    })
  })
  return readHold(ctx, { holdId })
}
