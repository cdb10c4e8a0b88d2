import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { PaymentRow, RefundRow } from '#db/tables/payments.ts'

type NewRefund = Pick<RefundRow, 'id' | 'payment_no' | 'reason' | 'amount_minor'> & { now: Instant }

/** Owes money back, once a reason. */
export async function insertRefund(db: Db, { now, ...refund }: NewRefund): Promise<void> {
  await db
    .insertInto('refunds')
    .values({
      ...refund,
      state: 'due',
      gw_refund: null,
      tries: 0,
      next_try_at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflict((oc) => oc.columns(['payment_no', 'reason']).doNothing())
    .execute()
}

/** A refund with the payment it pays back. */
export type DueRefund = RefundRow &
  Pick<PaymentRow, 'gateway' | 'gw_payment' | 'currency' | 'booking_no'> & { payment_id: string }

function withPayment(db: Db) {
  return db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.no', 'r.payment_no')
    .selectAll('r')
    .select(['p.gateway', 'p.gw_payment', 'p.currency', 'p.booking_no', 'p.id as payment_id'])
}

/** Refunds of a payment that counted as done when they were last looked at. */
export function listDoneRefunds(db: Db, paymentNo: number): Promise<DueRefund[]> {
  return withPayment(db)
    .where('r.payment_no', '=', paymentNo)
    .where('r.state', '=', 'done')
    .where('r.gw_refund', 'is not', null)
    .execute()
}

/** Refunds that are owed or on their way, due to be looked at. */
export function listDueRefunds(db: Db, now: Instant, limit: number): Promise<DueRefund[]> {
  return withPayment(db)
    .where('r.state', 'in', ['due', 'pending'])
    .where('r.next_try_at', '<=', now)
    .orderBy('r.next_try_at')
    .limit(limit)
    .execute()
}

type RefundMove = Pick<RefundRow, 'state' | 'gw_refund' | 'tries' | 'next_try_at'> & {
  now: Instant
}

/** Moves a refund on; false when another process had moved it already. */
export async function setRefund(
  db: Db,
  refund: Pick<RefundRow, 'id' | 'state' | 'tries'>,
  { now, ...move }: RefundMove,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refunds')
    .set({ ...move, updated_at: now })
    .where('id', '=', refund.id)
    .where('state', '=', refund.state)
    .where('tries', '=', refund.tries)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A refund with what the mail about it says. */
export function findRefund(db: Db, id: string) {
  return db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.no', 'r.payment_no')
    .select(['r.amount_minor', 'r.reason', 'p.currency', 'p.gateway', 'p.patient_no'])
    .where('r.id', '=', id)
    .executeTakeFirst()
}
