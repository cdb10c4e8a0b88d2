import { expect, test } from 'vitest'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, strangerDenials, type TestApp } from '#tests/harness/test-app.ts'
import { jobsFor } from './jobs/registry.ts'

const DAY = 24 * 60 * 60_000

async function run({ services }: TestApp, name: string): Promise<void> {
  const job = jobsFor(services.config).find((one) => one.name === name)
  if (job === undefined) throw new Error(`There is no job ${name}`)
  await job.run(services, new AbortController().signal)
}

function consentId(count: number): string {
  return `0b8f7c3e-5a44-4f0e-9d57-${String(count).padStart(12, '0')}`
}

describeEngines('records of unknown callers', (makeDatabase) => {
  test('refusals of one network at one path in one minute are one row, kept for a month', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const one = new Browser(testApp, '203.0.113.1')
    const other = new Browser(testApp, '203.0.113.2')
    await Promise.all(Array.from({ length: 40 }, () => one.ask('profiles.details')))
    await other.ask('profiles.details')
    await one.ask('audit.list')
    // Unknown paths count for their route.
    const init = { method: 'POST', headers: { origin: 'https://evil.example' }, body: '{}' }
    for (const made of ['a', 'b', 'c']) await one.fetch(`/trpc/${made}`, init)
    const denial = { network: '203.0.113.1', count: 1, code: 'sign_in_required' }
    expect(await strangerDenials(testApp)).toEqual([
      { ...denial, path: '/trpc/*', code: 'foreign_origin', count: 3 },
      { ...denial, path: 'audit.list' },
      { ...denial, path: 'profiles.details', count: 40 },
      { ...denial, path: 'profiles.details', network: '203.0.113.2' },
    ])
    const numbers = new Request('http://localhost:3000/metrics')
    const metrics = await (await testApp.app.fetch(numbers, '127.0.0.1')).text()
    expect(metrics).toContain('\napposite_strangers_refused 45\n')
    testApp.advance(60_000)
    await one.ask('audit.list')
    expect(await strangerDenials(testApp)).toHaveLength(5)
    expect(await testApp.database.db.selectFrom('audit').select('no').execute()).toEqual([])
    testApp.advance(30 * DAY)
    await run(testApp, 'forget-denials')
    expect(await strangerDenials(testApp)).toHaveLength(1)
    testApp.advance(DAY)
    await run(testApp, 'forget-denials')
    expect(await strangerDenials(testApp)).toEqual([])
  })

  test('cookie choices are limited per network, and deleted where nobody has an account', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const stranger = new Browser(testApp, '203.0.113.1')
    const choice = { preferences: true, statistics: false }
    const answer = async (by: Browser, count: number) =>
      (await by.act('profiles.saveConsent', { consentID: consentId(count), ...choice })).status
    const statuses: number[] = []
    for (let count = 0; count < 61; count += 1) statuses.push(await answer(stranger, count))
    expect([statuses.at(59), statuses.at(60)]).toEqual([200, 429])
    const member = new Browser(testApp, '203.0.113.2')
    await member.signIn(await makeAccount(testApp))
    expect(await answer(member, 100)).toBe(200)
    testApp.advance(100 * DAY)
    expect(await answer(stranger, 1)).toBe(200)
    testApp.advance(100 * DAY)
    await run(testApp, 'forget-consents')
    const kept = await testApp.database.db
      .selectFrom('consents')
      .select('id')
      .orderBy('id')
      .execute()
    expect(kept.map(({ id }) => id)).toEqual([consentId(1), consentId(100)])
  })
})
