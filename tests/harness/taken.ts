import { settle } from '#server/payments/paying/settle.ts'
import { findBySession } from '#server/payments/store.ts'
import type { Till } from '#tests/harness/paying.ts'

/** What the visit of a till costs, in minor units. */
export const FEE = 6_000

/** How it is paid. */
export type By = 'card' | 'wallet'

/** Money that the gateway took and nobody here has heard of. */
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
  // As if the process had died before it could write the answer down.
  const { gwPayment } = await till.testApp.services.gateways.paypal.capture(session, id)
  await till.testApp.database.db.updateTable('payments').set({ state: 'capturing' }).execute()
  return { find, money: gwPayment ?? '' }
}

/** Brings the payment in line with its gateway. */
export async function settled(till: Till, find: () => ReturnType<typeof findBySession>) {
  const payment = await find()
  if (payment === undefined) throw new Error('Nobody pays.')
  return settle(till.testApp.context(), payment)
}

/** How our own books stand. */
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

/** Minor units that went back, by the gateways' own books. */
export function sentBack({ sandbox }: Till): number[] {
  const { store } = sandbox.sandbox.ctx
  return [
    ...store.list('refund').map(({ amount }) => amount),
    ...store.list('walletRefund').map(({ value }) => Math.round(Number(value) * 100)),
  ].toSorted((a, b) => a - b)
}

/** Texts of the emails that staff got. */
export async function toStaff({ testApp }: Till) {
  await testApp.drainOutbox()
  return testApp.mails
    .filter(({ to }) => to === testApp.services.config.supportEmail)
    .map(({ text }) => text)
}
