import { expect, test } from 'vitest'
import { makeAccount } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedFavourites } from './demo-favourites.ts'

describeEngines('the demo’s favourites', (makeDatabase) => {
  test('are two of the patient people sign in as, once', async () => {
    const database = await makeDatabase()
    await using testApp = await makeTestApp({ database })
    const patient = await makeAccount(testApp, { email: 'patient@demo.example' })
    for (let at = 0; at < 4; at += 1) {
      const verification_status = at === 0 ? 'Unverified' : 'Verified'
      await makeProvider(testApp, { email: `ann.lee${at}@demo.example`, verification_status })
    }
    const now = testApp.services.now()
    const seed = () => seedFavourites(database, { now })
    expect([await seed(), await seed()]).toEqual([true, false])
    const browser = new Browser(testApp)
    await browser.signIn(patient)
    const { data } = await browser.ask('profiles.favourites')
    expect(data).toMatchObject([{ provider: {} }, { provider: {} }])
  })
})
