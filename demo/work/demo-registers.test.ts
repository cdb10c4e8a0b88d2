import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { recheckRegistrations } from '#server/verification/register/recheck-registrations.ts'
import { compare } from '#server/verification/rules.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { seedRegisters } from './demo-registers.ts'

const VERIFIED = 60
const WAITING = 12

async function demo(database: Database): Promise<TestApp> {
  const testApp = await makeTestApp({ database })
  for (let at = 0; at < VERIFIED + WAITING; at += 1) {
    const isUsa = at % 3 === 2
    const isVerified = at < VERIFIED
    await makeProvider(testApp, {
      email: at === VERIFIED ? 'unverified@demo.example' : `ann.lee${at}@demo.example`,
      professional_body: isUsa ? 'NPI' : at % 3 === 1 ? 'GDC' : 'GMC',
      region: isUsa ? 'usa' : 'uk',
      membership_number: String(9_000_000 + at),
      verification_status: isVerified ? 'Verified' : 'Unverified',
      verified_at: isVerified ? testApp.services.now() : null,
    })
  }
  await seedRegisters(database, { now: testApp.services.now() })
  return testApp
}

describeEngines('the demo’s registers', (makeDatabase) => {
  test('confirm every Verified provider, night after night', async () => {
    await using testApp = await demo(await makeDatabase())
    const { db } = testApp.database
    for (let night = 0; night < 3; night += 1) {
      testApp.advance(86_400_000)
      await recheckRegistrations(testApp.services)
    }
    const left = await db
      .selectFrom('providers')
      .select('no')
      .where('verification_status', '=', 'Verified')
      .execute()
    expect(left).toHaveLength(VERIFIED)
    expect(await db.selectFrom('outbox').select('id').execute()).toEqual([])
    const doubted = db.selectFrom('provider_standings').select('provider_no')
    expect(await doubted.where('doubt_since', 'is not', null).execute()).toEqual([])
  })

  test('hold every case for the queue, with the evidence a look-up would have stored', async () => {
    await using testApp = await demo(await makeDatabase())
    const { db } = testApp.database
    const checks = await db.selectFrom('verification_checks').selectAll().execute()
    expect(new Set(checks.map(({ outcome }) => outcome))).toEqual(
      new Set(['match', 'differs', 'not_in_standing', 'not_found']),
    )
    for (const check of checks) {
      const claim = { name: check.claimed_name, registration_number: check.claimed_number }
      const answer = await testApp.services.registers.lookUp(check.body, check.claimed_number)
      const { outcome, differences } = compare(claim, answer)
      expect([check.claimed_number, check.outcome, check.differences]).toEqual([
        check.claimed_number,
        outcome,
        JSON.stringify(differences),
      ])
      expect(check.standing).toBe(answer?.standing ?? null)
    }
    const waiting = await db
      .selectFrom('provider_standings')
      .select('is_match')
      .where('state', '=', 'waiting')
      .execute()
    expect(waiting).toHaveLength(WAITING)
  })

  test('are written once, and keep an imported list', async () => {
    const database = await makeDatabase()
    await using testApp = await demo(database)
    expect(await seedRegisters(database, { now: testApp.services.now() })).toBe(false)
    const loads = database.db.selectFrom('register_loads').select(['body', 'state'])
    expect(await loads.execute()).toHaveLength(3)
  })
})
