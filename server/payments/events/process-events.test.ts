import { expect, test } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { type Services, systemContext } from '#server/context.ts'
import type { PaymentGateways } from '#server/gateways/payment-gateways.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { makeSweep, sweepHolds } from '#server/payments/paying/close-payment.ts'
import { insertRefund } from '#server/payments/refunds/refund-store.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { deleteOldEvents, leaseEvents } from './event-store.ts'
import { processEvents, reconcile, storeEvent } from './process-events.ts'

const SECOND = 1_000

/** Stores webhooks, one per millisecond, all about the same `object`. */
async function storeEvents(
  { testApp }: PaymentFixture,
  count: number,
  object: string | null,
): Promise<void> {
  const ctx = systemContext(testApp.services, 'gateway')
  for (let n = 0; n < count; n += 1) {
    const event = { id: `evt_${n}`, type: 'payout.paid', object }
    await storeEvent(ctx, { gateway: 'stripe', event, body: '{"name":"Sam Buyer"}' })
    testApp.advance(1)
  }
}

const rowsOf = ({ testApp }: PaymentFixture) =>
  testApp.database.db.selectFrom('gateway_events').selectAll().orderBy('received_at').execute()

/** Ids of the events that one process would lease now. */
async function leasedIds(
  { testApp: { database, services } }: PaymentFixture,
  limit: number,
): Promise<string[]> {
  const now = services.now()
  const lease = { gateway: 'stripe', now, until: now + 30 * SECOND, limit } as const
  const events = await leaseEvents(database.db, lease)
  return events.map(({ id }) => id)
}

describeEngines('stored webhooks', (makeDatabase) => {
  test('are all processed in one run, and their bodies are cleared', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    await storeEvents(fixture, 120, null)
    await processEvents(fixture.testApp.services)
    const rows = await rowsOf(fixture)
    expect(rows).toHaveLength(120)
    expect(rows.every((row) => row.processed_at !== null && row.body === '')).toBe(true)
  })

  test('are leased oldest first, by one process at a time, and again when a lease ends', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    await storeEvents(fixture, 5, null)
    expect(await leasedIds(fixture, 2)).toEqual(['evt_0', 'evt_1'])
    expect(await leasedIds(fixture, 2)).toEqual(['evt_2', 'evt_3'])
    expect(await leasedIds(fixture, 2)).toEqual(['evt_4'])
    expect(await leasedIds(fixture, 2)).toEqual([])
    fixture.testApp.advance(31 * SECOND)
    expect((await leasedIds(fixture, 9)).toSorted()).toEqual([
      'evt_0',
      'evt_1',
      'evt_2',
      'evt_3',
      'evt_4',
    ])
  })

  test('about unknown objects do not delay later ones', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    await storeEvents(fixture, 60, 'cs_of_nobody')
    await processEvents(fixture.testApp.services)
    const waiting = await rowsOf(fixture)
    expect(new Set(waiting.map(({ tries }) => tries))).toEqual(new Set([1]))
    const ctx = systemContext(fixture.testApp.services, 'gateway')
    const late = { id: 'evt_late', type: 'payout.paid', object: null }
    await storeEvent(ctx, { gateway: 'paypal', event: late, body: '{}' })
    await processEvents(fixture.testApp.services)
    const row = (await rowsOf(fixture)).find(({ id }) => id === late.id)
    expect(row?.processed_at).not.toBeNull()
    // Retried at growing intervals, and marked as processed in the end.
    for (let minute = 0; minute < 90; minute += 1) {
      fixture.testApp.advance(60 * SECOND)
      await processEvents(fixture.testApp.services)
    }
    const left = await rowsOf(fixture)
    expect(left.filter(({ processed_at: at }) => at === null)).toEqual([])
    expect(new Set(left.map(({ tries }) => tries))).toEqual(new Set([0, 12]))
  })

  test('are deleted some time after they were processed', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    await storeEvents(fixture, 3, null)
    await processEvents(fixture.testApp.services)
    await deleteOldEvents(fixture.testApp.database.db, fixture.testApp.services.now())
    expect(await rowsOf(fixture)).toHaveLength(3)
    await deleteOldEvents(fixture.testApp.database.db, fixture.testApp.services.now() + 1)
    expect(await rowsOf(fixture)).toEqual([])
  })
})

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

describeEngines('a row that always fails', (makeDatabase) => {
  const begin = async () => makePaymentFixture({ database: await makeDatabase() })

  test('does not delay releasing other holds', async () => {
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

  test('nor do many holds of an unreachable gateway', async () => {
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

  test('nor do many slow holds that exceed the run’s time', async () => {
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

  test('does not delay other webhooks', async () => {
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

  test('does not delay other payments', async () => {
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

  test('does not delay other refunds', async () => {
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
