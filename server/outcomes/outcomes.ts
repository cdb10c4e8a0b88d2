import type { Done } from '#contract/base/done.ts'
import type { VisitRef } from '#contract/booking.ts'
import {
  CONTEST_WITHIN_MS,
  type CorrectOutcomeInput,
  MARK_WITHIN_MS,
  type Mark,
  type MarkInput,
  type Marking,
  Outcome,
  type StaffMarking,
} from '#contract/outcomes.ts'
import { markedAs, markingOf, retainedOfNoShow, whyNotMark } from '#server/booking/outcome-rules.ts'
import { recordCorrected } from '#server/booking/visits/cancel-booking.ts'
import { patientMailbox } from '#server/booking/visits/move-booking.ts'
import {
  type AsProvider,
  type AsStaff,
  type Context,
  type Services,
  systemContext,
  type Tx,
} from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { rowsInPages } from '#server/kernel/limits/semaphore.ts'
import {
  assertMayRefund,
  enqueueVisitRefund,
  lockMoney,
  readMoney,
  type VisitMoney,
} from '#server/payments/refunds/refund.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { closeClaim, findClaimState, hasOpenClaim } from './claims-store.ts'
import {
  completeUnmarked,
  type DueNoShow,
  findAnyBooked,
  findBooked,
  getPaidBy,
  hasCorrection,
  listDueNoShows,
  lockBooking,
  setMarked,
} from './store.ts'

type NewMark = { bookingNo: number; mark: Mark; money: VisitMoney; by: string }

/**
 * Writes a visit's outcome, in a transaction that has locked its payment. A visit not held is refunded in the
 * same transaction. The caller has checked the rules.
 */
async function writeMark(ctx: Context, tx: Tx, marked: NewMark): Promise<void> {
  const { bookingNo, mark, money, by } = marked
  const visit = await lockBooking(tx.db, bookingNo)
  await setMarked(tx.db, bookingNo, markedAs(visit, mark, ctx.now()))
  if (mark === 'not_held') {
    const { payment, left: amount } = money
    await enqueueVisitRefund(ctx, tx, { payment, reason: 'not_held', amount, actorId: by })
  }
  await tx.audit.add({ action: 'visit.marked', entity: visit.id, details: { mark } })
}

/** Throws unless the amount shown is what would be refunded. */
function assertRefund(money: VisitMoney, shown: number | undefined): void {
  if (shown !== money.left.minor) throw new AppError('outcome_refund_changed')
}

/**
 * Throws `outcome_closed` for a mark that would overrule staff, and for a second no-show: its patient has used
 * their one claim and could not contest it again.
 */
async function assertUndecided(tx: Tx, bookingNo: number, mark: Mark): Promise<void> {
  const claim = await findClaimState(tx.db, bookingNo)
  const isDecided = claim === 'upheld' || claim === 'rejected'
  const isAgain = claim === 'settled' && mark === 'no_show'
  if (isDecided || isAgain || (await hasCorrection(tx.db, bookingNo))) {
    throw new AppError('outcome_closed')
  }
}

/**
 * The viewer, a provider, marks one of their visits, or takes the mark back. Absent patients are emailed and
 * may contest it; a visit not held is refunded. Repeating a mark changes nothing, and staff have the last word.
 */
export async function markVisit(ctx: AsProvider, input: MarkInput): Promise<Marking> {
  const { id, mark } = input
  return ctx.transaction(async (tx) => {
    const { no: providerNo } = await ownProvider(ctx, tx.db)
    const found = await findBooked(tx.db, id, { providerNo })
    if (found === undefined) throw new AppError('not_found')
    if (found.paid_by === null) throw new Error('A booked visit is not paid for.')
    // Lock order: the payment before the booking.
    const money = await lockMoney(ctx, tx, found.paid_by)
    const visit = await lockBooking(tx.db, found.no)
    const isSame = mark !== 'none' && mark !== 'arrived' && visit.outcome === mark
    if (isSame) return markingOf(visit, ctx.now())
    const refusal = whyNotMark(visit, mark, { now: ctx.now(), by: 'provider' })
    if (refusal !== null) throw new AppError(refusal)
    await assertUndecided(tx, found.no, mark)
    if (mark === 'not_held') assertRefund(money, input.refund)
    const by = ctx.session.userId
    await writeMark(ctx, tx, { bookingNo: found.no, mark, money, by })
    const to = patientMailbox(visit)
    if (mark === 'no_show') await tx.outbox.add('outcome.no_show', { bookingId: id }, { to })
    else {
      const decision = {
        event: 'settle' as const,
        decided_at: ctx.now(),
        decided_by: by,
        note: null,
      }
      const claimId = await closeClaim(tx.db, found.no, decision)
      if (claimId !== undefined) await tx.outbox.add('claim.decided', { claimId })
    }
    return markingOf({ ...visit, ...markedAs(visit, mark, ctx.now()) }, ctx.now())
  })
}

/** Visits completed in one statement. */
const BATCH = 500

/** Completes visits that their providers have not marked within 48 hours after the end. */
export async function completeVisits(
  { database, now, background }: Services,
  signal?: AbortSignal,
): Promise<void> {
  const batch = () =>
    completeUnmarked(database.db, { now: now(), after: MARK_WITHIN_MS, limit: BATCH })
  await background.drain(BATCH, batch, signal)
}

/** A visit's outcome, and what staff may correct it to; nothing while its patient contests it. */
export async function readStaffMarking(ctx: AsStaff, { id }: VisitRef): Promise<StaffMarking> {
  const { db } = ctx.database
  const visit = await findAnyBooked(db, id)
  if (visit === undefined) throw new AppError('not_found')
  if (visit.paid_by === null) throw new Error('A booked visit is not paid for.')
  const isContested = await hasOpenClaim(db, visit.no)
  const may = (outcome: Outcome) =>
    outcome !== visit.outcome &&
    whyNotMark(visit, outcome, { now: ctx.now(), by: 'staff' }) === null
  return {
    outcome: visit.outcome,
    can: isContested ? [] : Outcome.options.filter(may),
    refundable: (await readMoney(db, visit.paid_by)).left,
  }
}

type StaffMark = {
  visit: Awaited<ReturnType<typeof lockBooking>>
  outcome: Outcome
  money: VisitMoney
  /** The amount shown, in minor units. */
  refund: number | undefined
}

/**
 * Writes the outcome that staff have decided on. Throws the code of `whyNotMark`, and for a visit not held
 * where the refund has changed or is above the viewer's limit.
 */
export async function writeStaffMark(ctx: AsStaff, tx: Tx, decided: StaffMark): Promise<void> {
  const { visit, outcome: mark, money, refund } = decided
  const refusal = whyNotMark(visit, mark, { now: ctx.now(), by: 'staff' })
  if (refusal !== null) throw new AppError(refusal)
  if (mark === 'not_held') {
    assertRefund(money, refund)
    await assertMayRefund(ctx, tx, { more: money.left, refunds: money.refunds })
  }
  await writeMark(ctx, tx, { bookingNo: visit.no, mark, money, by: ctx.viewer.id })
}

/**
 * Staff correct a visit's outcome, with a reason that is recorded. A visit not held is refunded, within the
 * refund limit; a patient marked as absent is emailed and can contest it. Throws `outcome_contested` while a
 * claim is open, which is decided instead.
 */
export async function correctOutcome(ctx: AsStaff, input: CorrectOutcomeInput): Promise<Done> {
  const { id, outcome, reason } = input
  const found = await findAnyBooked(ctx.database.db, id)
  if (found === undefined) throw new AppError('not_found')
  const { no: bookingNo, paid_by: paymentNo } = found
  if (paymentNo === null) throw new Error('A booked visit is not paid for.')
  await ctx.transaction(async (tx) => {
    const money = await lockMoney(ctx, tx, paymentNo)
    const visit = await lockBooking(tx.db, bookingNo)
    if (await hasOpenClaim(tx.db, bookingNo)) throw new AppError('outcome_contested')
    if (visit.outcome === outcome) return
    await writeStaffMark(ctx, tx, { visit, outcome, money, refund: input.refund })
    await recordCorrected(ctx, tx, { visit, by: ctx.viewer.id, outcome, why: reason })
    const to = patientMailbox(visit)
    if (outcome === 'no_show') await tx.outbox.add('outcome.no_show', { bookingId: id }, { to })
  })
  return { status: true }
}

/** No-shows in one page. */
const PAGE = 200

async function settleNoShow(
  ctx: Context,
  tx: Tx,
  { no, outcome_at: at }: DueNoShow,
): Promise<void> {
  // Lock order: the payment before the booking.
  const money = await lockMoney(ctx, tx, await getPaidBy(tx.db, no))
  const visit = await lockBooking(tx.db, no)
  const isStillDue = visit.outcome === 'no_show' && visit.outcome_at === at
  if (!isStillDue || (await hasOpenClaim(tx.db, no))) return
  const { payment, left } = money
  const amount = { ...left, minor: left.minor - retainedOfNoShow(visit, left.minor) }
  await enqueueVisitRefund(ctx, tx, { payment, reason: 'no_show', amount, actorId: null })
}

/**
 * Refunds patients who missed a visit what their provider's policy does not keep, after the seven days to
 * contest and unless a claim is open: until then a mistaken mark can be undone without reversing a refund.
 */
export async function settleNoShows(services: Services, signal?: AbortSignal): Promise<void> {
  const { database, now, background } = services
  const ctx = systemContext(services, 'settle-no-shows')
  const markedBefore = now() - CONTEST_WITHIN_MS
  const list = (after: DueNoShow | null) =>
    listDueNoShows(database.db, { markedBefore, after, limit: PAGE })
  for await (const due of rowsInPages(background, { size: PAGE, list }, signal)) {
    await ctx.transaction((tx) => settleNoShow(ctx, tx, due))
  }
}
