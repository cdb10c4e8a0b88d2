import { OPEN_REFUND, refundLife } from '#contract/life-cycles/refund.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { PaymentRow, RefundRow } from '#db/tables/payments.ts'

type NewRefund = Pick<RefundRow, 'id' | 'payment_no' | 'reason' | 'amount_minor'> &
  Partial<Pick<RefundRow, 'key' | 'currency' | 'note' | 'actor_id' | 'gw_refund' | 'state'>> & {
    now: Instant
  }

/** Queues a refund, idempotent by key; the default key is its reason. */
export async function insertRefund(db: Db, { now, ...refund }: NewRefund): Promise<void> {
  await db
    .insertInto('refunds')
    .values({
      state: refundLife.to('request'),
      gw_refund: null,
      ...refund,
      key: refund.key ?? refund.reason,
      failure: null,
      key_round: 0,
      tries: 0,
      next_try_at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflict((oc) => oc.columns(['payment_no', 'key']).doNothing())
    .execute()
}

/** Refunds of a payment, in any state. */
export function listRefundsOf(db: Db, paymentNo: number): Promise<RefundRow[]> {
  return db.selectFrom('refunds').selectAll().where('payment_no', '=', paymentNo).execute()
}

type Paid = Pick<PaymentRow, 'gateway' | 'gw_payment' | 'gw_session' | 'booking_no'>

/** The payment of a refund, as identified at the gateway. */
export type PaidBy = Pick<RefundRow, 'payment_no'> &
  Pick<PaymentRow, 'gateway' | 'gw_payment' | 'gw_session'>

/** A refund with the payment it pays back. */
export type DueRefund = Omit<RefundRow, 'currency'> &
  Paid & { currency: string; payment_id: string; payment_state: PaymentRow['state'] }

function withPayment(db: Db) {
  return db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.no', 'r.payment_no')
    .selectAll('r')
    .select([
      'p.gateway',
      'p.gw_payment',
      'p.gw_session',
      'p.booking_no',
      'p.id as payment_id',
      'p.state as payment_state',
      ({ fn }) => fn.coalesce('r.currency', 'p.currency').as('currency'),
    ])
}

/** Refunds of a payment that were done when last checked. */
export function listDoneRefunds(db: Db, paymentNo: number): Promise<DueRefund[]> {
  return (
    withPayment(db)
      .where('r.payment_no', '=', paymentNo)
      .where('r.state', '=', 'done')
      .where('r.gw_refund', 'is not', null)
      // Marked as refunded by staff since: done, whatever the gateway says.
      .where('r.dealt_at', 'is', null)
      .execute()
  )
}

/** A refund that is due or pending, even if its next try is later. */
export function findDueRefund(db: Db, id: string): Promise<DueRefund | undefined> {
  return withPayment(db)
    .where('r.id', '=', id)
    .where('r.state', 'in', OPEN_REFUND)
    .executeTakeFirst()
}

type Due = { gateway: PaymentRow['gateway']; now: Instant; limit: number }

/** Refunds at a gateway that are due or pending and whose next try is due. */
export function listDueRefunds(db: Db, { gateway, now, limit }: Due): Promise<DueRefund[]> {
  return withPayment(db)
    .where('p.gateway', '=', gateway)
    .where('r.state', 'in', OPEN_REFUND)
    .where('r.next_try_at', '<=', now)
    .orderBy('r.next_try_at')
    .limit(limit)
    .execute()
}

type RefundMove = Pick<RefundRow, 'state' | 'gw_refund' | 'tries' | 'next_try_at'> &
  Partial<Pick<RefundRow, 'failure' | 'key_round'>> & { now: Instant }

/** Updates a refund and returns its amount; null if another process changed it first. */
export async function setRefund(
  db: Db,
  refund: Pick<RefundRow, 'id' | 'state' | 'tries'>,
  { now, ...move }: RefundMove,
): Promise<number | null> {
  const row = await db
    .updateTable('refunds')
    .set({ ...move, updated_at: now })
    .where('id', '=', refund.id)
    .where('state', '=', refund.state)
    .where('tries', '=', refund.tries)
    .returning('amount_minor')
    .executeTakeFirst()
  return row?.amount_minor ?? null
}

type Linked = { gwRefund: string; now: Instant }

/** Links an unpaid refund to the refund found at the gateway, whose state is read next. */
export async function linkRefund(db: Db, id: string, { gwRefund, now }: Linked): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ state: refundLife.to('link'), gw_refund: gwRefund, next_try_at: now, updated_at: now })
    .where('id', '=', id)
    .where('state', 'in', refundLife.from('link'))
    .execute()
}

/** Reduces the amount of an unpaid refund. */
export async function setAmount(
  db: Db,
  id: string,
  { minor, now }: { minor: number; now: Instant },
): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ amount_minor: minor, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Closes a refund that was replaced by refunds made at the gateway: it moves no money and needs no one's
 * attention.
 */
export async function setReplaced(db: Db, id: string, now: Instant): Promise<void> {
  await db
    .updateTable('refunds')
    .set({
      state: refundLife.to('replace'),
      failure: 'refunded_at_gateway',
      dealt_at: now,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('state', 'in', refundLife.from('replace'))
    .execute()
}

/** A refund with what its email says, but for the visit. */
export function findRefund(db: Db, id: string) {
  return db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.no', 'r.payment_no')
    .select([
      'r.amount_minor',
      'r.reason',
      'p.reason as payment_reason',
      'p.id as payment_id',
      'p.gateway',
      'p.patient_no',
      'p.booking_no',
      ({ fn }) => fn.coalesce('r.currency', 'p.currency').as('currency'),
    ])
    .where('r.id', '=', id)
    .executeTakeFirst()
}

type Resolution = { by: string; note: string; now: Instant }

/** Resolves failed refunds; `ids` must not be empty. */
export async function resolveFailed(
  db: Db,
  ids: readonly string[],
  { by, note, now }: Resolution,
): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ dealt_at: now, dealt_by: by, dealt_note: note })
    .where('id', 'in', ids)
    .execute()
}

/** Clears staff notes on a person's payments, by their account's public id. */
export async function blankNotesOf(db: Db, userId: string): Promise<void> {
  const payments = db
    .selectFrom('payments as p')
    .innerJoin('accounts as a', 'a.no', 'p.patient_no')
    .where('a.id', '=', userId)
    .select('p.no')
  await db
    .updateTable('refunds')
    .set({ note: null, dealt_note: null })
    .where('payment_no', 'in', payments)
    .execute()
  await db
    .updateTable('payments')
    .set({ decision_note: null })
    .where('no', 'in', payments)
    .where('decision_note', 'is not', null)
    .execute()
  await db
    .updateTable('payment_differences')
    .set({ dealt_note: null })
    .where('payment_no', 'in', payments)
    .where('dealt_note', 'is not', null)
    .execute()
}

/**
 * Upcoming paid visits of the account's provider with their payments, soonest first; empty for an account
 * without a provider.
 */
export function listUpcoming(db: Db, { accountNo, now }: { accountNo: number; now: Instant }) {
  return db
    .selectFrom('accounts as own')
    .innerJoin('bookings as b', 'b.provider_no', 'own.provider_no')
    .innerJoin('payments as y', 'y.no', 'b.paid_by')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select([
      'b.no',
      'b.id',
      'b.start_at',
      'b.time_zone',
      'b.provider_no',
      'a.first_name',
      'a.last_name',
      'a.erased_at as patient_erased_at',
      'y.no as payment_no',
      'y.id as payment_id',
      'y.state',
      'y.amount_minor',
      'y.currency',
      'y.taken_minor',
      'y.taken_currency',
    ])
    .where('own.no', '=', accountNo)
    .where('b.state', '=', 'confirmed')
    .where('b.start_at', '>', now)
    .orderBy('b.start_at')
    .orderBy('b.no')
    .execute()
}

/** Refunds of some payments, in any state, oldest first. */
export async function listRefundsOfAll(
  db: Db,
  paymentNos: readonly number[],
): Promise<RefundRow[]> {
  if (paymentNos.length === 0) return []
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('payment_no', 'in', paymentNos)
    .orderBy('created_at')
    .execute()
}

/**
 * Locks the row of an account's provider until the transaction ends; confirming a visit takes the same lock.
 */
export async function lockProviderOf(db: Db, accountNo: number): Promise<void> {
  // An update is the row lock both engines support.
  await db
    .updateTable('providers')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('no', '=', (eb) =>
      eb.selectFrom('accounts').select('provider_no').where('no', '=', accountNo),
    )
    .execute()
}

/** Holds of a patient's account, or at an account's provider, expired or not. */
export async function listHeldOf(db: Db, accountNo: number): Promise<number[]> {
  const provider = db.selectFrom('accounts').select('provider_no').where('no', '=', accountNo)
  const rows = await db
    .selectFrom('bookings')
    .select('no')
    .where('state', '=', 'held')
    .where((eb) => eb.or([eb('patient_no', '=', accountNo), eb('provider_no', '=', provider)]))
    .orderBy('no')
    .execute()
  return rows.map(({ no }) => no)
}
