import { expect, test } from 'vitest'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { addAccounts, newKey, ukAccount } from '#tests/harness/bank-accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const CONCURRENCY = 50

async function signInProvider(testApp: TestApp): Promise<Browser> {
  const { account } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  return browser
}

/** The number of accounts left, and how many of them are primary. */
async function countAccounts({ database }: TestApp) {
  const rows = await database.db.selectFrom('bank_accounts').select('is_primary').execute()
  return { left: rows.length, primary: rows.filter((row) => row.is_primary === 1).length }
}

/** Clears the rate limit, which is not under test: fifty calls exceed one hour's changes. */
async function clearRateLimit({ database }: TestApp): Promise<void> {
  await database.db.deleteFrom('attempts').execute()
}

describeEngines('fifty at once', (makeDatabase) => {
  test('that delete both accounts from two tabs leave one, and it is the primary one', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = await signInProvider(testApp)
    const ids = await addAccounts(browser, 2)
    await clearRateLimit(testApp)
    const outcomes = await Promise.all(
      Array.from({ length: CONCURRENCY }, (_, at) =>
        browser.act('bankAccounts.remove', { id: ids[at % 2] }),
      ),
    )
    const said = new Set(outcomes.map(({ code }) => code))
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(said).toEqual(new Set([null, 'bank_account_last', 'bank_account_not_found']))
    expect(await countAccounts(testApp)).toEqual({ left: 1, primary: 1 })
  })

  test('that make others primary leave exactly one', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = await signInProvider(testApp)
    const ids = await addAccounts(browser, 5)
    await clearRateLimit(testApp)
    const outcomes = await Promise.all(
      Array.from({ length: CONCURRENCY }, (_, at) =>
        browser.act('bankAccounts.makePrimary', { id: ids[at % 5] }),
      ),
    )
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200, 429]))
    expect(await countAccounts(testApp)).toEqual({ left: 5, primary: 1 })
  })

  test('that add accounts leave five, and one primary', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = await signInProvider(testApp)
    const outcomes = await Promise.all(
      Array.from({ length: CONCURRENCY }, (_, at) =>
        browser.act('bankAccounts.add', {
          ...ukAccount,
          key: newKey(),
          account_number: `314159${at + 10}`,
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set([null, 'bank_accounts_full']))
    expect(await countAccounts(testApp)).toEqual({ left: 5, primary: 1 })
  })

  test('that add the same account from one form add it once', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const browser = await signInProvider(testApp)
    const input = { ...ukAccount, key: newKey() }
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => browser.act('bankAccounts.add', input)),
    )
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await countAccounts(testApp)).toEqual({ left: 1, primary: 1 })
  })
})
