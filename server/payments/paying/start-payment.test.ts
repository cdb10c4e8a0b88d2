import { expect, test } from 'vitest'
import type { Hold } from '#contract/booking.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { describeHold } from '#server/booking/hold/holds.ts'
import { readVisit } from '#server/booking/visits/read-visit.ts'
import {
  makePaymentFixture,
  type PaymentFixture,
  paymentTerms,
} from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { readReturn } from './capture.ts'
import { leave, sweepHolds } from './close-payment.ts'
import { startCard } from './start-payment.ts'

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

describeEngines('a visit by video, chosen after a payment in person was begun', (makeDatabase) => {
  const begin = async () => {
    const fixture = await makePaymentFixture({ database: await makeDatabase() })
    await fixture.testApp.database.db.updateTable('providers').set({ offers_video: 1 }).execute()
    return fixture
  }
  const payByVideo = async (fixture: PaymentFixture, hold: Hold) => {
    const terms = { ...paymentTerms(hold), mode: 'video' as const }
    const { clientSecret } = await startCard(fixture.patient, terms)
    return clientSecret.split('_secret_')[0] ?? ''
  }

  test('is what the next press pays for, and the first payment is closed', async () => {
    await using fixture = await begin()
    const hold = await fixture.hold()
    const first = await fixture.card(hold)
    const second = await payByVideo(fixture, hold)
    expect(second).not.toBe(first)
    expect(await payByVideo(fixture, hold)).toBe(second)
    expect((await payments(fixture)).map(({ state }) => state)).toEqual(['expired', 'open'])
    expect(await pay(fixture, second)).toBe('complete')
    expect(await readVisit(fixture.patient, { id: hold.id })).toMatchObject({ mode: 'video' })
  })

  test('does not keep a reloaded page from finding its hold', async () => {
    await using fixture = await begin()
    const hold = await fixture.hold()
    await fixture.card(hold)
    const { id: holdId, startsAt } = hold
    const { patient } = fixture
    await expect(describeHold(patient, { holdId, mode: 'video' })).rejects.toMatchObject({
      code: 'payment_busy',
    })
    const wanted = { providerId: hold.provider.id, startsAt, mode: 'video' as const }
    expect(await holdSlot(patient, wanted)).toMatchObject({ id: holdId, mode: 'in_person' })
  })

  test('is refused where the provider offers none, and nothing is begun', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    await expect(payByVideo(fixture, await fixture.hold())).rejects.toMatchObject({
      code: 'mode_not_offered',
    })
    expect(await payments(fixture)).toEqual([])
  })
})
