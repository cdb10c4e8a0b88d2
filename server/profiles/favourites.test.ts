import { expect, test } from 'vitest'
import { DataExport, MAX_FAVOURITES } from '#contract/profiles.ts'
import { makeAccount, makePatient, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

function audited(testApp: TestApp) {
  return testApp.database.db
    .selectFrom('audit')
    .select(['action', 'entity'])
    .where('action', 'like', 'favourite.%')
    .orderBy('no')
    .execute()
}

/** Inserts `count` favourites, whose providers need only exist as rows. */
async function fill(testApp: TestApp, accountNo: number, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const { no } = await makeProvider(testApp, { slots: [] })
    await testApp.database.db
      .insertInto('favourites')
      .values({ account_no: accountNo, provider_no: no, created_at: at })
      .execute()
  }
}

describeEngines('saved providers', (makeDatabase) => {
  const begin = async () => makeTestApp({ database: await makeDatabase() })

  test('are listed latest first, saved once, and can be removed; each change is audited', async () => {
    await using testApp = await begin()
    const [first, second] = [await makeProvider(testApp), await makeProvider(testApp)]
    const { caller } = await makePatient(testApp)
    await caller.profiles.saveFavourite({ providerId: first.id })
    testApp.advance(60_000)
    await caller.profiles.saveFavourite({ providerId: second.id })
    await caller.profiles.saveFavourite({ providerId: second.id })
    const saved = await caller.profiles.favourites({})
    expect(saved.map(({ providerId }) => providerId)).toEqual([second.id, first.id])
    expect(saved[0]?.provider).toMatchObject({
      name: 'Dr Amara Okafor',
      specialty: 'GP',
      place: { postcode: 'SE1 6ET' },
      nextFree: '2026-03-03T09:00:00.000Z',
    })
    await caller.profiles.removeFavourite({ providerId: second.id })
    await caller.profiles.removeFavourite({ providerId: second.id })
    expect(await caller.profiles.favourites({})).toHaveLength(1)
    expect(await audited(testApp)).toEqual([
      { action: 'favourite.saved', entity: first.id },
      { action: 'favourite.saved', entity: second.id },
      { action: 'favourite.removed', entity: second.id },
    ])
  })

  test('belong to one patient; an unlisted provider gets the same response as an unknown one', async () => {
    await using testApp = await begin()
    const { id } = await makeProvider(testApp)
    const hidden = await makeProvider(testApp, { verification_status: 'Unverified' })
    const [mine, theirs] = [await makePatient(testApp), await makePatient(testApp)]
    await mine.caller.profiles.saveFavourite({ providerId: id })
    expect(await theirs.caller.profiles.favourites({})).toEqual([])
    await theirs.caller.profiles.removeFavourite({ providerId: id })
    expect(await mine.caller.profiles.favourites({})).toHaveLength(1)
    for (const providerId of [hidden.id, `prv_${'z'.repeat(26)}`]) {
      await expect(mine.caller.profiles.saveFavourite({ providerId })).rejects.toMatchObject({
        cause: { code: 'provider_not_found' },
      })
    }
  })

  test('of a provider who is no longer listed have no details, and can still be removed', async () => {
    await using testApp = await begin()
    const { id } = await makeProvider(testApp)
    const { caller } = await makePatient(testApp)
    await caller.profiles.saveFavourite({ providerId: id })
    await testApp.database.db
      .updateTable('providers')
      .set({ verification_status: 'Unverified' })
      .execute()
    expect(await caller.profiles.favourites({})).toMatchObject([{ providerId: id, provider: null }])
    await caller.profiles.removeFavourite({ providerId: id })
    expect(await caller.profiles.favourites({})).toEqual([])
  })

  test('are at most a hundred, also with concurrent saves', async () => {
    await using testApp = await begin()
    const { account, caller } = await makePatient(testApp)
    await fill(testApp, account.no, MAX_FAVOURITES - 2)
    const others = []
    for (let at = 0; at < 5; at += 1) others.push(await makeProvider(testApp, { slots: [] }))
    const results = await Promise.allSettled(
      others.map(({ id }) => caller.profiles.saveFavourite({ providerId: id })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await caller.profiles.favourites({})).toHaveLength(MAX_FAVOURITES)
    const refused = results.flatMap((one) =>
      one.status === 'rejected' ? [String(one.reason)] : [],
    )
    expect(new Set(refused).size).toBe(1)
    expect(refused[0]).toContain('You’ve saved 100 providers')
  })
})

test('are in the data export, and deleted with the account', async () => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp)
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await browser.act('profiles.saveFavourite', { providerId: id })
  const { favourites } = DataExport.parse((await browser.act('profiles.exportData')).data)
  expect(favourites).toMatchObject([{ provider_id: id, saved_at: '2026-03-02T09:00:00.000Z' }])
  await browser.act('erasure.erase', { confirm: true })
  expect(await testApp.database.db.selectFrom('favourites').selectAll().execute()).toEqual([])
})

test('a provider who erases their account is removed from all lists', async () => {
  await using testApp = await makeTestApp()
  const { account, provider } = await makeProviderAccount(testApp)
  const { caller } = await makePatient(testApp)
  await caller.profiles.saveFavourite({ providerId: provider.id })
  const browser = new Browser(testApp)
  await browser.signIn(account)
  expect((await browser.act('erasure.erase', { confirm: true })).status).toBe(200)
  expect(await caller.profiles.favourites({})).toEqual([])
})
