import { expect, test } from 'vitest'
import { reconcile } from '#server/payments/events/reconcile.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { recheckRegistrations } from '#server/verification/register/recheck-registrations.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { setRegister } from '#tests/harness/registers.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { capture } from './capture.ts'
import { readReturn } from './read-payment.ts'

const NUMBER = '7000001'
const MINUTE = 60_000

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

async function readOutcome({ testApp, sandbox }: PaymentFixture) {
  const { db } = testApp.database
  const booking = await db.selectFrom('bookings').select('state').executeTakeFirstOrThrow()
  const payment = await db.selectFrom('payments').select('state').executeTakeFirstOrThrow()
  const refunds = await db.selectFrom('refunds').select(['state', 'amount_minor']).execute()
  const { store } = sandbox.sandbox.ctx
  return {
    booking: booking.state,
    payment: payment.state,
    refunds,
    sent: store.list('refund').length,
  }
}

const REFUNDED = {
  payment: 'refunded',
  refunds: [{ state: 'done', amount_minor: 6_000 }],
  sent: 1,
}

describeEngines('a provider who is Verified no more', (makeDatabase) => {
  test.each(causes)('because of %s gets nobody who has not paid yet', async (_because, lose) => {
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

  test('is paid nothing out of a wallet that was agreed to before', async () => {
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

  test('keeps visits that are paid for: staff decide about those', async () => {
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
