import type { Mark, MarkInput, Marking } from '#contract/outcomes.ts'
import { MARK_WITHIN_MS } from '#contract/outcomes.ts'
import { markedAs, markingOf, whyNotMark } from '#server/booking/outcome-rules.ts'
import type { Context, Services, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  enqueueVisitRefund,
  lockMoney,
  type VisitMoney,
} from '#server/payments/refunds/visit-money.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import {
  closeClaim,
  completeUnmarked,
  findBooked,
  findClaimState,
  hasCorrection,
  lockBooking,
  setMarked,
} from './store.ts'

type NewMark = { bookingNo: number; mark: Mark; money: VisitMoney; by: string }

/**
 * Writes a visit's outcome, in a transaction that has locked its payment. A visit not held is refunded in the
 * same transaction. The caller has checked the rules.
 */
export async function writeMark(ctx: Context, tx: Tx, marked: NewMark): Promise<void> {
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
export function assertRefund(money: VisitMoney, shown: number | undefined): void {
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
export async function markVisit(ctx: SignedIn, input: MarkInput): Promise<Marking> {
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
    if (mark === 'no_show') await tx.outbox.add('outcome.no_show', { bookingId: id })
    else {
      const decision = {
        state: 'settled' as const,
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
