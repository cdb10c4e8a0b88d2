import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { RefundRow } from '#db/tables/payments.ts'

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

/** Refunds of some payments, in any state. */
export async function listRefundsOfAll(
  db: Db,
  paymentNos: readonly number[],
): Promise<RefundRow[]> {
  if (paymentNos.length === 0) return []
  return db.selectFrom('refunds').selectAll().where('payment_no', 'in', paymentNos).execute()
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
