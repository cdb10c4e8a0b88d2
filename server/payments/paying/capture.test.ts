import { expect, test } from 'vitest'
import { renewHold } from '#server/booking/hold/holds.ts'
import { processEvents, reconcile } from '#server/payments/events/process-events.ts'
import { reconcileGateways } from '#server/payments/reconciliation/reconcile-gateways.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { recheckRegistrations } from '#server/verification/register/recheck-registrations.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { setRegister } from '#tests/harness/verification.ts'
import { capture, readReturn, readStatus } from './capture.ts'
import { sweepHolds } from './close-payment.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The states of the booking and of its payment. */
async function readStates({ testApp: { database } }: PaymentFixture) {
  const booking = await database.db.selectFrom('bookings').select('state').executeTakeFirstOrThrow()
  const payment = await database.db.selectFrom('payments').select('state').executeTakeFirstOrThrow()
  return [booking.state, payment.state]
}

const captures = ({ sandbox }: PaymentFixture) => sandbox.sandbox.ctx.store.list('capture')

async function decideCapture(fixture: PaymentFixture, decision: 'COMPLETED' | 'DECLINED') {
  const [taken] = captures(fixture)
  await fixture.sandbox.tell({ do: 'decide', capture: taken?.id ?? '', decision })
}

describeEngines('a capture with incomplete responses', (makeDatabase) => {
  const begin = async (hears = false) =>
    makePaymentFixture({ database: await makeDatabase(), deliversWebhooks: hears })

  test('pending with its order gone: the capture is read instead, and books the visit', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId, 'pending_complete')
    await capture(fixture.patient, { orderId })
    await fixture.sandbox.forget(orderId)
    fixture.testApp.advance(2 * MINUTE)
    await reconcile(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['held', 'capturing'])
    await decideCapture(fixture, 'COMPLETED')
    fixture.testApp.advance(2 * MINUTE)
    await reconcile(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['confirmed', 'paid'])
  })

  test('pending with its order gone, and declined in the end: the time is free', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId, 'pending_deny')
    await capture(fixture.patient, { orderId })
    await fixture.sandbox.forget(orderId)
    await decideCapture(fixture, 'DECLINED')
    fixture.testApp.advance(16 * MINUTE)
    await sweepHolds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'failed'])
  })

  test('without a response and its order gone: a late event refunds it, and staff are notified', async () => {
    await using fixture = await begin(true)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId, 'pending_complete')
    await fixture.sandbox.fail(
      { path: '*/capture', fault: 'drop_after', times: 3 },
      { path: '/v2/checkout/orders/', method: 'GET', fault: 'drop_before', times: 9 },
    )
    await capture(fixture.patient, { orderId })
    await fixture.sandbox.forget(orderId)
    const rules = { path: '*/capture', fault: 'not_found_404' as const, times: 100 }
    await fixture.sandbox.fail(rules)
    fixture.testApp.advance(HOUR)
    await sweepHolds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'abandoned'])
    const { db } = fixture.testApp.database
    const differences = await db.selectFrom('payment_differences').select('kind').execute()
    expect(differences).toEqual([{ kind: 'no_answer' }])
    await decideCapture(fixture, 'COMPLETED')
    await fixture.sandbox.deliverDue()
    await processEvents(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'refunded'])
    expect(fixture.sandbox.sandbox.ctx.store.list('walletRefund')).toHaveLength(1)
  })

  test('an order without its payments: PayPal replays the result under the key', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    const silent = { path: '/v2/checkout/orders/', method: 'GET' as const, times: 1_000 }
    await fixture.sandbox.fail(
      { path: '*/capture', fault: 'drop_after', times: 3 },
      { ...silent, fault: 'without_payments' },
    )
    await capture(fixture.patient, { orderId })
    fixture.testApp.advance(MINUTE)
    expect(await readStatus(fixture.patient, { orderId })).toMatchObject({ status: 'COMPLETED' })
    expect(await readStates(fixture)).toEqual(['confirmed', 'paid'])
    expect(captures(fixture)).toHaveLength(1)
  })

  test('an order that stays unclear: staff decide, and the time is free again', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    const times = 1_000
    await fixture.sandbox.fail(
      { path: '*/capture', fault: 'drop_after', times: 3 },
      { path: '*/capture', fault: 'drop_before', times },
      { path: '/v2/checkout/orders/', method: 'GET', fault: 'without_payments', times },
    )
    await capture(fixture.patient, { orderId })
    fixture.testApp.advance(HOUR)
    await sweepHolds(fixture.testApp.services)
    await sweepHolds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'review'])
  })

  test.each([undefined, 1_000])(
    'refunded at PayPal (%s) after its order was gone: the daily reconciliation notifies staff',
    async (minor) => {
      await using fixture = await begin()
      const orderId = await fixture.wallet(await fixture.hold())
      fixture.sandbox.approve(orderId)
      await capture(fixture.patient, { orderId })
      await fixture.sandbox.forget(orderId)
      await fixture.sandbox.refundByHand(captures(fixture)[0]?.id ?? '', minor)
      await reconcileGateways(fixture.testApp.services)
      const { db } = fixture.testApp.database
      const [found] = await db.selectFrom('payment_differences').selectAll().execute()
      expect(found).toMatchObject({ kind: 'refund_unknown', object: captures(fixture)[0]?.id })
      expect(found?.details).toMatch(minor === undefined ? /all/ : /a part/)
      await fixture.testApp.drainOutbox()
      const emails = fixture.testApp.mails.filter(({ subject }) => /match/.test(subject))
      expect(emails).toHaveLength(1)
    },
  )

  test('the daily reconciliation finds a charge of a closed payment, though its order is gone', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId, 'pending_complete')
    await capture(fixture.patient, { orderId })
    await fixture.sandbox.forget(orderId)
    await decideCapture(fixture, 'COMPLETED')
    // As if the capture had been given up and its event lost.
    const { db } = fixture.testApp.database
    await db.updateTable('payments').set({ state: 'abandoned' }).execute()
    fixture.testApp.advance(DAY + HOUR)
    await sweepHolds(fixture.testApp.services)
    await reconcileGateways(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'refunded'])
  })
})

/** Subjects of the emails to the patient. */
async function subjects({ testApp }: PaymentFixture): Promise<string[]> {
  await testApp.drainOutbox()
  return testApp.mails.map(({ subject }) => subject)
}

describeEngines('the payment deadline', (makeDatabase) => {
  const begin = async (startsIn: number) =>
    makePaymentFixture({ database: await makeDatabase(), startsIn })

  test('a visit about to begin cannot be held, and a hold ends five minutes before the start', async () => {
    await using soon = await begin(5 * MINUTE)
    await expect(soon.hold()).rejects.toMatchObject({ code: 'slot_not_offered' })
    await using later = await begin(12 * MINUTE)
    const hold = await later.hold()
    expect(Date.parse(hold.holdUntil) - later.testApp.services.now()).toBe(7 * MINUTE)
    expect(hold.canRenew).toBe(false)
    await expect(renewHold(later.patient, { holdId: hold.id })).rejects.toMatchObject({
      code: 'hold_renewed',
    })
  })

  test('renewing never extends a hold past its payment deadline', async () => {
    await using fixture = await begin(30 * MINUTE)
    const hold = await fixture.hold()
    expect(hold.canRenew).toBe(true)
    const renewed = await renewHold(fixture.patient, { holdId: hold.id })
    expect(Date.parse(renewed.holdUntil) - fixture.testApp.services.now()).toBe(25 * MINUTE)
  })

  test('no payment starts or is captured after the deadline', async () => {
    await using fixture = await begin(12 * MINUTE)
    const hold = await fixture.hold()
    const orderId = await fixture.wallet(hold)
    fixture.sandbox.approve(orderId)
    fixture.testApp.advance(8 * MINUTE)
    expect(await capture(fixture.patient, { orderId })).toEqual({ success: false })
    await expect(fixture.card(hold)).rejects.toMatchObject({ code: 'hold_expired' })
    expect(fixture.sandbox.sandbox.ctx.store.list('capture')).toEqual([])
  })

  test('paid in an open frame but reported after the start: refunded, with an email', async () => {
    await using fixture = await begin(12 * MINUTE)
    const session = await fixture.card(await fixture.hold())
    fixture.sandbox.payByCard(session)
    fixture.testApp.advance(13 * MINUTE)
    expect((await readReturn(fixture.patient, { session_id: session })).status).toBe('failed')
    await runRefunds(fixture.testApp.services)
    await sweepHolds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'refunded'])
    expect(fixture.sandbox.sandbox.ctx.store.list('refund')).toHaveLength(1)
    expect(await subjects(fixture)).toContain('We’ve refunded £60.00')
    expect(await subjects(fixture)).not.toContain(expect.stringContaining('booked'))
  })

  test('after a four-hour wallet outage nothing is captured, and the patient is emailed', async () => {
    await using fixture = await begin(HOUR)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    await fixture.sandbox.away('paypal')
    expect(await capture(fixture.patient, { orderId })).toEqual({ success: true })
    fixture.testApp.advance(4 * HOUR)
    await fixture.sandbox.away('paypal', false)
    await reconcile(fixture.testApp.services)
    await sweepHolds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'abandoned'])
    expect(fixture.sandbox.sandbox.ctx.store.list('capture')).toEqual([])
    expect(await subjects(fixture)).toEqual(['Your payment didn’t go through'])
  })

  test('nobody is charged hours after approval, even for an upcoming visit', async () => {
    await using fixture = await begin(72 * HOUR)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    await fixture.sandbox.away('paypal')
    await capture(fixture.patient, { orderId })
    fixture.testApp.advance(HOUR)
    await fixture.sandbox.away('paypal', false)
    await sweepHolds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'abandoned'])
  })

  test('a capture whose response was lost is found, and books before the deadline', async () => {
    await using fixture = await begin(HOUR)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    const lost = { path: '*/capture', fault: 'drop_after' as const, times: 3 }
    const unread = { path: `/v2/checkout/orders/${orderId}`, method: 'GET' as const, times: 3 }
    await fixture.sandbox.fail(lost, { ...unread, fault: 'drop_before' })
    await capture(fixture.patient, { orderId })
    fixture.testApp.advance(2 * MINUTE)
    await reconcile(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['confirmed', 'paid'])
  })

  test('captured at the last moment and found after the start: refunded', async () => {
    await using fixture = await begin(HOUR)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    const late = { path: '*/capture', fault: 'late' as const, times: 3 }
    const unread = { path: '/v2/checkout/orders/', method: 'GET' as const, times: 100 }
    await fixture.sandbox.fail(late, { ...unread, fault: 'drop_before' })
    await capture(fixture.patient, { orderId })
    fixture.testApp.advance(2 * HOUR)
    await fixture.sandbox.fail()
    await fixture.sandbox.executeLate()
    await reconcile(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    await sweepHolds(fixture.testApp.services)
    expect(await readStates(fixture)).toEqual(['released', 'refunded'])
  })
})

const NUMBER = '7000001'

function provider({ testApp }: PaymentFixture) {
  return testApp.database.db.selectFrom('providers').selectAll().executeTakeFirstOrThrow()
}

/** The nightly check finds the provider suspended in the register. */
async function suspendByNightlyCheck(fixture: PaymentFixture): Promise<void> {
  const { testApp } = fixture
  const now = testApp.services.now()
  const { no } = await provider(fixture)
  const at = { since: now, asked_at: now, checked_at: now, due_at: now }
  await testApp.database.db
    .insertInto('provider_standings')
    .values({
      provider_no: no,
      state: 'verified',
      reason: null,
      is_match: 1,
      doubt_since: null,
      ...at,
    })
    .execute()
  await setRegister(testApp, 'GMC', [{ number: NUMBER, name: 'Amara Okafor', status: 'Suspended' }])
  await recheckRegistrations(testApp.services)
}

async function unverifyByStaff(fixture: PaymentFixture): Promise<void> {
  await setRegister(fixture.testApp, 'GMC', [{ number: NUMBER, name: 'Amara Okafor' }])
  const admin = await signInDemoStaff(fixture.testApp, 'admin')
  const { status } = await admin.act('verification.decide', {
    providerId: (await provider(fixture)).id,
    seen: 'verified',
    verification_status: 'Unverified',
    reason: 'The certificate belongs to somebody else.',
  })
  expect(status).toBe(200)
}

type Claim = { first_name: string; number: string }

/** The provider changes details that the register confirmed. */
const changeOwnDetails =
  ({ first_name, number }: Claim) =>
  async (fixture: PaymentFixture): Promise<void> => {
    const { no, email } = await provider(fixture)
    await makeAccount(fixture.testApp, { kind: 'provider', email, provider_no: no })
    const browser = new Browser(fixture.testApp)
    await browser.signIn({ email, kind: 'provider' })
    const { status } = await browser.act('profiles.updateIdentity', {
      title: 'Dr',
      first_name,
      last_name: 'Okafor',
      specialty: 'gp',
      registed_with: { professional_body_name: 'GMC', membership_number: number },
      confirmed: true,
    })
    expect(status).toBe(200)
  }

const causes = [
  ['the nightly check', suspendByNightlyCheck],
  ['a decision of staff', unverifyByStaff],
  ['another name', changeOwnDetails({ first_name: 'Amaro', number: NUMBER })],
  ['another number', changeOwnDetails({ first_name: 'Amara', number: '7654321' })],
] as const

async function readOutcome(fixture: PaymentFixture) {
  const [booking, payment] = await readStates(fixture)
  const { db } = fixture.testApp.database
  const refunds = await db.selectFrom('refunds').select(['state', 'amount_minor']).execute()
  const { store } = fixture.sandbox.sandbox.ctx
  return { booking, payment, refunds, sent: store.list('refund').length }
}

const REFUNDED = {
  payment: 'refunded',
  refunds: [{ state: 'done', amount_minor: 6_000 }],
  sent: 1,
}

describeEngines('a provider who has lost Verified', (makeDatabase) => {
  test.each(causes)('because of %s gets no new bookings', async (_because, lose) => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const session = await fixture.card(await fixture.hold())
    await lose(fixture)
    expect((await provider(fixture)).verification_status).toBe('Unverified')
    fixture.sandbox.payByCard(session)
    expect((await readReturn(fixture.patient, { session_id: session })).status).toBe('failed')
    await runRefunds(fixture.testApp.services)
    expect(await readOutcome(fixture)).toEqual({ booking: 'held', ...REFUNDED })
    await expect(fixture.hold()).rejects.toMatchObject({ code: 'provider_not_bookable' })
  })

  test('gets nothing captured from an approved wallet order', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    await suspendByNightlyCheck(fixture)
    expect(await capture(fixture.patient, { orderId })).toEqual({ success: false })
    expect(fixture.sandbox.sandbox.ctx.store.list('capture')).toEqual([])
    expect(await readOutcome(fixture)).toMatchObject({
      booking: 'held',
      payment: 'open',
      refunds: [],
    })
  })

  test('keeps paid visits: staff decide about those', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const session = await fixture.card(await fixture.hold())
    fixture.sandbox.payByCard(session)
    await readReturn(fixture.patient, { session_id: session })
    await suspendByNightlyCheck(fixture)
    fixture.testApp.advance(11 * MINUTE)
    await reconcile(fixture.testApp.services)
    expect(await readOutcome(fixture)).toMatchObject({
      booking: 'confirmed',
      payment: 'paid',
      refunds: [],
    })
  })
})
