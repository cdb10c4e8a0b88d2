import { expect, test } from 'vitest'
import { systemContext } from '#server/context.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { deleteOldEvents, leaseEvents } from './event-store.ts'
import { processEvents, storeEvent } from './process-events.ts'

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

describeEngines('webhooks that were kept', (makeDatabase) => {
  test('are all acted on in one run, however many came, and lose their bodies', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    await storeEvents(fixture, 120, null)
    await processEvents(fixture.testApp.services)
    const rows = await rowsOf(fixture)
    expect(rows).toHaveLength(120)
    expect(rows.every((row) => row.processed_at !== null && row.body === '')).toBe(true)
  })

  test('are taken oldest first, by one at a time, and come back when a lease ends', async () => {
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

  test('that speak of nothing of ours yet never hold up those that came later', async () => {
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

  test('that were acted on are forgotten by when that was', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    await storeEvents(fixture, 3, null)
    await processEvents(fixture.testApp.services)
    await deleteOldEvents(fixture.testApp.database.db, fixture.testApp.services.now())
    expect(await rowsOf(fixture)).toHaveLength(3)
    await deleteOldEvents(fixture.testApp.database.db, fixture.testApp.services.now() + 1)
    expect(await rowsOf(fixture)).toEqual([])
  })
})
