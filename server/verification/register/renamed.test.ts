import { expect, test } from 'vitest'
import { OwnVerification } from '#contract/verification.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { setRegister } from '#tests/harness/registers.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const own = { professional_body_name: 'GMC', membership_number: '7000001' }
const identity = {
  title: 'Dr',
  first_name: 'Amara',
  last_name: 'Okafor',
  specialty: 'gp',
  registed_with: own,
  confirmed: true,
}

function readStanding({ database }: TestApp) {
  return database.db.selectFrom('provider_standings').selectAll().executeTakeFirstOrThrow()
}

describeEngines('a claim that is changed', (makeDatabase) => {
  const begin = async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider } = await makeProviderAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn({ email: provider.email, kind: 'provider' })
    await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
    return { testApp, browser, provider }
  }

  test('is borne out by no comparison of the one before, and waits for staff again', async () => {
    const { testApp, browser } = await begin()
    expect((await browser.act('verification.lookUpMine', own)).status).toBe(200)
    expect(await readStanding(testApp)).toMatchObject({ state: 'verified', is_match: 1 })
    testApp.advance(60_000)
    const renamed = { ...identity, first_name: 'Amaro' }
    expect((await browser.act('profiles.updateIdentity', renamed)).status).toBe(200)
    expect(await readStanding(testApp)).toMatchObject({
      state: 'waiting',
      is_match: 0,
      due_at: null,
      asked_at: testApp.services.now(),
    })
  })

  test('while the register is asked about the one before gets nothing from its answer', async () => {
    const { testApp, browser, provider } = await begin()
    const { registers } = testApp.services
    testApp.services.registers = {
      ...registers,
      lookUp: async (...asked) => {
        const answer = await registers.lookUp(...asked)
        const renamed = { ...identity, last_name: 'Oкafor' }
        expect((await browser.act('profiles.updateIdentity', renamed)).status).toBe(200)
        return answer
      },
    }
    const { status, code } = await browser.act('verification.lookUpMine', own)
    expect([status, code]).toEqual([409, 'claim_changed'])
    testApp.services.registers = registers
    const mine = await browser.ask('verification.mine')
    expect(OwnVerification.parse(mine.data)).toMatchObject({
      verification_status: 'Unverified',
      state: 'waiting',
      check: null,
    })
    const { db } = testApp.database
    const matches = await db
      .selectFrom('provider_standings')
      .selectAll()
      .where('provider_no', '=', provider.no)
      .where('is_match', '=', 1)
      .execute()
    expect(matches).toEqual([])
  })
})
