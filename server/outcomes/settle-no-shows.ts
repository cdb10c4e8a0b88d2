import { CONTEST_WITHIN_MS } from '#contract/outcomes.ts'
import { retainedOfNoShow } from '#server/booking/outcome-rules.ts'
import { type Context, type Services, systemContext, type Tx } from '#server/context.ts'
import { enqueueVisitRefund, lockMoney } from '#server/payments/refunds/visit-money.ts'
import { type DueNoShow, getPaidBy, hasOpenClaim, listDueNoShows, lockBooking } from './store.ts'

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
  let after: DueNoShow | null = null
  for (;;) {
    // Each page begins where the previous one ended, and its transactions are short.
    // oxlint-disable-next-line no-await-in-loop
    const list = () => listDueNoShows(database.db, { markedBefore, after, limit: PAGE })
    const page: DueNoShow[] = await background.run(list, signal)
    for (const due of page) {
      if (signal?.aborted) return
      // oxlint-disable-next-line no-await-in-loop
      await ctx.transaction((tx) => settleNoShow(ctx, tx, due))
    }
    after = page.at(-1) ?? null
    if (page.length < PAGE) return
  }
}
