import { expect, test } from 'vitest'
import { reconcile } from '#server/payments/events/reconcile.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { recheckStandings } from '#server/verification/register/recheck-standings.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { makeTill, type Till } from '#tests/harness/paying.ts'
import { setRegister } from '#tests/harness/registers.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { enterStaff } from '#tests/harness/staff.ts'
import { capture } from './capture.ts'
import { readReturn } from './read-payment.ts'

const NUMBER = '7000001'
const MINUTE = 60_000

function provider({ testApp }: Till) {
  return testApp.database.db.selectFrom('providers').selectAll().executeTakeFirstOrThrow()
}

/** The nightly check finds the provider suspended in the register. */
async function byNight(till: Till): Promise<void> {
  const { testApp } = till
  const now = testApp.services.now()
  const { no } = await provider(till)
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
  await recheckStandings(testApp.services)
}

async function byStaff(till: Till): Promise<void> {
  await setRegister(till.testApp, 'GMC', [{ number: NUMBER, name: 'Amara Okafor' }])
  const admin = await enterStaff(till.testApp, 'admin')
  const { status } = await admin.act('verification.decide', {
    providerId: (await provider(till)).id,
    seen: 'verified',
    verification_status: 'Unverified',
    reason: 'The certificate belongs to somebody else.',
  })
  expect(status).toBe(200)
}

type Claim = { first_name: string; number: string }

/** The provider changes details that the register confirmed. */
const byThemselves =
  ({ first_name, number }: Claim) =>
  async (till: Till): Promise<void> => {
    const { no, email } = await provider(till)
    await makeAccount(till.testApp, { kind: 'provider', email, provider_no: no })
    const browser = new Browser(till.testApp)
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

const ways = [
  ['the nightly check', byNight],
  ['a decision of staff', byStaff],
  ['another name', byThemselves({ first_name: 'Amaro', number: NUMBER })],
  ['another number', byThemselves({ first_name: 'Amara', number: '7654321' })],
] as const

async function whatBecame({ testApp, sandbox }: Till) {
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

const WENT_BACK = {
  payment: 'refunded',
  refunds: [{ state: 'done', amount_minor: 6_000 }],
  sent: 1,
}

describeEngines('a provider who is Verified no more', (makeDatabase) => {
  test.each(ways)('because of %s gets nobody who has not paid yet', async (_because, lose) => {
    await using till = await makeTill({ database: await makeDatabase() })
    const session = await till.card(await till.hold())
    await lose(till)
    expect((await provider(till)).verification_status).toBe('Unverified')
    till.sandbox.payByCard(session)
    expect((await readReturn(till.patient, { session_id: session })).status).toBe('failed')
    await runRefunds(till.testApp.services)
    expect(await whatBecame(till)).toEqual({ booking: 'held', ...WENT_BACK })
    await expect(till.hold()).rejects.toMatchObject({ code: 'provider_not_bookable' })
  })

  test('is paid nothing out of a wallet that was agreed to before', async () => {
    await using till = await makeTill({ database: await makeDatabase() })
    const orderId = await till.wallet(await till.hold())
    till.sandbox.approve(orderId)
    await byNight(till)
    expect(await capture(till.patient, { orderId })).toEqual({ success: false })
    expect(till.sandbox.sandbox.ctx.store.list('capture')).toEqual([])
    expect(await whatBecame(till)).toMatchObject({ booking: 'held', payment: 'open', refunds: [] })
  })

  test('keeps visits that are paid for: staff decide about those', async () => {
    await using till = await makeTill({ database: await makeDatabase() })
    const session = await till.card(await till.hold())
    till.sandbox.payByCard(session)
    await readReturn(till.patient, { session_id: session })
    await byNight(till)
    till.testApp.advance(11 * MINUTE)
    await reconcile(till.testApp.services)
    expect(await whatBecame(till)).toMatchObject({
      booking: 'confirmed',
      payment: 'paid',
      refunds: [],
    })
  })
})
