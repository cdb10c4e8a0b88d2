import { sql } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { PaymentDifferenceRow } from '#db/tables/payments.ts'
import type { GatewayName, Payment } from '#server/payments/store.ts'

const COMPARED_AT = 'payments.compared_at'

/** When the last complete comparison ran; undefined before the first. */
export async function findComparedAt(db: Db): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('app_meta')
    .select('value')
    .where('key', '=', COMPARED_AT)
    .executeTakeFirst()
  return row === undefined ? undefined : Number(row.value)
}

export async function setComparedAt(db: Db, now: Instant): Promise<void> {
  const value = String(now)
  await db
    .insertInto('app_meta')
    .values({ key: COMPARED_AT, value })
    .onConflict((oc) => oc.column('key').doUpdateSet({ value }))
    .execute()
}

type ChargeIds = { gateway: GatewayName; paymentId: string | null; gwPayment: string }

/**
 * The payment that a charge belongs to: by our id as the gateway stored it, otherwise by the gateway's id.
 */
export async function findByCharge(db: Db, named: ChargeIds): Promise<Payment | undefined> {
  const ours = db.selectFrom('payments').selectAll().where('gateway', '=', named.gateway)
  const byId =
    named.paymentId === null
      ? undefined
      : await ours.where('id', '=', named.paymentId).executeTakeFirst()
  return byId ?? ours.where('gw_payment', '=', named.gwPayment).executeTakeFirst()
}

/** Whether a booking was paid by this payment. */
export async function hasVisit(db: Db, paymentNo: number): Promise<boolean> {
  const row = await db
    .selectFrom('bookings')
    .select(sql.lit(1).as('one'))
    .where('paid_by', '=', paymentNo)
    .executeTakeFirst()
  return row !== undefined
}

export type Moved = Pick<Payment, 'updated_at' | 'no'>

type Walk = {
  gateway: GatewayName
  since: Instant
  /** Later updates are left to the next comparison, which overlaps this one. */
  until: Instant
  /** Last payment of the previous page. */
  after: Moved | null
  limit: number
}

/** Payments known to the gateway and updated between two instants, in order of the update. */
export function listUpdated(db: Db, walk: Walk): Promise<Payment[]> {
  const { gateway, since, until, after, limit } = walk
  // Comparing tuples is an index range scan on either engine; comparisons joined by `or` are not.
  const from = after ?? { updated_at: since, no: 0 }
  return db
    .selectFrom('payments')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('gw_session', 'is not', null)
    .where((eb) => eb(eb.refTuple('updated_at', 'no'), '>', eb.tuple(from.updated_at, from.no)))
    .where('updated_at', '<=', until)
    .orderBy('updated_at')
    .orderBy('no')
    .limit(limit)
    .execute()
}

/** Records a difference; false if it is already known with the same details. New details reopen it. */
export async function upsertDifference(
  db: Db,
  difference: Omit<PaymentDifferenceRow, 'told_at' | 'dealt_at' | 'dealt_by' | 'dealt_note'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('payment_differences')
    .values({ ...difference, told_at: null })
    .onConflict((oc) =>
      oc
        .columns(['gateway', 'object', 'kind'])
        .doUpdateSet({ details: difference.details, told_at: null, dealt_at: null })
        .where('payment_differences.details', 'is distinct from', difference.details),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Marks new differences as reported to staff; returns how many. */
export async function markReported(db: Db, now: Instant): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('payment_differences')
    .set({ told_at: now })
    .where('told_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Differences reported in one email, with the public ids of our payments. */
export function listReported(db: Db, toldAt: Instant) {
  return db
    .selectFrom('payment_differences as d')
    .leftJoin('payments as p', 'p.no', 'd.payment_no')
    .select([
      'd.gateway',
      'd.object',
      'd.kind',
      'd.amount_minor',
      'd.currency',
      'd.details',
      'p.id as payment_id',
    ])
    .where('d.told_at', '=', toldAt)
    .orderBy('d.kind')
    .orderBy('d.object')
    .execute()
}
