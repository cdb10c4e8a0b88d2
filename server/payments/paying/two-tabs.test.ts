import { expect, test } from 'vitest'
import { makePaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { leave } from './close-payment.ts'

/** The race is rare: enough rounds to hit it without the lock. */
const ROUNDS = 12
const TABS = 4

describeEngines('tabs that press the payment button at once', (makeDatabase) => {
  test('come to one payment: the code is used up once, and none is asked for another', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    for (let round = 0; round < ROUNDS; round += 1) {
      const hold = await fixture.hold()
      const sessions = await Promise.all(Array.from({ length: TABS }, () => fixture.card(hold)))
      expect(new Set(sessions).size).toBe(1)
      expect(await leave(fixture.patient, { holdId: hold.id })).toEqual({ released: true })
    }
    const payments = await fixture.testApp.database.db.selectFrom('payments').select('no').execute()
    expect(payments).toHaveLength(ROUNDS)
  })
})
