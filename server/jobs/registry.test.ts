import { expect, test } from 'vitest'
import { makeTree } from '#scripts/test/run-script.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { makeLog } from '#server/kernel/log.ts'
import { makeServices } from '#server/start.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { jobsFor } from './registry.ts'

const DAY = 24 * 3_600_000

const url = 'postgres://localhost/apposite'

test('every process with a replica in its settings measures it', async () => {
  using tree = makeTree({})
  const read = { DATABASE_URL: url, DATABASE_READ_URL: url }
  for (const settings of [{ DATABASE_URL: url }, read]) {
    const config = readConfig({ DATA_DIR: tree.root, ...settings })
    const { services } = await makeServices(config, makeLog({ level: 'silent', style: 'json' }))
    const isThere = settings === read
    expect(services.database.replica !== null).toBe(isThere)
    const measuring = isThere ? ['measure-replica'] : []
    const names = (role: 'all' | 'web' | 'jobs') =>
      jobsFor({ ...config, role }).map(({ name }) => name)
    expect(names('web')).toEqual(measuring)
    for (const role of ['all', 'jobs'] as const) {
      expect(names(role).length).toBeGreaterThan(20)
      expect(names(role).filter((name) => name === 'measure-replica')).toEqual(measuring)
    }
    await services.database.close()
  }
})

const MESSAGE = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  message: 'Can you see my son on Friday?',
}

/** Runs the jobs that delete, and returns how many emails and contact messages are left. */
async function countAfterPurge({ services, database: { db } }: TestApp): Promise<[number, number]> {
  for (const job of jobsFor(services.config)) {
    if (job.name.startsWith('forget-')) await job.run(services, new AbortController().signal)
  }
  const mails = await db.selectFrom('mails').select('id').execute()
  const messages = await db.selectFrom('contact_messages').select('id').execute()
  return [mails.length, messages.length]
}

describeEngines('what is kept of emails', (makeDatabase) => {
  test('emails go after 90 days, unless still to be delivered, and contact messages after a year', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { db } = testApp.database
    await testApp.caller().messages.contact(MESSAGE)
    await testApp.caller().messages.contact(MESSAGE)
    await testApp.drainOutbox()
    const [{ id: open } = { id: '' }] = await db.selectFrom('outbox').select('id').execute()
    // Another recipient of the same email refused it, and staff have not retried it yet.
    const given = { done_at: null, failed_at: testApp.services.now() }
    await db.updateTable('outbox').set(given).where('id', '=', open).execute()
    testApp.advance(90 * DAY)
    expect(await countAfterPurge(testApp)).toEqual([2, 2])
    testApp.advance(1)
    expect(await countAfterPurge(testApp)).toEqual([1, 2])
    const [left] = await db.selectFrom('mails').select('message_id').execute()
    expect(left?.message_id).toMatch(`${open}@`)
    testApp.advance(275 * DAY)
    expect(await countAfterPurge(testApp)).toEqual([1, 0])
    const done = { done_at: testApp.services.now(), failed_at: null }
    await db.updateTable('outbox').set(done).where('id', '=', open).execute()
    expect(await countAfterPurge(testApp)).toEqual([0, 0])
  })
})
