import { expect, test } from 'vitest'
import { referenceOf } from '#contract/ids.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { type Services, systemContext } from '#server/context.ts'
import type { PaymentGateways } from '#server/gateways/payment-gateways.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { makeSweep, sweepHolds } from '#server/payments/paying/sweep-holds.ts'
import { insertRefund } from '#server/payments/refunds/refund-store.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { processEvents, storeEvent } from './process-events.ts'
import { reconcile } from './reconcile.ts'

const MINUTE = 60_000
const DAY = 86_400_000

type Stripe = PaymentGateways['stripe']

/** Services with these methods of the card gateway replaced. */
function withStripe({ testApp: { services } }: PaymentFixture, stripe: Partial<Stripe>): Services {
  const { gateways } = services
  return { ...services, gateways: { ...gateways, stripe: { ...gateways.stripe, ...stripe } } }
}

/** An unexpected exception, as from a bug. */
const defect = () => Promise.reject(new TypeError('null has no such property'))

/** Messages logged at error level. */
function errors({ testApp }: PaymentFixture) {
  return testApp.logged.flatMap(({ level, msg }) => (level === 50 ? [msg] : []))
}

/** A second hold, by another patient, without a payment. */
async function holdAnother({ testApp, stranger }: PaymentFixture) {
  const start = testApp.services.now() + 4 * DAY
  const providerId = await makeProviderWithSlots(testApp, [{ start, minutes: 30 }])
  return holdSlot(stranger, { providerId, startsAt: new Date(start).toISOString() })
}

async function stateOf({ testApp }: PaymentFixture, id: string): Promise<string> {
  const row = await testApp.database.db
    .selectFrom('bookings')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.state
}

/** `count` overdue holds with an open payment, all older than any other. */
async function addStalePayments(
  { testApp: { database, services } }: PaymentFixture,
  count: number,
): Promise<void> {
  const { db } = database
  const { no: _n, ...booking } = await db
    .selectFrom('bookings')
    .selectAll()
    .executeTakeFirstOrThrow()
  const { no: _m, ...payment } = await db
    .selectFrom('payments')
    .selectAll()
    .executeTakeFirstOrThrow()
  for (let n = 0; n < count; n += 1) {
    const id = services.newId('bok')
    const { no } = await db
      .insertInto('bookings')
      .values({ ...booking, id, reference: referenceOf(id), hold_until: booking.hold_until - n })
      .returning('no')
      .executeTakeFirstOrThrow()
    const paymentId = services.newId('pay')
    await db
      .insertInto('payments')
      .values({ ...payment, id: paymentId, booking_no: no, gw_session: `cs_${paymentId}` })
      .execute()
  }
}

describeEngines('one that always fails', (makeDatabase) => {
  const begin = async () => makePaymentFixture({ database: await makeDatabase() })

  test('keeps no other hold from being given back', async () => {
    await using fixture = await begin()
    const first = await fixture.hold()
    await fixture.card(first)
    const other = await holdAnother(fixture)
    fixture.testApp.advance(20 * MINUTE)
    await sweepHolds(withStripe(fixture, { close: defect }))
    expect([await stateOf(fixture, first.id), await stateOf(fixture, other.id)]).toEqual([
      'held',
      'released',
    ])
    expect(errors(fixture)).toEqual(['a hold could not be closed yet'])
  })

  test('nor do more of a gateway that is away than are looked at together', async () => {
    await using fixture = await begin()
    const first = await fixture.hold()
    await fixture.card(first)
    const other = await holdAnother(fixture)
    await addStalePayments(fixture, 120)
    fixture.testApp.advance(16 * MINUTE)
    const away = () => Promise.reject(new UpstreamError('The card gateway', null))
    await sweepHolds(withStripe(fixture, { close: away }))
    expect([await stateOf(fixture, first.id), await stateOf(fixture, other.id)]).toEqual([
      'held',
      'released',
    ])
  })

  test('nor do many that take so long that a run has to stop among them', async () => {
    await using fixture = await begin()
    await fixture.card(await fixture.hold())
    await addStalePayments(fixture, 20)
    fixture.testApp.advance(16 * MINUTE)
    const stop = new AbortController()
    const asked: string[] = []
    const close = (session: string) => {
      asked.push(session)
      stop.abort()
      return Promise.reject(new UpstreamError('The card gateway', null))
    }
    const sweep = makeSweep('stripe')
    const services = withStripe(fixture, { close })
    await sweep(services, stop.signal)
    const first = asked.splice(0)
    expect(first.length).toBeLessThan(21)
    // The next run continues after them, and the one after that starts over.
    await sweep(services)
    expect([...asked, ...first].toSorted()).toEqual([...new Set([...asked, ...first])].toSorted())
    expect(asked.splice(0)).toHaveLength(21 - first.length)
    await sweep(services)
    expect(asked).toHaveLength(21)
  })

  test('keeps no other webhook from being acted on', async () => {
    await using fixture = await begin()
    const session = await fixture.card(await fixture.hold())
    const ctx = systemContext(fixture.testApp.services, 'gateway')
    for (const [id, object] of [
      ['evt_bad', session],
      ['evt_good', null],
    ] as const) {
      const event = { id, type: 'checkout.session.completed', object, isLive: false }
      await storeEvent(ctx, { gateway: 'stripe', event, body: '{}' })
      fixture.testApp.advance(1)
    }
    await processEvents(withStripe(fixture, { read: defect }))
    const rows = await fixture.testApp.database.db
      .selectFrom('gateway_events')
      .select(['id', 'processed_at', 'tries', 'due_at'])
      .orderBy('id')
      .execute()
    expect(rows.map(({ id, processed_at: at, tries }) => [id, at !== null, tries])).toEqual([
      ['evt_bad', false, 1],
      ['evt_good', true, 0],
    ])
    expect(rows[0]?.due_at).toBeGreaterThan(fixture.testApp.services.now())
    expect(errors(fixture)).toEqual(['an event will be tried again'])
  })

  test('keeps no other payment from being looked after', async () => {
    await using fixture = await begin()
    await fixture.card(await fixture.hold())
    fixture.testApp.advance(2 * MINUTE)
    const asked: string[] = []
    const read = ({ session }: { session: string }) => {
      asked.push(session)
      return defect()
    }
    await addStalePayments(fixture, 3)
    await reconcile(withStripe(fixture, { read }))
    expect(asked).toHaveLength(4)
    // They were just checked: the next run starts with others.
    await reconcile(withStripe(fixture, { read }))
    expect(asked).toHaveLength(4)
  })

  test('keeps no other refund from being paid back', async () => {
    await using fixture = await begin()
    await fixture.card(await fixture.hold())
    await addStalePayments(fixture, 1)
    const { db } = fixture.testApp.database
    const payments = await db.selectFrom('payments').select(['no', 'id']).orderBy('no').execute()
    for (const { no } of payments) {
      fixture.testApp.advance(1)
      const id = fixture.testApp.services.newId('ref')
      const now = fixture.testApp.services.now()
      await insertRefund(db, { id, payment_no: no, reason: 'slot_lost', amount_minor: 100, now })
    }
    const bad = payments[0]?.id
    const refund: Stripe['refund'] = ({ paymentId }) =>
      paymentId === bad ? defect() : Promise.resolve({ id: 're_1', state: 'done' })
    const listReturned = () => Promise.resolve([])
    await runRefunds(withStripe(fixture, { refund, listReturned }))
    const rows = await db.selectFrom('refunds').selectAll().orderBy('payment_no').execute()
    expect(rows.map(({ state, tries }) => [state, tries])).toEqual([
      ['due', 1],
      ['done', 1],
    ])
    expect(rows[0]?.next_try_at).toBeGreaterThan(fixture.testApp.services.now())
    expect(errors(fixture)).toEqual(['a refund will be tried again'])
  })
})
