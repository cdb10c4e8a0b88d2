import { expect, test } from 'vitest'
import { UserId } from '#contract/base/ids.ts'
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '#db/reference/demo.ts'
import { seedDemo } from '#demo/seed.ts'
import { insertTestAreas } from '#demo/test-areas.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { seedAccounts, seedFavourites } from './accounts.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

describeEngines('the demo accounts', (makeDatabase) => {
  test('are written once, providers’ linked to their profiles', async () => {
    const database = await makeDatabase()
    await insertTestAreas(database)
    await seedDemo(database, {
      now: NOW,
      mediaFolder: '',
      providersPerRegion: 40,
      reindex: () => Promise.resolve(),
      copy: () => Promise.resolve(new Map<string, string>()),
    })
    const hashed: string[] = []
    const hash = (password: string) => {
      hashed.push(password)
      return Promise.resolve(`hash of ${password}`)
    }
    const wrote = await Promise.all([
      seedAccounts(database, { now: NOW, hash }),
      seedAccounts(database, { now: NOW, hash }),
    ])
    expect(wrote.toSorted()).toEqual([false, true])
    expect(await seedAccounts(database, { now: NOW, hash })).toBe(false)
    expect(new Set(hashed)).toEqual(new Set([DEMO_PASSWORD]))
    const rows = await database.db
      .selectFrom('accounts as a')
      .leftJoin('providers as p', 'p.no', 'a.provider_no')
      .select(['a.id', 'a.email', 'a.kind', 'a.role', 'a.email_verified_at', 'p.email as profile'])
      .orderBy('a.no')
      .execute()
    expect(rows.map(({ email }) => email)).toEqual(DEMO_ACCOUNTS.map(({ email }) => email))
    for (const row of rows) {
      expect(UserId.safeParse(row.id).success).toBe(true)
      expect(row.email_verified_at).toBe(NOW)
      expect(row.profile).toBe(row.kind === 'provider' ? row.email : null)
      expect(row.role === null).toBe(row.kind !== 'staff')
    }
  })
})

describeEngines('the demo’s favourites', (makeDatabase) => {
  test('are two, of the patient visitors sign in as, written once', async () => {
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
