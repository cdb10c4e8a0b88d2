import { expect, test } from 'vitest'
import { StaffPayment } from '#contract/payments.ts'
import { Reviews } from '#contract/payments-review.ts'
import type { Database } from '#db/engine.ts'
import { settle } from '#server/payments/paying/settle.ts'
import { findBySession } from '#server/payments/store.ts'
import { PASSWORD } from '#tests/harness/accounts.ts'
import type { Browser } from '#tests/harness/browser.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { erasePayer } from './refund.ts'
import { recheckRefunds, runRefunds } from './run-refunds.ts'

const uuid = (n: number) => `0b8f7c3e-5a44-4f0e-9d57-${String(n).padStart(12, '0')}`
const reason = 'The practice was closed that day.'

/** A visit of £60.00 that was paid, and an admin. */
async function open(database?: Database, by: 'card' | 'wallet' = 'card') {
  const fixture = await makePaymentFixture(database === undefined ? {} : { database })
  const { testApp, sandbox, patient } = fixture
  const hold = await fixture.hold()
  const session = await (by === 'card' ? fixture.card(hold) : fixture.wallet(hold))
  if (by === 'card') sandbox.payByCard(session)
  else sandbox.approve(session)
  const gateway = by === 'card' ? 'stripe' : 'paypal'
  const payment = await findBySession(testApp.database.db, gateway, session)
  if (payment === undefined) throw new Error('There is no payer.')
  if (by === 'wallet') await testApp.services.gateways.paypal.capture(session, payment.id)
  await settle(patient, payment)
  await testApp.drainOutbox()
  const admin = await signInDemoStaff(testApp, 'admin')
  const input = (minor: number, n = 1, rest: object = {}) => ({
    paymentId: payment.id,
    minor,
    reason,
    key: uuid(n),
    ...rest,
  })
  return {
    ...fixture,
    booked: hold.id,
    payment,
    admin,
    input,
    refund: (minor: number, n = 1, rest: object = {}) =>
      admin.act('payments.refund', input(minor, n, rest)),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

/** Amounts refunded according to the gateways. */
function gatewayRefunds({ sandbox }: Pick<PaymentFixture, 'sandbox'>): number[] {
  const { store } = sandbox.sandbox.ctx
  return [
    ...store.list('refund').map(({ amount }) => amount),
    ...store.list('walletRefund').map(({ value }) => Math.round(Number(value) * 100)),
  ].toSorted((a, b) => a - b)
}

const parsed = ({ data }: { data?: unknown }) => StaffPayment.parse(data)

describeEngines('refunds by staff', (makeDatabase) => {
  test.each(['card', 'wallet'] as const)(
    'a %s is refunded in parts and then in full, with an email each, and the visit stays',
    async (by) => {
      await using at = await open(await makeDatabase(), by)
      const { testApp, patient } = at
      const first = parsed(await at.refund(2_000, 1))
      expect(first.payments).toMatchObject([
        { state: 'paid', refunded: { minor: 2_000, currency: 'GBP' }, refundable: 4_000 },
      ])
      const second = parsed(await at.refund(4_000, 2))
      expect(second.payments).toMatchObject([
        { state: 'paid', refunded: { minor: 6_000 }, refundable: 0 },
      ])
      expect(second.state).toBe('confirmed')
      expect(gatewayRefunds(at)).toEqual([2_000, 4_000])
      await testApp.drainOutbox()
      const { email } = await testApp.database.db
        .selectFrom('accounts')
        .select('email')
        .where('no', '=', patient.session.accountNo)
        .executeTakeFirstOrThrow()
      const emails = testApp.mails.filter(({ to }) => to === email).slice(1)
      expect(emails.map(({ subject }) => subject)).toEqual([
        'We’ve refunded £20.00',
        'We’ve refunded £40.00',
      ])
      const when = 'Thursday 5 March 2026, 09:00 (London time, GMT)'
      for (const { text, html } of emails) {
        expect(text).toContain(`When: ${when}\nWho: Dr Amara Okafor\nReference: AP-`)
        // The preview in a list of emails names no provider.
        expect(html).toContain(`overflow:hidden">${when}</div>`)
      }
      expect(JSON.stringify(testApp.mails)).not.toContain(reason)
      expect(await at.refund(1, 3)).toMatchObject({ code: 'refund_nothing', status: 409 })
      const { data } = await at.admin.ask('payments.staffHistory', { state: 'refunded' })
      expect(data).toMatchObject({ appointments: [{ refunded: { minor: 6_000 } }] })
      expect(second.timeline.map(({ what, note, who }) => [what, note, who])).toEqual(
        expect.arrayContaining([
          ['refund_asked', reason, 'admin@demo.example'],
          ['refund_ended', null, null],
        ]),
      )
      expect(JSON.stringify(second)).not.toContain('cough')
    },
  )

  test('a repeat with the same key is one refund; another amount with it is refused', async () => {
    await using at = await open(await makeDatabase())
    const answers = await Promise.all([1, 2, 3, 4].map(() => at.refund(2_500)))
    expect(answers.map(({ code }) => code)).toEqual([null, null, null, null])
    expect(gatewayRefunds(at)).toEqual([2_500])
    expect(await at.refund(2_000)).toMatchObject({ code: 'key_reused' })
    const asked = await at.testApp.database.db
      .selectFrom('audit')
      .select(['actor_kind', 'entity'])
      .where('action', '=', 'payment.refund_asked')
      .execute()
    expect(asked).toEqual([{ actor_kind: 'staff', entity: at.payment.id }])
  })

  test('fifty concurrent refunds never exceed the amount received', async () => {
    await using at = await open(await makeDatabase())
    // None of the fifty is rate-limited: the limits apply per network.
    const amounts = Array.from({ length: 50 }, (_, n) => 300 + ((n * 7_919) % 1_700))
    const answers = await Promise.all(amounts.map((minor, n) => at.refund(minor, n + 10)))
    const taken = amounts.filter((_, n) => answers[n]?.code === null)
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([null, 'refund_too_much']))
    await runRefunds(at.testApp.services)
    const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0)
    expect(gatewayRefunds(at)).toEqual(taken.toSorted((a, b) => a - b))
    expect(sum(gatewayRefunds(at))).toBeLessThanOrEqual(6_000)
    // Every rejected amount was too large for what was left.
    const left = 6_000 - sum(taken)
    const refused = amounts.filter((_, n) => answers[n]?.code !== null)
    expect(Math.min(...refused)).toBeGreaterThan(left)
  })

  test('the time is released only with a full refund, with calendar files', async () => {
    await using at = await open(await makeDatabase())
    const { testApp, booked } = at
    const { db } = testApp.database
    const release = { releaseTime: true }
    expect(await at.refund(1_000, 1, release)).toMatchObject({ code: 'release_impossible' })
    const done = parsed(await at.refund(6_000, 2, release))
    expect([done.state, done.isComing]).toEqual(['cancelled', false])
    expect(await db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('slots').select('free').execute()).toEqual([{ free: 1 }])
    await testApp.drainOutbox()
    const cancelled = testApp.mails.filter(({ subject }) => /cancelled/i.test(subject))
    expect(cancelled).toHaveLength(2)
    for (const mail of cancelled) {
      expect(mail.files?.[0]).toMatchObject({ type: 'text/calendar; charset=utf-8; method=CANCEL' })
      const text = mail.files?.[0]?.text ?? ''
      for (const line of ['METHOD:CANCEL', 'STATUS:CANCELLED', 'SEQUENCE:1', booked]) {
        expect(text).toContain(line)
      }
    }
    // Somebody else can book it.
    const next = await at.hold(at.stranger)
    expect(next.state).toBe('held')
  })

  test('a gateway that does not respond is retried: one refund in the end', async () => {
    await using at = await open(await makeDatabase(), 'wallet')
    const rules = [{ path: '/v2/payments/captures/', fault: 'drop_after' as const, times: 20 }]
    await at.sandbox.tell({ do: 'fail_calls', rules })
    const asked = parsed(await at.refund(2_000))
    expect(asked.payments).toMatchObject([{ refunded: { minor: 2_000 }, refundable: 4_000 }])
    for (let round = 0; round < 6; round += 1) {
      at.testApp.advance(3_600_000)
      await runRefunds(at.testApp.services)
    }
    expect(gatewayRefunds(at)).toEqual([2_000])
    const refunds = await at.testApp.database.db.selectFrom('refunds').select('state').execute()
    expect(refunds).toEqual([{ state: 'done' }])
  })

  test('a refund the bank returned can be repeated, or marked as refunded', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const { testApp, sandbox, patient } = fixture
    const session = await fixture.card(await fixture.hold())
    sandbox.payByCard(session, '4000 0000 0000 5126')
    const payment = await findBySession(testApp.database.db, 'stripe', session)
    if (payment === undefined) throw new Error('There is no payer.')
    await settle(patient, payment)
    const admin = await signInDemoStaff(testApp, 'admin')
    const fail = async (n: number) => {
      await admin.act('payments.refund', {
        paymentId: payment.id,
        minor: 6_000,
        reason,
        key: uuid(n),
      })
      testApp.advance(60_000)
      sandbox.sandbox.tick()
      await recheckRefunds(testApp.context(), payment)
    }
    await fail(1)
    expect((await admin.ask('payments.reviewCount', {})).data).toMatchObject({ refunds: 1 })
    await fail(2)
    const { data } = await admin.ask('payments.reviews', {})
    const [failed, ...others] = Reviews.parse(data).refunds
    expect(others).toEqual([])
    const byHand = { refundId: failed?.refundId, reason: 'Paid to the bank account they named.' }
    const settled = parsed(await admin.act('payments.settleRefund', byHand))
    expect(settled.payments).toMatchObject([{ refunded: { minor: 6_000 }, refundable: 0 }])
    expect(parsed(await admin.act('payments.settleRefund', byHand))).toEqual(settled)
    expect((await admin.ask('payments.reviewCount', {})).data).toMatchObject({ refunds: 0 })
  })
})

test('an editor sees what happened to the money, without names, staff or notes', async () => {
  await using at = await open()
  await at.refund(2_000)
  const editor = await signInDemoStaff(at.testApp, 'editor')
  const seen = parsed(await editor.ask('payments.staffPayment', { id: at.booked }))
  expect(seen).toMatchObject({ user_name: null, doctor_name: null })
  expect(seen.timeline.map(({ what }) => what)).toContain('refund_asked')
  expect(seen.timeline.filter(({ who }) => who !== null)).toEqual([])
  expect(JSON.stringify(seen)).not.toContain(reason)
})

/** Changes the price of the visit, at the gateway and in our records. */
async function chargeMore(at: Awaited<ReturnType<typeof open>>, minor: number) {
  const { store } = at.sandbox.sandbox.ctx
  for (const charge of store.list('charge')) store.put('charge', { ...charge, amount: minor })
  await at.testApp.database.db
    .updateTable('payments')
    .set({ taken_minor: minor })
    .where('no', '=', at.payment.no)
    .execute()
}

test('above the limit a superuser with a step-up is needed; partial refunds add up', async () => {
  await using at = await open()
  await chargeMore(at, 40_000)
  expect(await at.refund(30_001, 1)).toMatchObject({
    code: 'refund_over_limit',
    status: 403,
    message: 'Only superusers can refund more than £300.00 of one payment in total.',
  })
  expect((await at.refund(20_000, 2)).code).toBeNull()
  expect((await at.refund(10_001, 3)).code).toBe('refund_over_limit')
  const superuser = await signInDemoStaff(at.testApp, 'superuser')
  const asked = at.input(10_001, 4)
  const end = async (browser: Browser) => {
    await at.testApp.database.db.updateTable('sessions').set({ stepped_up_until: null }).execute()
    return browser.act('payments.refund', asked)
  }
  expect((await end(superuser)).code).toBe('step_up_required')
  expect((await superuser.act('auth.stepUp', { password: PASSWORD })).code).toBeNull()
  expect((await superuser.act('payments.refund', asked)).code).toBeNull()
  const denied = await at.testApp.database.db
    .selectFrom('audit')
    .select('details')
    .where('action', '=', 'call.denied')
    .execute()
  expect(denied.map(({ details }) => details)).toEqual([
    '{"code":"refund_over_limit"}',
    '{"code":"refund_over_limit"}',
    '{"code":"step_up_required"}',
  ])
})

test('what staff refund by cancelling a visit counts towards the limit', async () => {
  await using at = await open()
  await chargeMore(at, 40_000)
  // Cancelled late: half of the price is kept.
  const late = { first_minor: 50_000, free_until: 0 }
  await at.testApp.database.db.updateTable('bookings').set(late).execute()
  const refund = { minor: 15_000, currency: 'GBP' }
  const cancelling = { id: at.booked, for: 'patient', sequence: 0, refund, reason }
  expect((await at.admin.act('visits.cancelFor', cancelling)).code).toBeNull()
  expect((await at.refund(15_001, 1)).code).toBe('refund_over_limit')
  expect((await at.refund(15_000, 2)).code).toBeNull()
})

test('staff notes are deleted with the account', async () => {
  await using at = await open()
  await at.refund(1_000)
  const { db } = at.testApp.database
  const { no, gw_payment: gwPayment } = await db
    .selectFrom('payments')
    .select(['no', 'gw_payment'])
    .executeTakeFirstOrThrow()
  const difference = { gateway: 'stripe', object: gwPayment ?? '', kind: 'amount' } as const
  await db
    .insertInto('payment_differences')
    .values({
      ...difference,
      payment_no: no,
      amount_minor: 6_000,
      currency: 'GBP',
      details: null,
      found_at: 1,
      told_at: 1,
    })
    .execute()
  const settled = await at.admin.act('payments.settleDifference', { ...difference, reason })
  expect(settled.code).toBeNull()
  const notes = async () => [
    await db.selectFrom('refunds').select('note').execute(),
    await db.selectFrom('payment_differences').select('dealt_note as note').execute(),
  ]
  expect(await notes()).toEqual([[{ note: reason }], [{ note: reason }]])
  await erasePayer(at.testApp.services, at.patient.session.userId)
  expect(await notes()).toEqual([[{ note: null }], [{ note: null }]])
})

test.each([
  [{ minor: 0 }, 'minor', 'Enter an amount.'],
  [{ minor: -5 }, 'minor', 'Enter an amount.'],
  [{ minor: 1.5 }, 'minor', 'Enter an amount.'],
  [{ reason: ' \n' }, 'reason', 'Give the reason: it is kept with the payment.'],
  [{ reason: 'x'.repeat(501) }, 'reason', 'Use 500 characters or fewer.'],
])('%j is refused beside its field', async (change, path, message) => {
  await using at = await open()
  const { status, issues } = await at.admin.act('payments.refund', { ...at.input(100), ...change })
  expect([status, issues]).toEqual([400, [{ path, message }]])
})
