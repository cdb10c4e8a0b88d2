import { DAY_MS } from '#contract/base/time.ts'
import { MARK_WITHIN_MS } from '#contract/outcomes.ts'
import { REFILLED_WITHIN_MS } from '#contract/visits.ts'
import { recordRefilled } from '#server/booking/visits/cancel-booking.ts'
import { type Context, type Services, systemContext, type Tx } from '#server/context.ts'
import { rowsInPages } from '#server/kernel/limits/semaphore.ts'
import { enqueueVisitRefund, lockMoney } from '#server/payments/refunds/refund.ts'
import { feeToReturn } from './rules.ts'
import { findRefilled, listRefilled, type Refilled } from './store.ts'

/** Visits in one page. */
const PAGE = 200

/** No dispute takes longer; the fees of older visits are kept. */
const LOOKBACK_MS = 180 * DAY_MS

/** The current limits: providers can correct outcomes for a while after the end. */
function refillWindow(ctx: Context) {
  return { endedBefore: ctx.now() - MARK_WITHIN_MS, within: REFILLED_WITHIN_MS }
}

async function returnLateFee(ctx: Context, tx: Tx, { no, paid_by: paymentNo }: Refilled) {
  if (paymentNo === null) throw new Error('A booked visit is not paid for.')
  const money = await lockMoney(ctx, tx, paymentNo)
  // Re-read under the lock: a concurrent run has recorded its refund by now.
  const visit = await findRefilled(tx.db, no, refillWindow(ctx))
  if (visit === undefined) return
  const minor = feeToReturn(visit.kept_minor ?? 0, money)
  const { payment, left } = money
  await enqueueVisitRefund(ctx, tx, {
    payment,
    reason: 'refilled',
    amount: { ...left, minor },
    actorId: null,
  })
  await recordRefilled(ctx, tx, { visit, refundMinor: minor, keptMinor: left.minor - minor })
}

/**
 * Refunds late cancellation fees where another visit took place at the same time with the same provider: the fee covers
 * the loss of the time and is not a penalty. Once per visit, after the 48 hours in which the outcome can be corrected;
 * the refund email gives the reason.
 */
export async function returnLateFees(services: Services, signal?: AbortSignal): Promise<void> {
  const { database, now, background } = services
  const ctx = systemContext(services, 'return-late-fees')
  const list = (after: Refilled | null) =>
    listRefilled(database.db, {
      ...refillWindow(ctx),
      endedAfter: now() - LOOKBACK_MS,
      after,
      limit: PAGE,
    })
  for await (const one of rowsInPages(background, { size: PAGE, list }, signal)) {
    await ctx.transaction((tx) => returnLateFee(ctx, tx, one))
  }
}
