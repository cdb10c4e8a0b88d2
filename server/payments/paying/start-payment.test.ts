import { expect, test } from 'vitest'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { readReturn } from './capture.ts'
import { leave, sweepHolds } from './close-payment.ts'

const MINUTE = 60_000
const CREATE = { path: '/v1/checkout/sessions', method: 'POST' as const }

async function payments({ testApp: { database } }: PaymentFixture) {
  return database.db.selectFrom('payments').selectAll().orderBy('no').execute()
}

const sessions = ({ sandbox }: PaymentFixture) => sandbox.sandbox.ctx.store.list('session')

async function pay(fixture: PaymentFixture, session: string) {
  fixture.sandbox.payByCard(session)
  return (await readReturn(fixture.patient, { session_id: session })).status
}

describeEngines('a checkout whose creation failed', (makeDatabase) => {
  const begin = async () => makePaymentFixture({ database: await makeDatabase() })
  const down = { code: 'payment_gateway_down' }

  test('a retry sends the identical request, and finds the existing session', async () => {
    await using fixture = await begin()
    const hold = await fixture.hold()
    await fixture.sandbox.fail({ ...CREATE, fault: 'drop_after', times: 3 })
    await expect(fixture.card(hold)).rejects.toMatchObject(down)
    fixture.testApp.advance(MINUTE)
    expect(await pay(fixture, await fixture.card(hold))).toBe('complete')
    expect(sessions(fixture)).toHaveLength(1)
    expect(await payments(fixture)).toHaveLength(1)
  })

  test('after ten minutes without Stripe a new request replaces the expired one', async () => {
    await using fixture = await begin()
    const hold = await fixture.hold()
    await fixture.sandbox.away('stripe')
    await expect(fixture.card(hold)).rejects.toMatchObject(down)
    fixture.testApp.advance(10 * MINUTE)
    await expect(fixture.card(hold)).rejects.toMatchObject(down)
    await fixture.sandbox.away('stripe', false)
    expect(await pay(fixture, await fixture.card(hold))).toBe('complete')
    expect((await payments(fixture)).map(({ state }) => state)).toEqual(['abandoned', 'paid'])
  })

  test('a card session without a response does not block the wallet', async () => {
    await using fixture = await begin()
    const hold = await fixture.hold()
    await fixture.sandbox.away('stripe')
    await expect(fixture.card(hold)).rejects.toMatchObject(down)
    const orderId = await fixture.wallet(hold)
    expect((await payments(fixture)).map(({ state }) => state)).toEqual(['abandoned', 'open'])
    expect(orderId).not.toBe('')
  })

  test('leaving releases the time at once, and so does the end of the hold', async () => {
    await using fixture = await begin()
    const first = await fixture.hold()
    await fixture.sandbox.away('stripe')
    await expect(fixture.card(first)).rejects.toMatchObject(down)
    expect(await leave(fixture.patient, { holdId: first.id })).toEqual({ released: true })
    const second = await fixture.hold()
    await expect(fixture.card(second)).rejects.toMatchObject(down)
    fixture.testApp.advance(16 * MINUTE)
    await sweepHolds(fixture.testApp.services)
    expect(
      await fixture.testApp.database.db.selectFrom('slot_claims').selectAll().execute(),
    ).toEqual([])
  })

  test.each(['error_500_kept', 'error_500_kept_done', 'refused'] as const)(
    '%s: a failure the gateway stores under the key is retried with a new key',
    async (fault) => {
      await using fixture = await begin()
      const hold = await fixture.hold()
      await fixture.sandbox.fail({ ...CREATE, fault, times: 1 })
      expect(await pay(fixture, await fixture.card(hold))).toBe('complete')
      expect((await payments(fixture)).map(({ state }) => state)).toEqual(['abandoned', 'paid'])
    },
  )

  test('a gateway that refuses everything counts as down, and leaves nothing open', async () => {
    await using fixture = await begin()
    const hold = await fixture.hold()
    await fixture.sandbox.fail({ ...CREATE, fault: 'refused', times: 9 })
    await expect(fixture.card(hold)).rejects.toMatchObject(down)
    await fixture.sandbox.fail()
    expect(await leave(fixture.patient, { holdId: hold.id })).toEqual({ released: true })
  })

  test('a changed email or public address does not change the retried request', async () => {
    await using fixture = await begin()
    const hold = await fixture.hold()
    await fixture.sandbox.fail({ ...CREATE, fault: 'drop_after', times: 3 })
    await expect(fixture.card(hold)).rejects.toMatchObject(down)
    const { db } = fixture.testApp.database
    await db
      .updateTable('accounts')
      .set({ email: 'renamed@mail.example' })
      .where('no', '=', fixture.patient.session.accountNo)
      .execute()
    Object.assign(fixture.testApp.services.config, { publicUrl: 'https://moved.example' })
    expect(await pay(fixture, await fixture.card(hold))).toBe('complete')
    expect(sessions(fixture)).toHaveLength(1)
  })

  test('the request is stored only until the response', async () => {
    await using fixture = await begin()
    await fixture.card(await fixture.hold())
    expect((await payments(fixture)).map(({ request }) => request)).toEqual([null])
  })

  test('sessions open although the gateway’s clock is one or five minutes ahead', async () => {
    await using fixture = await begin()
    for (const ahead of [1, 5]) {
      await fixture.sandbox.tell({ do: 'shift_clock', ms: ahead * MINUTE })
      const hold = await fixture.hold()
      expect(await fixture.card(hold)).toMatch(/^cs_/)
      await leave(fixture.patient, { holdId: hold.id })
    }
  })
})

/** The race is rare: enough rounds to hit it without the lock. */
const ROUNDS = 12
const TABS = 4

describeEngines('tabs that start a payment concurrently', (makeDatabase) => {
  test('make one payment: the code is used up once', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    for (let round = 0; round < ROUNDS; round += 1) {
      const hold = await fixture.hold()
      const opened = await Promise.all(Array.from({ length: TABS }, () => fixture.card(hold)))
      expect(new Set(opened).size).toBe(1)
      expect(await leave(fixture.patient, { holdId: hold.id })).toEqual({ released: true })
    }
    const written = await fixture.testApp.database.db.selectFrom('payments').select('no').execute()
    expect(written).toHaveLength(ROUNDS)
  })
})
