import { expect, test } from 'vitest'
import type { PaymentDifferenceRow } from '#db/tables/payments.ts'
import { createRefund } from '#sandbox/stripe/stripe-refunds-disputes.ts'
import { capture, readReturn } from '#server/payments/paying/capture.ts'
import { sweepHolds } from '#server/payments/paying/close-payment.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { reconcileGateways } from './reconcile-gateways.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ALERT = 'A payment doesn’t match the gateway’s records'

async function payment({ testApp }: PaymentFixture) {
  return testApp.database.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow()
}

async function booking({ testApp }: PaymentFixture) {
  return testApp.database.db.selectFrom('bookings').selectAll().executeTakeFirstOrThrow()
}

async function listDifferences({ testApp }: PaymentFixture): Promise<PaymentDifferenceRow[]> {
  return testApp.database.db.selectFrom('payment_differences').selectAll().execute()
}

/** Emails to staff about it. */
async function alertTexts({ testApp }: PaymentFixture): Promise<string[]> {
  await testApp.drainOutbox()
  return testApp.mails.filter(({ subject }) => /match/.test(subject)).map(({ text }) => text)
}

/** A visit paid by card; returns the gateway's id of the charge. */
async function paid(fixture: PaymentFixture): Promise<string> {
  const session = await fixture.card(await fixture.hold())
  fixture.sandbox.payByCard(session)
  await readReturn(fixture.patient, { session_id: session })
  return (await payment(fixture)).gw_payment ?? ''
}

/** A charge made by hand in the gateway's dashboard. */
/** A refund of £10.00 made by hand at PayPal. */
function refundByHand({ sandbox }: PaymentFixture, taken: { id: string; created: number }): void {
  sandbox.sandbox.ctx.store.put('walletRefund', {
    id: 'BYHAND',
    capture: taken.id,
    status: 'COMPLETED',
    currency: 'GBP',
    value: '10.00',
    customId: null,
    invoiceId: null,
    created: taken.created,
  })
}

function chargeInDashboard({ sandbox }: PaymentFixture, like: string): void {
  const { store } = sandbox.sandbox.ctx
  const charge = store.list('charge').find(({ intent }) => intent === like)
  if (charge === undefined) throw new Error('There is no function to replace.')
  store.put('charge', { ...charge, id: 'ch_byhand', intent: 'pi_byhand', metadata: {} })
}

describeEngines('the daily reconciliation', (makeDatabase) => {
  const begin = async () => makePaymentFixture({ database: await makeDatabase() })

  test('finds nothing where everything matches', async () => {
    await using fixture = await begin()
    await paid(fixture)
    fixture.testApp.advance(2 * HOUR)
    await reconcileGateways(fixture.testApp.services)
    expect(await listDifferences(fixture)).toEqual([])
    expect(await alertTexts(fixture)).toEqual([])
  })

  test('books a paid visit that no webhook, page or poll reported', async () => {
    await using fixture = await begin()
    fixture.sandbox.payByCard(await fixture.card(await fixture.hold()))
    await reconcileGateways(fixture.testApp.services)
    expect([(await payment(fixture)).state, (await booking(fixture)).state]).toEqual([
      'paid',
      'confirmed',
    ])
    expect(await listDifferences(fixture)).toEqual([])
  })

  test('books a wallet payment whose capture got no response', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    const rules = [{ path: '*/capture', fault: 'drop_after' as const, times: 3 }]
    const lost = { path: `/v2/checkout/orders/${orderId}`, method: 'GET' as const, times: 9 }
    await fixture.sandbox.tell({
      do: 'fail_calls',
      rules: [...rules, { ...lost, fault: 'drop_before' }],
    })
    expect(await capture(fixture.patient, { orderId })).toEqual({ success: true })
    expect((await payment(fixture)).state).toBe('capturing')
    await fixture.sandbox.tell({ do: 'fail_calls', rules: [] })
    await reconcileGateways(fixture.testApp.services)
    expect([(await payment(fixture)).state, (await booking(fixture)).state]).toEqual([
      'paid',
      'confirmed',
    ])
    expect(await listDifferences(fixture)).toEqual([])
  })

  test('refunds a payment that arrived after all other checks', async () => {
    await using fixture = await begin()
    const session = await fixture.card(await fixture.hold())
    fixture.testApp.advance(16 * MINUTE)
    await sweepHolds(fixture.testApp.services)
    const { store } = fixture.sandbox.sandbox.ctx
    const closed = store.find('session', session)
    if (closed === undefined) throw new Error('The session is gone.')
    fixture.testApp.advance(26 * HOUR)
    store.put('session', { ...closed, status: 'open', expiresAt: closed.expiresAt + 100_000 })
    fixture.sandbox.payByCard(session)
    await reconcileGateways(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    expect((await payment(fixture)).state).toBe('refunded')
    expect(store.list('refund')).toHaveLength(1)
    fixture.testApp.advance(DAY)
    await reconcileGateways(fixture.testApp.services)
    expect(await listDifferences(fixture)).toEqual([])
  })

  test('records a charge made at the gateway’s dashboard, and notifies staff once', async () => {
    await using fixture = await begin()
    chargeInDashboard(fixture, await paid(fixture))
    await reconcileGateways(fixture.testApp.services)
    const { amount_minor: amount } = await payment(fixture)
    expect(await listDifferences(fixture)).toMatchObject([
      { kind: 'no_payment', object: 'pi_byhand', payment_no: null, amount_minor: amount },
    ])
    const [email] = await alertTexts(fixture)
    expect(email).toMatch(/Charge with no matching payment/)
    expect(email).toContain('60.00 GBP, stripe, pi_byhand')
    expect(fixture.testApp.mails.at(-1)).toMatchObject({
      to: fixture.testApp.services.config.supportEmail,
      subject: ALERT,
    })
    const audited = await fixture.testApp.database.db
      .selectFrom('audit')
      .select(['entity', 'outcome', 'actor_kind'])
      .where('action', '=', 'payment.differs')
      .execute()
    expect(audited).toEqual([{ entity: 'pi_byhand', outcome: 'failed', actor_kind: 'system' }])
    fixture.testApp.advance(DAY)
    await reconcileGateways(fixture.testApp.services)
    expect(await alertTexts(fixture)).toHaveLength(1)
  })

  test('finds a refund made at the gateway, and recognizes our own', async () => {
    await using fixture = await begin()
    const intent = await paid(fixture)
    const { ctx } = fixture.sandbox.sandbox
    createRefund(ctx, { payment_intent: intent, amount: 1_500 })
    await reconcileGateways(fixture.testApp.services)
    const { no, id } = await payment(fixture)
    expect(await listDifferences(fixture)).toMatchObject([
      { kind: 'refund_unknown', payment_no: no, amount_minor: 1_500, currency: 'GBP' },
    ])
    expect((await alertTexts(fixture))[0]).toContain(id)
    expect((await payment(fixture)).state).toBe('paid')
  })

  test('finds wallet refunds made there, wrong amounts and missing money', async () => {
    await using fixture = await begin()
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    await capture(fixture.patient, { orderId })
    const { store } = fixture.sandbox.sandbox.ctx
    const [taken] = store.list('capture')
    if (taken === undefined) throw new Error('Nothing was captured.')
    store.put('capture', { ...taken, value: '59.00' })
    refundByHand(fixture, taken)
    await reconcileGateways(fixture.testApp.services)
    expect(
      new Map((await listDifferences(fixture)).map(({ kind, object }) => [kind, object])),
    ).toEqual(
      new Map([
        ['amount', taken.id],
        ['refund_unknown', 'BYHAND'],
      ]),
    )
    store.put('capture', { ...taken, status: 'DECLINED' })
    fixture.testApp.advance(DAY)
    await reconcileGateways(fixture.testApp.services)
    expect((await listDifferences(fixture)).map(({ kind }) => kind)).toContain('no_money')
    expect(await alertTexts(fixture)).toHaveLength(2)
  })

  test('an order that cannot be read does not keep later ones from being compared', async () => {
    await using fixture = await begin()
    const unreadable = await fixture.wallet(await fixture.hold())
    fixture.testApp.advance(16 * MINUTE)
    await sweepHolds(fixture.testApp.services)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    await capture(fixture.patient, { orderId })
    const [taken] = fixture.sandbox.sandbox.ctx.store.list('capture')
    if (taken === undefined) throw new Error('Nothing was captured.')
    refundByHand(fixture, taken)
    const path = `/v2/checkout/orders/${unreadable}`
    await fixture.sandbox.tell({
      do: 'fail_calls',
      rules: [{ path, fault: 'error_500', times: 99 }],
    })
    await reconcileGateways(fixture.testApp.services)
    expect((await listDifferences(fixture)).map(({ object }) => object)).toEqual(['BYHAND'])
    // The comparison is incomplete, and is made again an hour later.
    await fixture.sandbox.tell({ do: 'fail_calls', rules: [] })
    fixture.testApp.advance(HOUR)
    const asked: string[] = []
    fixture.sandbox.sandbox.listen = (call) => asked.push(call.path)
    await reconcileGateways(fixture.testApp.services)
    expect(asked).toContain(path)
  })

  test('a card payment that cannot be read does not keep the rest from being compared', async () => {
    await using fixture = await begin()
    const unreadable = await fixture.card(await fixture.hold())
    fixture.testApp.advance(16 * MINUTE)
    await sweepHolds(fixture.testApp.services)
    const session = await fixture.card(await fixture.hold())
    fixture.sandbox.payByCard(session)
    const { ctx } = fixture.sandbox.sandbox
    const [own] = ctx.store.list('charge')
    await readReturn(fixture.patient, { session_id: session })
    createRefund(ctx, { payment_intent: own?.intent ?? '', amount: 1_500 })
    const closed = ctx.store.find('session', unreadable)
    if (closed === undefined) throw new Error('The session is gone.')
    ctx.store.put('session', { ...closed, status: 'open', expiresAt: closed.expiresAt + 100_000 })
    fixture.sandbox.payByCard(unreadable)
    const path = `/v1/checkout/sessions/${unreadable}`
    await fixture.sandbox.tell({
      do: 'fail_calls',
      rules: [{ path, fault: 'error_500', times: 99 }],
    })
    await reconcileGateways(fixture.testApp.services)
    expect((await listDifferences(fixture)).map(({ kind }) => kind)).toEqual(['refund_unknown'])
    // The comparison is incomplete, and is made again an hour later.
    await fixture.sandbox.tell({ do: 'fail_calls', rules: [] })
    fixture.testApp.advance(HOUR)
    const asked: string[] = []
    fixture.sandbox.sandbox.listen = (call) => asked.push(call.path)
    await reconcileGateways(fixture.testApp.services)
    expect(asked).toContain(path)
  })

  test('finds a wrong amount, money without a visit, and a payment without money', async () => {
    await using fixture = await begin()
    const intent = await paid(fixture)
    const { store } = fixture.sandbox.sandbox.ctx
    const charge = store.list('charge').find((one) => one.intent === intent)
    if (charge === undefined) throw new Error('Nothing was charged.')
    store.put('charge', { ...charge, amount: charge.amount + 100 })
    await reconcileGateways(fixture.testApp.services)
    store.put('charge', charge)
    const { db } = fixture.testApp.database
    const lost = { state: 'released', paid_by: null } as const
    await db.updateTable('bookings').set(lost).execute()
    fixture.testApp.advance(DAY)
    await reconcileGateways(fixture.testApp.services)
    await db.updateTable('payments').set({ gw_payment: 'pi_of_nobody' }).execute()
    fixture.testApp.advance(DAY)
    await reconcileGateways(fixture.testApp.services)
    expect((await listDifferences(fixture)).map(({ kind }) => kind).toSorted()).toEqual([
      'amount',
      'no_money',
      // The remaining charge now belongs to no payment.
      'no_payment',
      'no_visit',
    ])
  })

  test('runs once a day, and an hour later again if a gateway was down', async () => {
    await using fixture = await begin()
    const asked: string[] = []
    fixture.sandbox.sandbox.listen = ({ path }) => asked.push(path)
    const away = { path: '/v1/charges', fault: 'error_500' as const, times: 9 }
    await fixture.sandbox.tell({ do: 'fail_calls', rules: [away] })
    await reconcileGateways(fixture.testApp.services)
    await fixture.sandbox.tell({ do: 'fail_calls', rules: [] })
    asked.length = 0
    fixture.testApp.advance(HOUR)
    await reconcileGateways(fixture.testApp.services)
    expect(asked).toContain('/v1/charges')
    asked.length = 0
    fixture.testApp.advance(23 * HOUR)
    await reconcileGateways(fixture.testApp.services)
    expect(asked).toEqual([])
    fixture.testApp.advance(HOUR)
    await reconcileGateways(fixture.testApp.services)
    expect(asked).toContain('/v1/charges')
  })

  test('staff are notified once of a refund the bank returned days later', async () => {
    await using fixture = await begin()
    const session = await fixture.card(await fixture.hold())
    fixture.testApp.advance(16 * MINUTE)
    await sweepHolds(fixture.testApp.services)
    const { store } = fixture.sandbox.sandbox.ctx
    const closed = store.find('session', session)
    if (closed === undefined) throw new Error('The session is gone.')
    store.put('session', { ...closed, status: 'open' })
    fixture.sandbox.payByCard(session, '4000 0000 0000 5126')
    await reconcileGateways(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    expect((await payment(fixture)).state).toBe('refunded')
    fixture.testApp.advance(DAY)
    fixture.sandbox.sandbox.tick()
    for (let round = 0; round < 2; round += 1) {
      await reconcileGateways(fixture.testApp.services)
      fixture.testApp.advance(DAY)
    }
    await fixture.testApp.drainOutbox()
    const failed = fixture.testApp.mails.filter(({ subject }) =>
      subject.includes('refund was rejected'),
    )
    expect(failed).toHaveLength(1)
  })
})
