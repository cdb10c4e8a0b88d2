import { expect, test } from 'vitest'
import { StaffPayment } from '#contract/payments.ts'
import { Differences, Reviews } from '#contract/payments-review.ts'
import type { Database } from '#db/engine.ts'
import { createCaller } from '#server/app-router.ts'
import { sweepHolds } from '#server/payments/paying/close-payment.ts'
import { settle } from '#server/payments/paying/settle.ts'
import { reconcileGateways } from '#server/payments/reconciliation/reconcile-gateways.ts'
import { findBySession } from '#server/payments/store.ts'
import {
  makePaymentFixture,
  type PaymentFixture,
  signInProvider,
} from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'

const reason = 'The gateway says so too.'

/** A visit of £60.00 paid with a different amount, and therefore not booked. */
async function makeMismatchedPayment(
  paidWith: { amount: number; currency?: string },
  database?: Database,
) {
  const fixture = await makePaymentFixture(database === undefined ? {} : { database })
  const { testApp, sandbox, patient } = fixture
  const held = await fixture.hold()
  const session = await fixture.card(held)
  const { store } = sandbox.sandbox.ctx
  const record = store.find('session', session)
  if (record === undefined) throw new Error('There is no open session.')
  store.put('session', { ...record, ...paidWith })
  sandbox.payByCard(session)
  const payment = await findBySession(testApp.database.db, 'stripe', session)
  if (payment === undefined) throw new Error('There is no payer.')
  await settle(patient, payment)
  const admin = await signInDemoStaff(testApp, 'admin')
  return {
    ...fixture,
    held,
    payment,
    admin,
    decide: (decision: 'accept' | 'return') =>
      admin.act('payments.decideReview', { paymentId: payment.id, decision, reason }),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

/** Ends the hold's fifteen minutes. */
async function releaseHold({ testApp: { database, services } }: Pick<PaymentFixture, 'testApp'>) {
  await database.db.updateTable('bookings').set({ hold_until: services.now() }).execute()
  await sweepHolds(services)
}

const gatewayRefunds = ({ sandbox }: Pick<PaymentFixture, 'sandbox'>) =>
  sandbox.sandbox.ctx.store.list('refund').map(({ amount }) => amount)

/** Someone refunds part of the payment at the gateway. */
function refundByHand({ sandbox }: Pick<PaymentFixture, 'sandbox'>, minor: number) {
  const [charge] = sandbox.sandbox.ctx.store.list('charge')
  return sandbox.refundByHand(charge?.intent ?? '', minor)
}

const parsed = ({ data }: { data?: unknown }) => StaffPayment.parse(data)

describeEngines('payments in review', (makeDatabase) => {
  test.each([
    ['providers', { verification_status: 'Unverified' as const }, 'provider_not_bookable'],
    ['accounts', { erased_at: 1 }, 'patient_gone'],
  ] as const)(
    'books nothing where one of the %s is gone; the payment can be refunded',
    async (...gone) => {
      const [table, change, code] = gone
      await using at = await makeMismatchedPayment({ amount: 6_500 }, await makeDatabase())
      const { db } = at.testApp.database
      const booking = await db.selectFrom('bookings').selectAll().executeTakeFirstOrThrow()
      const no = table === 'providers' ? booking.provider_no : booking.patient_no
      await db.updateTable(table).set(change).where('no', '=', no).execute()
      expect((await at.decide('accept')).code).toBe(code)
      expect((await at.decide('return')).status).toBe(200)
      expect(gatewayRefunds(at)).toEqual([6_500])
    },
  )

  test('35: a payment that does not match is listed beside what was expected, and books nothing', async () => {
    await using at = await makeMismatchedPayment({ amount: 5_000 }, await makeDatabase())
    const { payments } = Reviews.parse((await at.admin.ask('payments.reviews', {})).data)
    expect(payments).toMatchObject([
      {
        id: at.held.id,
        paymentId: at.payment.id,
        expected: { minor: 6_000, currency: 'GBP' },
        taken: { minor: 5_000, currency: 'GBP' },
        whyNotAccept: 'The amount received doesn’t pay for the visit. Refund it instead.',
      },
    ])
    expect((await at.admin.ask('payments.reviewCount', {})).data).toMatchObject({ payments: 1 })
    const editor = await signInDemoStaff(at.testApp, 'editor')
    const nameless = Reviews.parse((await editor.ask('payments.reviews', {})).data)
    expect(nameless.payments).toMatchObject([{ user_name: null, doctor_name: null }])
    expect(await at.decide('accept')).toMatchObject({ code: 'review_not_covered', status: 409 })
  })

  test('refunded: all that was received, once, whoever else decides meanwhile', async () => {
    await using at = await makeMismatchedPayment({ amount: 5_000 }, await makeDatabase())
    const answers = await Promise.all([at.decide('return'), at.decide('return')])
    expect(answers.map(({ code }) => code)).toEqual([null, null])
    expect(gatewayRefunds(at)).toEqual([5_000])
    const done = parsed(await at.decide('return'))
    expect(done.payments).toMatchObject([{ state: 'refunded', refunded: { minor: 5_000 } }])
    expect(await at.decide('accept')).toMatchObject({ code: 'review_decided', status: 409 })
    expect(done.timeline.find(({ what }) => what === 'decided')).toMatchObject({
      to: 'returned',
      note: reason,
      who: 'admin@demo.example',
      amount: { minor: 5_000, currency: 'GBP' },
    })
    expect((await at.admin.ask('payments.reviewCount', {})).data).toMatchObject({ payments: 0 })
  })

  test('accepted: the visit is booked, even if its time had been released, and the excess is refunded', async () => {
    await using at = await makeMismatchedPayment({ amount: 7_500 }, await makeDatabase())
    await releaseHold(at)
    const { db } = at.testApp.database
    expect(await db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
    const { testApp } = at
    const done = parsed(await at.decide('accept'))
    expect([done.state, done.isComing]).toEqual(['confirmed', true])
    expect(done.payments).toMatchObject([
      {
        state: 'paid',
        taken: { minor: 7_500, currency: 'GBP' },
        refunded: { minor: 1_500 },
        refundable: 6_000,
      },
    ])
    expect(gatewayRefunds(at)).toEqual([1_500])
    expect(await db.selectFrom('slot_claims').select('booking_no').execute()).toHaveLength(1)
    expect(await db.selectFrom('slots').select('free').execute()).toEqual([{ free: 0 }])
    await testApp.drainOutbox()
    const subjects = testApp.mails.map(({ subject }) => subject)
    expect(subjects.filter((one) => one.startsWith('Booked:'))).toHaveLength(1)
    expect(subjects).toContain('We’ve refunded £15.00')
  })

  test.each(['accept', 'return'] as const)(
    'once decided (%s), the daily comparison with the gateway has nothing to add',
    async (decision) => {
      await using at = await makeMismatchedPayment({ amount: 7_500 }, await makeDatabase())
      expect((await at.decide(decision)).code).toBeNull()
      await reconcileGateways(at.testApp.services)
      const { db } = at.testApp.database
      expect(await db.selectFrom('payment_differences').selectAll().execute()).toEqual([])
    },
  )

  test('an excess above the refund limit is for superusers: nothing is booked and no money moves', async () => {
    await using at = await makeMismatchedPayment({ amount: 36_001 }, await makeDatabase())
    expect(await at.decide('accept')).toMatchObject({ code: 'refund_over_limit', status: 403 })
    expect(gatewayRefunds(at)).toEqual([])
    expect((await at.admin.ask('payments.reviewCount', {})).data).toMatchObject({ payments: 1 })
  })

  test('cannot be accepted once somebody else has the time, and no money moves', async () => {
    await using at = await makeMismatchedPayment({ amount: 7_500 }, await makeDatabase())
    await releaseHold(at)
    await at.hold(at.stranger)
    expect(await at.decide('accept')).toMatchObject({ code: 'slot_taken', status: 409 })
    expect(gatewayRefunds(at)).toEqual([])
    const { state } = await at.testApp.database.db
      .selectFrom('payments')
      .select('state')
      .where('no', '=', at.payment.no)
      .executeTakeFirstOrThrow()
    expect(state).toBe('review')
    expect(parsed(await at.decide('return')).payments).toMatchObject([{ state: 'refunded' }])
  })

  test.each([1_000, 2_500])(
    '%i of £50.00 refunded at the gateway: only the rest is refunded',
    async (byHand) => {
      await using at = await makeMismatchedPayment({ amount: 5_000 }, await makeDatabase())
      await refundByHand(at, byHand)
      await settle(at.patient, at.payment)
      const done = parsed(await at.decide('return'))
      expect(done.payments).toMatchObject([{ state: 'refunded', refunded: { minor: 5_000 } }])
      expect(gatewayRefunds(at).toSorted((a, b) => a - b)).toEqual([byHand, 5_000 - byHand])
      expect((await at.admin.ask('payments.reviewCount', {})).data).toMatchObject({ refunds: 0 })
    },
  )

  test.each([2_000, 7_500])(
    '%i of £75.00 refunded at the gateway: no longer pays for the visit',
    async (byHand) => {
      await using at = await makeMismatchedPayment({ amount: 7_500 }, await makeDatabase())
      await refundByHand(at, byHand)
      await settle(at.patient, at.payment)
      const { payments } = Reviews.parse((await at.admin.ask('payments.reviews', {})).data)
      expect(payments[0]?.whyNotAccept).toContain('doesn’t pay for the visit')
      expect((await at.decide('accept')).code).toBe('review_not_covered')
      expect((await at.decide('return')).code).toBeNull()
      expect(gatewayRefunds(at).reduce((sum, one) => sum + one, 0)).toBe(7_500)
      expect((await at.admin.ask('payments.reviewCount', {})).data).toMatchObject({ refunds: 0 })
    },
  )

  test('the excess refunded at the gateway in part: accepted, and only the rest of it is refunded', async () => {
    await using at = await makeMismatchedPayment({ amount: 7_500 }, await makeDatabase())
    await refundByHand(at, 750)
    const done = parsed(await at.decide('accept'))
    expect(done.payments).toMatchObject([
      { state: 'paid', refunded: { minor: 1_500 }, refundable: 6_000 },
    ])
    expect(gatewayRefunds(at)).toEqual([750, 750])
  })

  test('accepted with too much: what the visit earned and the fee for cancelling late are of its price', async () => {
    await using at = await makeMismatchedPayment({ amount: 7_500 }, await makeDatabase())
    await at.decide('accept')
    const { caller } = await signInProvider(at.testApp)
    const gbp = (minor: number) => ({ minor, currency: 'GBP' })
    expect((await caller.payments.earnings()).coming).toEqual(gbp(6_000))
    const filters = { page: 1, sort: 'desc', month: 'all', payment_method: 'all' } as const
    const { appointments } = await caller.payments.providerHistory(filters)
    expect(appointments).toMatchObject([{ amount: gbp(7_500), refunded: gbp(1_500) }])
    expect(await caller.booking.providerVisit({ id: at.held.id })).toMatchObject({
      paid: gbp(7_500),
      refunded: gbp(1_500),
      refundable: gbp(6_000),
    })
    // A day before the visit, half of the price is kept.
    at.testApp.advance(49 * 60 * 60_000)
    const patient = createCaller(at.patient)
    const { sequence, refund } = await patient.visits.terms({ id: at.held.id })
    const { visit } = await patient.visits.cancel({ id: at.held.id, sequence, refund })
    expect(refund).toEqual(gbp(3_000))
    expect(visit.lateFee).toEqual({ amount: gbp(3_000), state: 'open' })
  })

  test('another currency is refunded as received', async () => {
    await using at = await makeMismatchedPayment(
      { amount: 6_000, currency: 'usd' },
      await makeDatabase(),
    )
    expect(await at.decide('accept')).toMatchObject({ code: 'review_not_covered' })
    const done = parsed(await at.decide('return'))
    expect(done.payments).toMatchObject([{ refunded: { minor: 6_000, currency: 'USD' } }])
    await at.testApp.drainOutbox()
    expect(at.testApp.mails.at(-1)?.subject).toBe('We’ve refunded $60.00')
  })

  test.each(['card', 'wallet'] as const)(
    'accepted while the patient has another open %s payment: that one is closed first',
    async (by) => {
      await using at = await makeMismatchedPayment({ amount: 6_100 }, await makeDatabase())
      const session = await (by === 'card' ? at.card(at.held) : at.wallet(at.held))
      const { status, data } = await at.decide('accept')
      expect(status).toBe(200)
      expect(parsed({ data }).state).toBe('confirmed')
      const other = await findBySession(
        at.testApp.database.db,
        by === 'card' ? 'stripe' : 'paypal',
        session,
      )
      expect(['expired', 'abandoned']).toContain(other?.state)
    },
  )

  test('refused because of its excess: the patient’s other open payment stays open', async () => {
    await using at = await makeMismatchedPayment({ amount: 36_001 }, await makeDatabase())
    const session = await at.card(at.held)
    expect((await at.decide('accept')).code).toBe('refund_over_limit')
    const other = await findBySession(at.testApp.database.db, 'stripe', session)
    expect(other?.state).toBe('open')
    at.sandbox.payByCard(session)
    await settle(at.patient, other ?? at.payment)
    const { db } = at.testApp.database
    expect(await db.selectFrom('bookings').select('state').execute()).toEqual([
      { state: 'confirmed' },
    ])
  })

  test('accepted after the patient has paid again: refused, and the visit stays theirs', async () => {
    await using at = await makeMismatchedPayment({ amount: 6_100 }, await makeDatabase())
    const session = await at.card(at.held)
    at.sandbox.payByCard(session)
    expect(await at.decide('accept')).toMatchObject({ code: 'review_other_payment', status: 409 })
    expect((await at.decide('return')).code).toBeNull()
    expect(gatewayRefunds(at)).toEqual([6_100])
  })

  test('a difference is listed, and resolved once, with a note', async () => {
    await using at = await makeMismatchedPayment({ amount: 5_000 }, await makeDatabase())
    const { db } = at.testApp.database
    const key = { gateway: 'stripe' as const, object: 'pi_stray', kind: 'no_payment' as const }
    const found = { payment_no: null, amount_minor: 4_200, currency: 'EUR', details: null }
    const found_at = at.testApp.services.now()
    await db
      .insertInto('payment_differences')
      .values({ ...key, ...found, found_at, told_at: null })
      .execute()
    const ask = async (show: string) =>
      Differences.parse((await at.admin.ask('payments.differences', { show })).data)
    expect(await ask('open')).toMatchObject({
      differences: [
        { ...key, amount: { minor: 4_200, currency: 'EUR' }, ours: null, dealtAt: null },
      ],
      total: 1,
      total_pages: 1,
    })
    const first = await at.admin.act('payments.settleDifference', { ...key, reason })
    expect(first.data).toMatchObject({ dealtBy: 'admin@demo.example', dealtNote: reason })
    const second = await at.admin.act('payments.settleDifference', { ...key, reason: 'Another.' })
    expect(second.data).toEqual(first.data)
    expect((await ask('open')).total).toBe(0)
    expect((await ask('dealt')).total).toBe(1)
    const unknown = { ...key, object: 'pi_nobody', reason }
    expect((await at.admin.act('payments.settleDifference', unknown)).code).toBe('not_found')
  })
})
