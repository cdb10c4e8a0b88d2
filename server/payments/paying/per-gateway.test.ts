import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { type Services, systemContext } from '#server/context.ts'
import type { PaymentGateways } from '#server/gateways/payment-gateways.ts'
import { startJobs } from '#server/jobs/loop.ts'
import { jobsFor } from '#server/jobs/registry.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { reconcile, storeEvent } from '#server/payments/events/process-events.ts'
import { insertRefund } from '#server/payments/refunds/refund-store.ts'
import { listToRecheck } from '#server/payments/store.ts'
import { makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { processRows } from './per-gateway.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Services with a wallet gateway that hangs until it is released. */
function withHangingWallet({ testApp: { services } }: PaymentFixture) {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  silence.catch(() => {})
  const asked: string[] = []
  const ask = (what: string) => {
    asked.push(what)
    return silence
  }
  const paypal: PaymentGateways['paypal'] = {
    ...services.gateways.paypal,
    open: ({ paymentId }) => ask(paymentId),
    read: ({ session }) => ask(session),
    listReturned: ({ session }) => ask(session),
    capture: ask,
    refund: ({ paymentId }) => ask(paymentId),
    readRefund: ask,
  }
  const hanging: Services = { ...services, gateways: { ...services.gateways, paypal } }
  return { hanging, asked, letGo: () => reject(new UpstreamError('PayPal', null)) }
}

/** A hold with an open card payment, and twelve older holds with a wallet payment in `capturing`. */
async function startCardAndStaleWallets(fixture: PaymentFixture) {
  const { database, services } = fixture.testApp
  const hold = await fixture.hold()
  const session = await fixture.card(hold)
  const { db } = database
  const { no: _n, ...booking } = await db
    .selectFrom('bookings')
    .selectAll()
    .executeTakeFirstOrThrow()
  const { no: _m, ...payment } = await db
    .selectFrom('payments')
    .selectAll()
    .executeTakeFirstOrThrow()
  for (let n = 0; n < 12; n += 1) {
    const id = services.newId('bok')
    const { no } = await db
      .insertInto('bookings')
      .values({
        ...booking,
        id,
        reference: referenceOf(id),
        hold_until: booking.hold_until - 1 - n,
      })
      .returning('no')
      .executeTakeFirstOrThrow()
    const paymentId = services.newId('pay')
    const wallet = { gateway: 'paypal', state: 'capturing', client_secret: null } as const
    await db
      .insertInto('payments')
      .values({
        ...payment,
        ...wallet,
        id: paymentId,
        booking_no: no,
        gw_session: paymentId,
        checked_at: payment.checked_at - 1 - n,
      })
      .execute()
  }
  return { hold, session }
}

/** Runs the jobs with this name prefix, all woken at once, until `work` is done. */
async function whileJobsRun(services: Services, name: string, work: () => Promise<void>) {
  const jobs = jobsFor(services.config).filter((job) => job.name.startsWith(name))
  const loop = startJobs(services, jobs)
  for (const job of jobs) loop.wake(job.name)
  await work()
  return loop
}

const eventually = (check: () => Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 })

async function stateOf({ testApp }: PaymentFixture, id: string): Promise<string> {
  const row = await testApp.database.db
    .selectFrom('bookings')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.state
}

describeEngines('while the wallet never responds', (makeDatabase) => {
  async function open() {
    const fixture = await makePaymentFixture({ database: await makeDatabase() })
    return { fixture, ...(await startCardAndStaleWallets(fixture)), ...withHangingWallet(fixture) }
  }

  test('an overdue hold, by card or unpaid, is freed at once', async () => {
    const { fixture, hold, hanging, asked, letGo } = await open()
    await using _fixture = fixture
    const start = fixture.testApp.services.now() + 4 * DAY
    const providerId = await makeProviderWithSlots(fixture.testApp, [{ start, minutes: 30 }])
    const startsAt = new Date(start).toISOString()
    const unpaid = await holdSlot(fixture.stranger, { providerId, startsAt })
    fixture.testApp.advance(16 * MINUTE)
    const loop = await whileJobsRun(hanging, 'sweep-holds', () =>
      eventually(async () => {
        expect(await stateOf(fixture, hold.id)).toBe('released')
        expect(await stateOf(fixture, unpaid.id)).toBe('released')
        // Not all twelve: concurrency is limited to eight per gateway.
        expect(asked).toHaveLength(8)
      }),
    )
    letGo()
    await loop.stop()
  })

  test('a card webhook is processed at once', async () => {
    const { fixture, hold, session, hanging, letGo } = await open()
    await using _fixture = fixture
    fixture.sandbox.payByCard(session)
    const ctx = systemContext(fixture.testApp.services, 'gateway')
    const sessions = await fixture.testApp.database.db
      .selectFrom('payments')
      .select(['gateway', 'gw_session as object'])
      .orderBy('gateway')
      .execute()
    for (const [n, { gateway, object }] of sessions.entries()) {
      const event = { id: `evt_${n}`, type: 'paid', object }
      await storeEvent(ctx, { gateway, event, body: '{}' })
      fixture.testApp.advance(1)
    }
    const loop = await whileJobsRun(hanging, 'process-events', () =>
      eventually(async () => expect(await stateOf(fixture, hold.id)).toBe('confirmed')),
    )
    letGo()
    await loop.stop()
  })

  test('a card payment without a webhook is found at once', async () => {
    const { fixture, hold, session, hanging, letGo } = await open()
    await using _fixture = fixture
    fixture.sandbox.payByCard(session)
    fixture.testApp.advance(2 * MINUTE)
    const loop = await whileJobsRun(hanging, 'reconcile', () =>
      eventually(async () => expect(await stateOf(fixture, hold.id)).toBe('confirmed')),
    )
    letGo()
    await loop.stop()
  })

  test('a card refund is sent at once', async () => {
    const { fixture, session, hanging, letGo } = await open()
    await using _fixture = fixture
    fixture.sandbox.payByCard(session)
    fixture.testApp.advance(2 * MINUTE)
    await reconcile(fixture.testApp.services, { gateway: 'stripe' })
    const { db } = fixture.testApp.database
    const { newId, now } = fixture.testApp.services
    const payments = await db.selectFrom('payments').select('no').orderBy('gateway').execute()
    for (const { no } of payments) {
      const refund = { id: newId('rfd'), payment_no: no, amount_minor: 100, now: now() }
      await insertRefund(db, { ...refund, reason: 'staff' })
      fixture.testApp.advance(1)
    }
    const done = () => db.selectFrom('refunds').selectAll().where('state', '=', 'done').execute()
    const loop = await whileJobsRun(hanging, 'run-refunds', () =>
      eventually(async () => expect(await done()).toHaveLength(1)),
    )
    letGo()
    await loop.stop()
  })

  test('payments are checked newest first, failed ones last, ended ones after live ones', async () => {
    const { fixture } = await open()
    await using _fixture = fixture
    const { db } = fixture.testApp.database
    const { now } = fixture.testApp.services
    const wallets = await db
      .selectFrom('payments')
      .select(['no', 'created_at'])
      .where('gateway', '=', 'paypal')
      .orderBy('no')
      .execute()
    const [failed, ended, ...others] = wallets.map(({ no }) => no)
    for (const [n, { no, created_at: at }] of wallets.entries()) {
      const created = at + n * 1_000
      const look = { created_at: created, checked_at: no === failed ? created + 60_000 : created }
      const state = no === ended ? 'expired' : 'open'
      await db
        .updateTable('payments')
        .set({ ...look, state })
        .where('no', '=', no)
        .execute()
    }
    fixture.testApp.advance(11 * MINUTE)
    const listed = async (limit: number) => {
      const rows = await listToRecheck(db, { gateway: 'paypal', now: now(), limit })
      return rows.map(({ no }) => no)
    }
    expect(await listed(200)).toEqual([...others.toReversed(), failed, ended])
    // However many are live, one that ended is included.
    expect(await listed(4)).toEqual([...others.toReversed().slice(0, 3), ended])
  })
})

test('a run out of time starts nothing more, and returns how far it came', async () => {
  const stop = new AbortController()
  const done: number[] = []
  const begun = await processRows(
    [1, 2, 3, 4, 5],
    { signal: stop.signal, atOnce: 2 },
    async (n) => {
      if (n === 3) stop.abort()
      await sleep(1)
      done.push(n)
    },
  )
  expect([begun, done]).toEqual([3, [1, 2, 3]])
})

test('an error ends a run once all started rows have finished', async () => {
  const done: number[] = []
  const { signal } = new AbortController()
  const run = processRows([1, 2, 3, 4], { signal, atOnce: 2 }, async (n) => {
    if (n === 1) throw new Error('no database')
    await sleep(5)
    done.push(n)
  })
  await expect(run).rejects.toThrow('no database')
  expect(done).toEqual([2])
})
