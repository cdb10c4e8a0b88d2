import type { Money } from '#contract/money.ts'
import { cancelBooking } from '#server/booking/visits/cancel-booking.ts'
import type { Services, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Secrets } from '#server/kernel/security/secrets.ts'
import { blankEventsOf } from '#server/payments/events/event-store.ts'
import { lockPayment } from '#server/payments/store.ts'
import { listComing, listRefundsOfAll, lockProviderOf } from './coming-store.ts'
import { refundableOf } from './refund-rules.ts'
import { blankNotesOf } from './refund-store.ts'
import { oweVisitRefund } from './visit-money.ts'

type Reading = Pick<SignedIn, 'session' | 'now'>

async function list({ session, now }: Reading, db: Tx['db']): Promise<Coming[]> {
  const rows = await listComing(db, { accountNo: session.accountNo, now: now() })
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

/** The paid visits ahead of the viewer's, who is a provider, and what erasing them gives back. */
export async function readComing(
  ctx: SignedIn,
): Promise<{ coming: Coming[]; version: string; refunds: Money[] }> {
  const coming = await list(ctx, ctx.database.db)
  return { coming, version: versionOf(ctx.secrets, coming), refunds: sumsOf(coming) }
}

/**
 * Cancels every paid visit ahead of the viewer's, who is leaving, within the transaction that erases
 * them: all that is left of each payment is owed back, and patient and provider are told. Does nothing
 * for those who have none. `visits_changed` unless `seen` is the version of exactly these; what is
 * confirmed meanwhile is waited for.
 */
export async function cancelComing(
  ctx: SignedIn,
  tx: Tx,
  seen: string = versionOf(ctx.secrets, []),
): Promise<void> {
  // Payments before their provider, as whoever confirms a visit or pays back locks them.
  const before = await list(ctx, tx.db)
  for (const { payment_no: no } of before) await lockPayment(tx.db, no, ctx.now())
  await lockProviderOf(tx.db, ctx.session.accountNo)
  const coming = await list(ctx, tx.db)
  if (versionOf(ctx.secrets, coming) !== seen) throw new AppError('visits_changed')
  for (const visit of coming) {
    const payment = { no: visit.payment_no, id: visit.payment_id }
    await oweVisitRefund(ctx, tx, {
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

/** A paid visit ahead, with what is left of its money. */
export type Coming = Awaited<ReturnType<typeof listComing>>[number] & {
  /** What came in for it and has not gone back. */
  left: Money
}

/** Names a set of visits and what is left of their money: another set has another version. */
function versionOf(secrets: Secrets, coming: readonly Coming[]): string {
  const parts = coming.map(
    ({ id, start_at: start, left }) => `${id} ${start} ${left.minor} ${left.currency}`,
  )
  return secrets.mac('ahead', parts.join('\n'))
}

/** What goes back in all, a sum for each currency. */
function sumsOf(coming: readonly Coming[]): Money[] {
  const byCurrency = Map.groupBy(
    coming.filter(({ left }) => left.minor > 0),
    ({ left }) => left.currency,
  )
  return [...byCurrency].map(([currency, visits]) => ({
    currency,
    minor: visits.reduce((sum, { left }) => sum + left.minor, 0),
  }))
}

/**
 * Takes what the gateways told about somebody's payments out of events that still wait, and what staff
 * wrote about them, after their account was erased. What is left names the payment.
 */
export async function forgetPayer({ database }: Services, userId: string): Promise<void> {
  await blankEventsOf(database.db, userId)
  await blankNotesOf(database.db, userId)
}
