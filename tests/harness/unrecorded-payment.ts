import type { CallRule } from '#sandbox/faults.ts'
import { settle } from '#server/payments/paying/settle.ts'
import { findBySession } from '#server/payments/store.ts'
import type { PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'

/** The fee of the visit, in minor units. */
export const FEE = 6_000

/** The payment method. */
export type PaymentMethod = 'card' | 'wallet'

/** Takes money at the gateway without the server knowing. */
export async function payAtGateway(fixture: PaymentFixture, by: PaymentMethod) {
  const hold = await fixture.hold()
  const session = await (by === 'card' ? fixture.card(hold) : fixture.wallet(hold))
  const find = () =>
    findBySession(fixture.testApp.database.db, by === 'card' ? 'stripe' : 'paypal', session)
  const { ctx } = fixture.sandbox.sandbox
  if (by === 'card') {
    fixture.sandbox.payByCard(session)
    return { find, money: ctx.store.list('charge')[0]?.intent ?? '' }
  }
  fixture.sandbox.approve(session)
  const { id } = (await find()) ?? { id: '' }
  // As if the process had died before it could record the response.
  const { gwPayment } = await fixture.testApp.services.gateways.paypal.capture(session, id)
  await fixture.testApp.database.db.updateTable('payments').set({ state: 'capturing' }).execute()
  return { find, money: gwPayment ?? '' }
}

/** Updates the payment from its gateway. */
export async function settlePayment(
  fixture: PaymentFixture,
  find: () => ReturnType<typeof findBySession>,
) {
  const payment = await find()
  if (payment === undefined) throw new Error('Nobody pays.')
  return settle(fixture.testApp.context(), payment)
}

/** A settled payment and an admin who refunds parts of it while the gateway's refunds fail. */
export async function makeRefundable(fixture: PaymentFixture, by: PaymentMethod) {
  const { find } = await payAtGateway(fixture, by)
  await settlePayment(fixture, find)
  const admin = await signInDemoStaff(fixture.testApp, 'admin')
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
      fixture.sandbox.fail({ path, method: 'POST', fault, times }),
  }
}

/** The state of our own books. */
export async function readStates({ testApp: { database } }: PaymentFixture) {
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
export function gatewayRefunds({ sandbox }: PaymentFixture): number[] {
  const { store } = sandbox.sandbox.ctx
  return [
    ...store.list('refund').map(({ amount }) => amount),
    ...store.list('walletRefund').map(({ value }) => Math.round(Number(value) * 100)),
  ].toSorted((a, b) => a - b)
}

/** Texts of the emails sent to staff. */
export async function emailsToStaff({ testApp }: PaymentFixture) {
  await testApp.drainOutbox()
  return testApp.mails
    .filter(({ to }) => to === testApp.services.config.supportEmail)
    .map(({ text }) => text)
}
