import type { Money } from '#contract/money.ts'
import { cancelBooking } from '#server/booking/visits/cancel-booking.ts'
import type { Services, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Secrets } from '#server/kernel/security/secrets.ts'
import { blankEventsOf } from '#server/payments/events/event-store.ts'
import { lockPayment } from '#server/payments/store.ts'
import { refundableOf } from './refund-rules.ts'
import { blankNotesOf } from './refund-store.ts'
import { listRefundsOfAll, listUpcoming, lockProviderOf } from './upcoming-store.ts'
import { enqueueVisitRefund } from './visit-money.ts'

type Reading = Pick<SignedIn, 'session' | 'now'>

async function list({ session, now }: Reading, db: Tx['db']): Promise<UpcomingVisit[]> {
  const rows = await listUpcoming(db, { accountNo: session.accountNo, now: now() })
  const refunds = Map.groupBy(
    await listRefundsOfAll(
      db,
      rows.map((row) => row.payment_no),
    ),
    (refund) => refund.payment_no,
  )
  return rows.map((row) => {
    const minor = refundableOf(row, refunds.get(row.payment_no) ?? [])
    return { ...row, left: { minor, currency: row.currency } }
  })
}

/** Upcoming paid visits of the viewer, a provider, and what erasing the account would refund. */
export async function readUpcoming(
  ctx: SignedIn,
): Promise<{ coming: UpcomingVisit[]; version: string; refunds: Money[] }> {
  const coming = await list(ctx, ctx.database.db)
  return { coming, version: versionOf(ctx.secrets, coming), refunds: sumsOf(coming) }
}

/**
 * Cancels all upcoming paid visits of the viewer, who is erasing their account, in the same transaction: the
 * rest of each payment is refunded, and patient and provider are notified. Does nothing for a viewer without
 * such visits. Throws `visits_changed` unless `seen` is the version of exactly these visits; waits for
 * confirmations in progress.
 */
export async function cancelUpcoming(
  ctx: SignedIn,
  tx: Tx,
  seen: string = versionOf(ctx.secrets, []),
): Promise<void> {
  // Payments before the provider: the lock order of confirming and refunding.
  const before = await list(ctx, tx.db)
  for (const { payment_no: no } of before) await lockPayment(tx.db, no, ctx.now())
  await lockProviderOf(tx.db, ctx.session.accountNo)
  const upcoming = await list(ctx, tx.db)
  if (versionOf(ctx.secrets, upcoming) !== seen) throw new AppError('visits_changed')
  for (const visit of upcoming) {
    const payment = { no: visit.payment_no, id: visit.payment_id }
    await enqueueVisitRefund(ctx, tx, {
      payment,
      reason: 'cancelled',
      amount: visit.left,
      actorId: ctx.session.userId,
    })
    await cancelBooking(ctx, tx, {
      bookingNo: visit.no,
      because: 'provider_left',
      money: { refundMinor: visit.left.minor, keptMinor: 0 },
    })
  }
}

/** An upcoming paid visit with what is left of its payment. */
export type UpcomingVisit = Awaited<ReturnType<typeof listUpcoming>>[number] & {
  /** Received and not refunded. */
  left: Money
}

/** Hash of a set of visits and what is left of their payments; changes when they do. */
function versionOf(secrets: Secrets, upcoming: readonly UpcomingVisit[]): string {
  const parts = upcoming.map(
    ({ id, start_at: start, left }) => `${id} ${start} ${left.minor} ${left.currency}`,
  )
  return secrets.mac('ahead', parts.join('\n'))
}

/** Total to refund, by currency. */
function sumsOf(upcoming: readonly UpcomingVisit[]): Money[] {
  const byCurrency = Map.groupBy(
    upcoming.filter(({ left }) => left.minor > 0),
    ({ left }) => left.currency,
  )
  return [...byCurrency].map(([currency, visits]) => ({
    currency,
    minor: visits.reduce((sum, { left }) => sum + left.minor, 0),
  }))
}

/**
 * After an account was erased, clears unprocessed gateway events about its payments, and staff notes on them.
 * What remains only names the payment.
 */
export async function forgetPayer({ database }: Services, userId: string): Promise<void> {
  await blankEventsOf(database.db, userId)
  await blankNotesOf(database.db, userId)
}
