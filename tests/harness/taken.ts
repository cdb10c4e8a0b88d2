import type { CallRule } from '#sandbox/faults.ts'
import { settle } from '#server/payments/paying/settle.ts'
import { findBySession } from '#server/payments/store.ts'
import type { Till } from '#tests/harness/paying.ts'
import { enterStaff } from '#tests/harness/staff.ts'

/** The fee of the till's visit, in minor units. */
export const FEE = 6_000

/** The payment method. */
export type By = 'card' | 'wallet'

/** Takes money at the gateway without the server knowing. */
export async function take(till: Till, by: By) {
  const hold = await till.hold()
  const session = await (by === 'card' ? till.card(hold) : till.wallet(hold))
  const find = () =>
    findBySession(till.testApp.database.db, by === 'card' ? 'stripe' : 'paypal', session)
  const { ctx } = till.sandbox.sandbox
  if (by === 'card') {
    till.sandbox.payByCard(session)
    return { find, money: ctx.store.list('charge')[0]?.intent ?? '' }
  }
  till.sandbox.approve(session)
  const { id } = (await find()) ?? { id: '' }
  // As if the process had died before it could record the response.
  const { gwPayment } = await till.testApp.services.gateways.paypal.capture(session, id)
  await till.testApp.database.db.updateTable('payments').set({ state: 'capturing' }).execute()
  return { find, money: gwPayment ?? '' }
}

/** Updates the payment from its gateway. */
export async function settled(till: Till, find: () => ReturnType<typeof findBySession>) {
  const payment = await find()
  if (payment === undefined) throw new Error('Nobody pays.')
  return settle(till.testApp.context(), payment)
}

/** A settled payment and an admin who refunds parts of it while the gateway's refunds fail. */
export async function makeRefundable(till: Till, by: By) {
  const { find } = await take(till, by)
  await settled(till, find)
  const admin = await enterStaff(till.testApp, 'admin')
  const { id: paymentId } = (await find()) ?? { id: '' }
  const path = by === 'card' ? '/v1/refunds' : '*/refund'
  return {
    find,
    admin,
    /** Refunds so many minor units; `n` must differ between refunds of the same payment. */
    refund: (minor: number, n = 1) => {
      const key = `0b8f7c3e-5a44-4f0e-9d57-00000000000${n}`
      return admin.act('payments.refund', { paymentId, minor, reason: 'Agreed by phone.', key })
    },
    /** Makes the next refunds fail. */
    failRefunds: (fault: CallRule['fault'], times: number) =>
      till.sandbox.fail({ path, method: 'POST', fault, times }),
  }
}

/** The state of our own books. */
export async function books({ testApp: { database } }: Till) {
  const payments = await database.db.selectFrom('payments').select('state').execute()
  const bookings = await database.db.selectFrom('bookings').select('state').execute()
  const refunds = await database.db
    .selectFrom('refunds')
    .select(['reason', 'amount_minor', 'state'])
    .execute()
  return {
    payment: payments[0]?.state,
    booking: bookings[0]?.state,
    refunds: refunds.map((one) => `${one.reason} ${one.amount_minor} ${one.state}`).toSorted(),
  }
}

/** Refunds in the gateways' own books, in minor units. */
export function sentBack({ sandbox }: Till): number[] {
  const { store } = sandbox.sandbox.ctx
  return [
    ...store.list('refund').map(({ amount }) => amount),
    ...store.list('walletRefund').map(({ value }) => Math.round(Number(value) * 100)),
  ].toSorted((a, b) => a - b)
}

/** Texts of the emails sent to staff. */
export async function toStaff({ testApp }: Till) {
  await testApp.drainOutbox()
  return testApp.mails
    .filter(({ to }) => to === testApp.services.config.supportEmail)
    .map(({ text }) => text)
}
