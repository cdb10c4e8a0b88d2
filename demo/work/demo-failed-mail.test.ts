import { expect, test } from 'vitest'
import { OutboxId } from '#contract/ids.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedFailedEmail } from './demo-failed-email.ts'

describeEngines('the demo mail that did not arrive', (makeDatabase) => {
  test('is written once, each with an id that can be sent again', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    await makeProvider(testApp, { email: 'provider@demo.example' })
    const now = testApp.services.now()
    const wrote = await Promise.all([
      seedFailedEmail(testApp.database, { now }),
      seedFailedEmail(testApp.database, { now }),
    ])
    expect(wrote.toSorted()).toEqual([false, true])
    const rows = await testApp.database.db
      .selectFrom('outbox')
      .select(['id', 'failed_at'])
      .execute()
    expect(rows.map(({ failed_at: at }) => at)).toEqual([now - 5 * 3_600_000])
    expect(OutboxId.safeParse(rows[0]?.id).success).toBe(true)
  })
})
