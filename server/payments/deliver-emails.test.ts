import { expect, test } from 'vitest'
import { reconcile } from '#server/payments/events/process-events.ts'
import { capture } from '#server/payments/paying/capture.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The emails that say that a payment was not taken. */
async function notCharged({ testApp }: PaymentFixture) {
  await testApp.drainOutbox()
  return testApp.mails.filter(({ subject }) => subject === 'Your payment didn’t go through')
}

test('a wallet payment that is declined after the page was told to wait is announced, with its visit', async () => {
  await using fixture = await makePaymentFixture()
  const hold = await fixture.hold()
  const orderId = await fixture.wallet(hold)
  fixture.sandbox.approve(orderId, 'pending_deny')
  expect(await capture(fixture.patient, { orderId })).toEqual({ success: true })
  expect(await notCharged(fixture)).toEqual([])
  const [taken] = fixture.sandbox.sandbox.ctx.store.list('capture')
  await fixture.sandbox.tell({ do: 'decide', capture: taken?.id ?? '', decision: 'DECLINED' })
  for (let run = 0; run < 2; run += 1) {
    fixture.testApp.advance(2 * MINUTE)
    await reconcile(fixture.testApp.services)
  }
  const [email, ...others] = await notCharged(fixture)
  expect(others).toEqual([])
  expect(email?.text).toContain(
    'PayPal declined your payment, so your visit isn’t booked and we haven’t charged you.',
  )
  expect(email?.text).toContain('Thursday 5 March 2026, 09:00 (London time, GMT)')
  expect(email?.text).toContain(hold.provider.name)
  expect(email?.text).toContain(hold.reference)
  expect(email?.subject).not.toContain(hold.provider.name)
})

test('one that is declined at once is shown on the page, and nothing is emailed', async () => {
  await using fixture = await makePaymentFixture()
  const orderId = await fixture.wallet(await fixture.hold())
  fixture.sandbox.approve(orderId, 'decline')
  expect(await capture(fixture.patient, { orderId })).toEqual({ success: false })
  expect(await notCharged(fixture)).toEqual([])
})

test('one that PayPal never confirmed is announced with its visit as well', async () => {
  await using fixture = await makePaymentFixture()
  const hold = await fixture.hold()
  const orderId = await fixture.wallet(hold)
  fixture.sandbox.approve(orderId)
  await fixture.sandbox.away('paypal')
  await capture(fixture.patient, { orderId })
  fixture.testApp.advance(4 * HOUR)
  await fixture.sandbox.away('paypal', false)
  await reconcile(fixture.testApp.services)
  const [email] = await notCharged(fixture)
  expect(email?.text).toContain('PayPal didn’t confirm your payment in time')
  expect(email?.text).toContain('Thursday 5 March 2026, 09:00 (London time, GMT)')
  expect(email?.text).toContain(hold.provider.name)
})
