import { expect, test } from 'vitest'
import type { PaymentDifferenceRow } from '#db/tables/payments.ts'
import { createRefund } from '#sandbox/stripe/stripe-refunds.ts'
import { capture } from '#server/payments/paying/capture.ts'
import { readReturn } from '#server/payments/paying/read-payment.ts'
import { sweepHolds } from '#server/payments/paying/sweep-holds.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makeTill, type Till } from '#tests/harness/paying.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { compareBooks } from './compare-books.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ALERT = 'A payment doesn’t match the gateway’s records'

async function payment({ testApp }: Till) {
  return testApp.database.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow()
}

async function booking({ testApp }: Till) {
  return testApp.database.db.selectFrom('bookings').selectAll().executeTakeFirstOrThrow()
}

async function found({ testApp }: Till): Promise<PaymentDifferenceRow[]> {
  return testApp.database.db.selectFrom('payment_differences').selectAll().execute()
}

/** Emails to staff about it. */
async function told({ testApp }: Till): Promise<string[]> {
  await testApp.drainOutbox()
  return testApp.mails.filter(({ subject }) => /match/.test(subject)).map(({ text }) => text)
}

/** A visit paid by card; returns the gateway's id of the charge. */
async function paid(till: Till): Promise<string> {
  const session = await till.card(await till.hold())
  till.sandbox.payByCard(session)
  await readReturn(till.patient, { session_id: session })
  return (await payment(till)).gw_payment ?? ''
}

/** A charge made by hand in the gateway's dashboard. */
function takeByHand({ sandbox }: Till, like: string): void {
  const { store } = sandbox.sandbox.ctx
  const charge = store.list('charge').find(({ intent }) => intent === like)
  if (charge === undefined) throw new Error('There is nothing to do alike.')
  store.put('charge', { ...charge, id: 'ch_byhand', intent: 'pi_byhand', metadata: {} })
}

describeEngines('the daily comparison', (makeDatabase) => {
  const begin = async () => makeTill({ database: await makeDatabase() })

  test('finds nothing where everything went well', async () => {
    await using till = await begin()
    await paid(till)
    till.testApp.advance(2 * HOUR)
    await compareBooks(till.testApp.services)
    expect(await found(till)).toEqual([])
    expect(await told(till)).toEqual([])
  })

  test('books what was paid though no webhook, page or poll ever said so', async () => {
    await using till = await begin()
    till.sandbox.payByCard(await till.card(await till.hold()))
    await compareBooks(till.testApp.services)
    expect([(await payment(till)).state, (await booking(till)).state]).toEqual([
      'paid',
      'confirmed',
    ])
    expect(await found(till)).toEqual([])
  })

  test('books a wallet’s money whose capture was never answered', async () => {
    await using till = await begin()
    const orderId = await till.wallet(await till.hold())
    till.sandbox.approve(orderId)
    const rules = [{ path: '*/capture', fault: 'drop_after' as const, times: 3 }]
    const lost = { path: `/v2/checkout/orders/${orderId}`, method: 'GET' as const, times: 9 }
    await till.sandbox.tell({
      do: 'fail_calls',
      rules: [...rules, { ...lost, fault: 'drop_before' }],
    })
    expect(await capture(till.patient, { orderId })).toEqual({ success: true })
    expect((await payment(till)).state).toBe('capturing')
    await till.sandbox.tell({ do: 'fail_calls', rules: [] })
    await compareBooks(till.testApp.services)
    expect([(await payment(till)).state, (await booking(till)).state]).toEqual([
      'paid',
      'confirmed',
    ])
    expect(await found(till)).toEqual([])
  })

  test('gives money back that came after everybody else had stopped looking', async () => {
    await using till = await begin()
    const session = await till.card(await till.hold())
    till.testApp.advance(16 * MINUTE)
    await sweepHolds(till.testApp.services)
    const { store } = till.sandbox.sandbox.ctx
    const closed = store.find('session', session)
    if (closed === undefined) throw new Error('The session is gone.')
    till.testApp.advance(26 * HOUR)
    store.put('session', { ...closed, status: 'open', expiresAt: closed.expiresAt + 100_000 })
    till.sandbox.payByCard(session)
    await compareBooks(till.testApp.services)
    await runRefunds(till.testApp.services)
    expect((await payment(till)).state).toBe('refunded')
    expect(store.list('refund')).toHaveLength(1)
    till.testApp.advance(DAY)
    await compareBooks(till.testApp.services)
    expect(await found(till)).toEqual([])
  })

  test('lays money aside that was taken by hand at the gateway, and tells staff once', async () => {
    await using till = await begin()
    takeByHand(till, await paid(till))
    await compareBooks(till.testApp.services)
    const { amount_minor: amount } = await payment(till)
    expect(await found(till)).toMatchObject([
      { kind: 'no_payment', object: 'pi_byhand', payment_no: null, amount_minor: amount },
    ])
    const [email] = await told(till)
    expect(email).toMatch(/Charge with no matching payment/)
    expect(email).toContain('60.00 GBP, stripe, pi_byhand')
    expect(till.testApp.mails.at(-1)).toMatchObject({
      to: till.testApp.services.config.supportEmail,
      subject: ALERT,
    })
    const audited = await till.testApp.database.db
      .selectFrom('audit')
      .select(['entity', 'outcome', 'actor_kind'])
      .where('action', '=', 'payment.differs')
      .execute()
    expect(audited).toEqual([{ entity: 'pi_byhand', outcome: 'failed', actor_kind: 'system' }])
    till.testApp.advance(DAY)
    await compareBooks(till.testApp.services)
    expect(await told(till)).toHaveLength(1)
  })

  test('finds a refund nobody here sent, and knows our own', async () => {
    await using till = await begin()
    const intent = await paid(till)
    const { ctx } = till.sandbox.sandbox
    createRefund(ctx, { payment_intent: intent, amount: 1_500 })
    await compareBooks(till.testApp.services)
    const { no, id } = await payment(till)
    expect(await found(till)).toMatchObject([
      { kind: 'refund_unknown', payment_no: no, amount_minor: 1_500, currency: 'GBP' },
    ])
    expect((await told(till))[0]).toContain(id)
    expect((await payment(till)).state).toBe('paid')
  })

  test('finds the same of a wallet: refunds made there, other amounts, money that is not there', async () => {
    await using till = await begin()
    const orderId = await till.wallet(await till.hold())
    till.sandbox.approve(orderId)
    await capture(till.patient, { orderId })
    const { store } = till.sandbox.sandbox.ctx
    const [taken] = store.list('capture')
    if (taken === undefined) throw new Error('Nothing was captured.')
    store.put('capture', { ...taken, value: '59.00' })
    store.put('walletRefund', {
      id: 'BYHAND',
      capture: taken.id,
      status: 'COMPLETED',
      currency: 'GBP',
      value: '10.00',
      customId: null,
      invoiceId: null,
      created: taken.created,
    })
    await compareBooks(till.testApp.services)
    expect(new Map((await found(till)).map(({ kind, object }) => [kind, object]))).toEqual(
      new Map([
        ['amount', taken.id],
        ['refund_unknown', 'BYHAND'],
      ]),
    )
    store.put('capture', { ...taken, status: 'DECLINED' })
    till.testApp.advance(DAY)
    await compareBooks(till.testApp.services)
    expect((await found(till)).map(({ kind }) => kind)).toContain('no_money')
    expect(await told(till)).toHaveLength(2)
  })

  test('finds another amount, money without a visit, and a payment without money', async () => {
    await using till = await begin()
    const intent = await paid(till)
    const { store } = till.sandbox.sandbox.ctx
    const charge = store.list('charge').find((one) => one.intent === intent)
    if (charge === undefined) throw new Error('Nothing was charged.')
    store.put('charge', { ...charge, amount: charge.amount + 100 })
    await compareBooks(till.testApp.services)
    store.put('charge', charge)
    const { db } = till.testApp.database
    const lost = { state: 'released', paid_by: null } as const
    await db.updateTable('bookings').set(lost).execute()
    till.testApp.advance(DAY)
    await compareBooks(till.testApp.services)
    await db.updateTable('payments').set({ gw_payment: 'pi_of_nobody' }).execute()
    till.testApp.advance(DAY)
    await compareBooks(till.testApp.services)
    expect((await found(till)).map(({ kind }) => kind).toSorted()).toEqual([
      'amount',
      'no_money',
      // The remaining charge now belongs to no payment.
      'no_payment',
      'no_visit',
    ])
  })

  test('asks once a day, and an hour later again where a gateway was away', async () => {
    await using till = await begin()
    const asked: string[] = []
    till.sandbox.sandbox.listen = ({ path }) => asked.push(path)
    const away = { path: '/v1/charges', fault: 'error_500' as const, times: 9 }
    await till.sandbox.tell({ do: 'fail_calls', rules: [away] })
    await compareBooks(till.testApp.services)
    await till.sandbox.tell({ do: 'fail_calls', rules: [] })
    asked.length = 0
    till.testApp.advance(HOUR)
    await compareBooks(till.testApp.services)
    expect(asked).toContain('/v1/charges')
    asked.length = 0
    till.testApp.advance(23 * HOUR)
    await compareBooks(till.testApp.services)
    expect(asked).toEqual([])
    till.testApp.advance(HOUR)
    await compareBooks(till.testApp.services)
    expect(asked).toContain('/v1/charges')
  })

  test('a refund the bank sends back days later is told to staff, once', async () => {
    await using till = await begin()
    const session = await till.card(await till.hold())
    till.testApp.advance(16 * MINUTE)
    await sweepHolds(till.testApp.services)
    const { store } = till.sandbox.sandbox.ctx
    const closed = store.find('session', session)
    if (closed === undefined) throw new Error('The session is gone.')
    store.put('session', { ...closed, status: 'open' })
    till.sandbox.payByCard(session, '4000 0000 0000 5126')
    await compareBooks(till.testApp.services)
    await runRefunds(till.testApp.services)
    expect((await payment(till)).state).toBe('refunded')
    till.testApp.advance(DAY)
    till.sandbox.sandbox.tick()
    for (let round = 0; round < 2; round += 1) {
      await compareBooks(till.testApp.services)
      till.testApp.advance(DAY)
    }
    await till.testApp.drainOutbox()
    const failed = till.testApp.mails.filter(({ subject }) =>
      subject.includes('refund was rejected'),
    )
    expect(failed).toHaveLength(1)
  })
})
