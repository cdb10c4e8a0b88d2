import { expect, test } from 'vitest'
import { makeTill, type Till } from '#tests/harness/paying.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { leave } from './close-payment.ts'
import { readReturn } from './read-payment.ts'
import { sweepHolds } from './sweep-holds.ts'

const MINUTE = 60_000
const CREATE = { path: '/v1/checkout/sessions', method: 'POST' as const }

async function payments({ testApp: { database } }: Till) {
  return database.db.selectFrom('payments').selectAll().orderBy('no').execute()
}

const sessions = ({ sandbox }: Till) => sandbox.sandbox.ctx.store.list('session')

async function pay(till: Till, session: string) {
  till.sandbox.payByCard(session)
  return (await readReturn(till.patient, { session_id: session })).status
}

describeEngines('a checkout whose creation went wrong', (makeDatabase) => {
  const begin = async () => makeTill({ database: await makeDatabase() })
  const down = { code: 'payment_gateway_down' }

  test('the very same request is sent again, and finds the session that was made', async () => {
    await using till = await begin()
    const hold = await till.hold()
    await till.sandbox.fail({ ...CREATE, fault: 'drop_after', times: 3 })
    await expect(till.card(hold)).rejects.toMatchObject(down)
    till.testApp.advance(MINUTE)
    expect(await pay(till, await till.card(hold))).toBe('complete')
    expect(sessions(till)).toHaveLength(1)
    expect(await payments(till)).toHaveLength(1)
  })

  test('ten minutes without Stripe: another request takes the place of the one whose time is over', async () => {
    await using till = await begin()
    const hold = await till.hold()
    await till.sandbox.away('stripe')
    await expect(till.card(hold)).rejects.toMatchObject(down)
    till.testApp.advance(10 * MINUTE)
    await expect(till.card(hold)).rejects.toMatchObject(down)
    await till.sandbox.away('stripe', false)
    expect(await pay(till, await till.card(hold))).toBe('complete')
    expect((await payments(till)).map(({ state }) => state)).toEqual(['abandoned', 'paid'])
  })

  test('the wallet is not locked by a card session that was never answered', async () => {
    await using till = await begin()
    const hold = await till.hold()
    await till.sandbox.away('stripe')
    await expect(till.card(hold)).rejects.toMatchObject(down)
    const orderId = await till.wallet(hold)
    expect((await payments(till)).map(({ state }) => state)).toEqual(['abandoned', 'open'])
    expect(orderId).not.toBe('')
  })

  test('leaving gives the time back at once, and so does the end of the hold', async () => {
    await using till = await begin()
    const first = await till.hold()
    await till.sandbox.away('stripe')
    await expect(till.card(first)).rejects.toMatchObject(down)
    expect(await leave(till.patient, { holdId: first.id })).toEqual({ released: true })
    const second = await till.hold()
    await expect(till.card(second)).rejects.toMatchObject(down)
    till.testApp.advance(16 * MINUTE)
    await sweepHolds(till.testApp.services)
    expect(await till.testApp.database.db.selectFrom('slot_claims').selectAll().execute()).toEqual(
      [],
    )
  })

  test.each(['error_500_kept', 'error_500_kept_done', 'refused'] as const)(
    '%s: what the gateway keeps under the key is not asked for again',
    async (fault) => {
      await using till = await begin()
      const hold = await till.hold()
      await till.sandbox.fail({ ...CREATE, fault, times: 1 })
      expect(await pay(till, await till.card(hold))).toBe('complete')
      expect((await payments(till)).map(({ state }) => state)).toEqual(['abandoned', 'paid'])
    },
  )

  test('a gateway that refuses everything is said to be down, and leaves nothing open', async () => {
    await using till = await begin()
    const hold = await till.hold()
    await till.sandbox.fail({ ...CREATE, fault: 'refused', times: 9 })
    await expect(till.card(hold)).rejects.toMatchObject(down)
    await till.sandbox.fail()
    expect(await leave(till.patient, { holdId: hold.id })).toEqual({ released: true })
  })

  test('an email or public address that changes meanwhile changes nothing in the request', async () => {
    await using till = await begin()
    const hold = await till.hold()
    await till.sandbox.fail({ ...CREATE, fault: 'drop_after', times: 3 })
    await expect(till.card(hold)).rejects.toMatchObject(down)
    const { db } = till.testApp.database
    await db
      .updateTable('accounts')
      .set({ email: 'renamed@mail.example' })
      .where('no', '=', till.patient.session.accountNo)
      .execute()
    Object.assign(till.testApp.services.config, { publicUrl: 'https://moved.example' })
    expect(await pay(till, await till.card(hold))).toBe('complete')
    expect(sessions(till)).toHaveLength(1)
  })

  test('what was sent is kept only until it was answered', async () => {
    await using till = await begin()
    await till.card(await till.hold())
    expect((await payments(till)).map(({ request }) => request)).toEqual([null])
  })

  test('a gateway whose clock is a minute, or five, ahead of ours opens sessions', async () => {
    await using till = await begin()
    for (const ahead of [1, 5]) {
      await till.sandbox.tell({ do: 'shift_clock', ms: ahead * MINUTE })
      const hold = await till.hold()
      expect(await till.card(hold)).toMatch(/^cs_/)
      await leave(till.patient, { holdId: hold.id })
    }
  })
})
