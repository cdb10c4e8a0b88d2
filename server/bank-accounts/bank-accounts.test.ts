import { expect, test } from 'vitest'
import { BankAccount, BankAccounts } from '#contract/bank-accounts.ts'
import { DataExport } from '#contract/profiles.ts'
import { makeVault } from '#server/kernel/security/secrets.ts'
import { makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { addAccounts, newKey, ukAccount, usAccount } from '#tests/harness/bank-accounts.ts'
import { Browser, type Outcome } from '#tests/harness/browser.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { dumpTables, makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { resealBankAccounts } from './seal-numbers.ts'

const MINUTE = 60_000
const STRANGER = `bnk_${'0'.repeat(26)}`

async function signInProvider(testApp: TestApp) {
  const made = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(made.account)
  return { ...made, browser }
}

async function listed(browser: Browser) {
  const { accounts } = BankAccounts.parse((await browser.ask('bankAccounts.list')).data)
  return accounts
}

async function names(browser: Browser): Promise<string[]> {
  const accounts = await listed(browser)
  return accounts.map(({ name, is_primary }) => (is_primary ? `${name}, primary` : name))
}

async function audited(testApp: TestApp) {
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['action', 'outcome', 'entity', 'actor_id', 'details'])
    .orderBy('no')
    .execute()
  return rows.filter(({ action }) => action.startsWith('bank.') || action === 'call.denied')
}

/** What an edit of an account just added states at least. */
const EDIT = { region: 'uk', version: 1, sort_code: '12-34-56' }

/** The outcomes of so many calls made at once. */
function concurrently(count: number, call: (at: number) => Promise<Outcome>): Promise<Outcome[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => call(at)))
}

const failed = (code: string, status: number) => ({ code, status })

describeEngines('bank accounts', (makeDatabase) => {
  test('are added, shown masked with the primary first, changed, and deleted', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    expect(await listed(browser)).toEqual([])
    const [first = '', second = ''] = await addAccounts(browser, 3)
    expect(await names(browser)).toEqual(['Account 1, primary', 'Account 2', 'Account 3'])
    expect((await listed(browser))[0]).toEqual({
      id: first,
      name: 'Account 1',
      account_number: '••••5910',
      is_primary: true,
      bank_code: '12-34-56',
      account_type: null,
      version: 1,
      added_at: '2026-03-02T09:00:00.000Z',
    })
    await browser.act('bankAccounts.makePrimary', { id: second })
    expect(await names(browser)).toEqual(['Account 2, primary', 'Account 1', 'Account 3'])
    const edit = { ...EDIT, id: first, name: 'Savings', sort_code: '65 43 21' }
    const { data } = await browser.act('bankAccounts.edit', edit)
    expect(BankAccount.parse(data)).toMatchObject({
      name: 'Savings',
      bank_code: '65-43-21',
      account_number: '••••5910',
      version: 2,
    })
    await browser.act('bankAccounts.edit', { ...edit, version: 2, account_number: '27182818' })
    expect((await listed(browser))[1]).toMatchObject({ account_number: '••••2818', version: 3 })
    expect((await browser.act('bankAccounts.remove', { id: first })).status).toBe(200)
    expect(await names(browser)).toEqual(['Account 2, primary', 'Account 3'])
  })

  test('deleting the primary one makes the oldest other primary', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const [first = '', second = '', third = ''] = await addAccounts(browser, 3)
    await browser.act('bankAccounts.remove', { id: first })
    expect(await names(browser)).toEqual(['Account 2, primary', 'Account 3'])
    await browser.act('bankAccounts.makePrimary', { id: third })
    await browser.act('bankAccounts.remove', { id: second })
    expect(await names(browser)).toEqual(['Account 3, primary'])
  })

  test('the last one cannot be deleted, with the documented message', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const [only = ''] = await addAccounts(browser, 1)
    const refused = await browser.act('bankAccounts.remove', { id: only })
    const message = 'You cannot delete this primary account, as there is no secondary accounts '
    expect(refused).toMatchObject({ ...failed('bank_account_last', 409), message })
    expect(await names(browser)).toEqual(['Account 1, primary'])
  })

  test('a form sent twice adds one account and one email; the same numbers again are refused', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const input = { ...ukAccount, key: newKey() }
    const twice = await concurrently(2, () => browser.act('bankAccounts.add', input))
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    expect(twice[0]?.data).toEqual(twice[1]?.data)
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(1)
    const known = await browser.act('bankAccounts.add', { ...input, key: newKey(), name: 'Other' })
    expect(known).toMatchObject(failed('bank_account_known', 409))
    const reused = await browser.act('bankAccounts.add', { ...input, account_number: '27182818' })
    expect(reused).toMatchObject(failed('key_reused', 422))
    const [other = ''] = await addAccounts(browser, 1)
    const same = { ...ukAccount, id: other, version: 1 }
    const copied = await browser.act('bankAccounts.edit', same)
    expect(copied).toMatchObject(failed('bank_account_known', 409))
    expect(await listed(browser)).toHaveLength(2)
  })

  test('there are at most five', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    await addAccounts(browser, 5)
    const sixth = await browser.act('bankAccounts.add', { ...ukAccount, key: newKey() })
    expect(sixth).toMatchObject(failed('bank_accounts_full', 409))
    expect(await listed(browser)).toHaveLength(5)
  })

  test('somebody else’s account is not found, and the attempt is audited', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const owner = await signInProvider(testApp)
    const [id = ''] = await addAccounts(owner.browser, 2)
    const other = await signInProvider(testApp)
    await addAccounts(other.browser, 2)
    const edit = { ...EDIT, name: 'Mine now' }
    for (const wanted of [id, STRANGER]) {
      for (const [path, input] of [
        ['bankAccounts.edit', { ...edit, id: wanted }],
        ['bankAccounts.remove', { id: wanted }],
        ['bankAccounts.makePrimary', { id: wanted }],
      ] as const) {
        const refused = await other.browser.act(path, input)
        expect([path, refused.code, refused.status]).toEqual([path, 'bank_account_not_found', 404])
      }
    }
    expect(await names(owner.browser)).toEqual(['Account 1, primary', 'Account 2'])
    const denied = (await audited(testApp)).filter(({ outcome }) => outcome === 'denied')
    const paths = ['bankAccounts.edit', 'bankAccounts.remove', 'bankAccounts.makePrimary']
    expect(denied.map(({ entity }) => entity)).toEqual([...paths, ...paths])
    expect(new Set(denied.map(({ actor_id }) => actor_id))).toEqual(new Set([other.account.id]))
  })

  test('an edit of an outdated account is refused, and nothing is saved', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const [id = ''] = await addAccounts(browser, 1)
    const edit = { ...EDIT, id }
    await browser.act('bankAccounts.edit', { ...edit, name: 'First tab' })
    const stale = await browser.act('bankAccounts.edit', { ...edit, name: 'Second tab' })
    expect(stale).toMatchObject(failed('bank_account_changed', 409))
    expect(await names(browser)).toEqual(['First tab, primary'])
  })

  test('an edit that changes nothing sends no email', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const [id = ''] = await addAccounts(browser, 1)
    await testApp.drainOutbox()
    const same = { ...EDIT, id, name: 'Account 1', sort_code: '123456' }
    const { data } = await browser.act('bankAccounts.edit', same)
    expect(data).toMatchObject({ version: 1 })
    await browser.act('bankAccounts.makePrimary', { id })
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(1)
  })

  test('every change is emailed to the owner, masked, and audited without a number', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, account } = await signInProvider(testApp)
    const [first = '', second = ''] = await addAccounts(browser, 2)
    await browser.act('bankAccounts.edit', { ...EDIT, id: second, name: 'Reserve' })
    const mail = await lastMailTo(testApp, account.email)
    expect(mail.subject).toBe('A bank account was changed')
    expect(mail.text).toContain('Reserve, ••••5911')
    expect(mail.text).toContain('/doctor/bank-account')
    await browser.act('bankAccounts.remove', { id: first })
    await listed(browser)
    await testApp.drainOutbox()
    expect(testApp.mails.map(({ subject }) => subject)).toEqual([
      'A bank account was added',
      'A bank account was added',
      'A bank account was changed',
      'A bank account was deleted',
      'Your primary bank account was changed',
    ])
    const acts = await audited(testApp)
    expect(acts.map(({ action, entity }) => [action, entity])).toEqual([
      ['bank.added', first],
      ['bank.added', second],
      ['bank.edited', second],
      ['bank.deleted', first],
      ['bank.primary_set', second],
      ['bank.viewed', expect.stringMatching(/^prv_/)],
    ])
    expect(new Set(acts.map(({ actor_id }) => actor_id))).toEqual(new Set([account.id]))
    expect(JSON.stringify(acts)).not.toMatch(/59(10|11)|123456|Reserve/)
  })

  test('every change requires a step-up within five minutes, reading does not', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const [id = ''] = await addAccounts(browser, 2)
    testApp.advance(5 * MINUTE)
    for (const [path, input] of [
      ['bankAccounts.add', { ...ukAccount, key: newKey() }],
      ['bankAccounts.edit', { ...EDIT, id, name: 'N' }],
      ['bankAccounts.remove', { id }],
      ['bankAccounts.makePrimary', { id }],
    ] as const) {
      const refused = await browser.act(path, input)
      expect([path, refused]).toMatchObject([path, failed('step_up_required', 403)])
    }
    expect(await listed(browser)).toHaveLength(2)
  })

  test('a seal opens only in its own row and for its own provider', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const [first = '', second = ''] = await addAccounts(browser, 2)
    const { db } = testApp.database
    const taken = db.selectFrom('bank_accounts').select('sealed').where('id', '=', first)
    const { sealed } = await taken.executeTakeFirstOrThrow()
    await db.updateTable('bank_accounts').set({ sealed }).where('id', '=', second).execute()
    expect(await browser.ask('bankAccounts.list')).toMatchObject(failed('internal', 500))
  })

  test('after a key change all are resealed, and the old key can be removed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    await addAccounts(browser, 3)
    const keys = { old: Buffer.alloc(32, 8), fresh: Buffer.alloc(32, 9) }
    const { services } = testApp
    services.vault = makeVault([keys.fresh, keys.old])
    await resealBankAccounts(services)
    const { db } = testApp.database
    const rows = await db.selectFrom('bank_accounts').select('key_id').distinct().execute()
    expect(rows).toEqual([{ key_id: makeVault([keys.fresh]).keyId }])
    services.vault = makeVault([keys.fresh])
    await resealBankAccounts(services)
    expect(testApp.logged.filter(({ level }) => level === 50)).toEqual([])
  })

  test('the export lists them masked, and erasing the account deletes them', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    await addAccounts(browser, 2)
    const taken = DataExport.parse((await browser.act('profiles.exportData')).data)
    expect(taken.bank_accounts).toMatchObject([
      { name: 'Account 1', account_number: '••••5910', is_primary: true },
      { name: 'Account 2', account_number: '••••5911', is_primary: false },
    ])
    expect(JSON.stringify(taken)).not.toMatch(/314159/)
    await browser.act('erasure.erase', { confirm: true })
    const left = testApp.database.db.selectFrom('bank_accounts').selectAll()
    expect(await left.execute()).toEqual([])
    await testApp.drainOutbox()
    // Emails still queued for the erased address are not sent.
    expect(testApp.mails.map(({ subject }) => subject)).toEqual(['Your account was deleted'])
  })
})

test('the region is the provider’s own: the other’s form is refused', async () => {
  await using testApp = await makeTestApp()
  const { browser, provider } = await signInProvider(testApp)
  const { db } = testApp.database
  const add = () => browser.act('bankAccounts.add', { ...usAccount, key: newKey() })
  const message = 'Your practice is in the UK: enter a sort code and an account number.'
  expect((await add()).issues).toEqual([{ path: 'region', message }])
  await db.updateTable('providers').set({ region: 'usa' }).where('no', '=', provider.no).execute()
  expect((await add()).data).toMatchObject({
    bank_code: '111000025',
    account_number: '••••••••2845',
    account_type: 'checking',
  })
})

/** The number of accounts left, and how many of them are primary. */
async function countAccounts({ database }: TestApp) {
  const rows = await database.db.selectFrom('bank_accounts').select('is_primary').execute()
  return { left: rows.length, primary: rows.filter((row) => row.is_primary === 1).length }
}

/** Clears the rate limit, which is not under test: fifty calls exceed one hour's changes. */
async function clearRateLimit({ database }: TestApp): Promise<void> {
  await database.db.deleteFrom('attempts').execute()
}

describeEngines('fifty concurrent calls', (makeDatabase) => {
  test('that delete both accounts from two tabs leave one, the primary one', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const ids = await addAccounts(browser, 2)
    await clearRateLimit(testApp)
    const outcomes = await concurrently(50, (at) =>
      browser.act('bankAccounts.remove', { id: ids[at % 2] }),
    )
    const said = new Set(outcomes.map(({ code }) => code))
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(said).toEqual(new Set([null, 'bank_account_last', 'bank_account_not_found']))
    expect(await countAccounts(testApp)).toEqual({ left: 1, primary: 1 })
  })

  test('that make others primary leave exactly one', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const ids = await addAccounts(browser, 5)
    await clearRateLimit(testApp)
    const outcomes = await concurrently(50, (at) =>
      browser.act('bankAccounts.makePrimary', { id: ids[at % 5] }),
    )
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200, 429]))
    expect(await countAccounts(testApp)).toEqual({ left: 5, primary: 1 })
  })

  test('that add accounts leave five, with one primary', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const outcomes = await concurrently(50, (at) => {
      const account_number = `314159${at + 10}`
      return browser.act('bankAccounts.add', { ...ukAccount, key: newKey(), account_number })
    })
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set([null, 'bank_accounts_full']))
    expect(await countAccounts(testApp)).toEqual({ left: 5, primary: 1 })
  })

  test('that add the same account from one form add it once', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const input = { ...ukAccount, key: newKey() }
    const outcomes = await concurrently(30, () => browser.act('bankAccounts.add', input))
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await countAccounts(testApp)).toEqual({ left: 1, primary: 1 })
  })
})

/** Digits that do not occur by chance in anything else that is stored. */
const numbers = ['60718293', '61829304', '62930415', '63041526', '64152637'] as const
const codes = ['707172', '818283'] as const

describeEngines('a bank account’s life cycle', (makeDatabase) => {
  test('leaves its numbers in no table, log, email or response', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser } = await signInProvider(testApp)
    const answers: unknown[] = []
    const act = async (path: string, input: object) => {
      const outcome = await browser.act(path, input)
      answers.push(outcome)
      return outcome
    }
    const form = { region: 'uk', name: 'Dr Amara Okafor', sort_code: codes[0] }
    const add = (number: string, more: object = {}) =>
      act('bankAccounts.add', { ...form, key: newKey(), account_number: number, ...more })
    const { data } = await add(numbers[0])
    const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : ''
    await add(numbers[1])
    const edit = { ...form, id, version: 1, sort_code: codes[1], account_number: numbers[2] }
    await act('bankAccounts.edit', edit)
    // Rejected input may be a real account number too.
    expect((await add(`${numbers[3]}9`)).status).toBe(400)
    expect((await add(numbers[3], { iban: numbers[3] })).status).toBe(400)
    expect((await add(numbers[3], { name: `Amara ${numbers[3]}` })).status).toBe(400)
    expect((await add(numbers[1])).status).toBe(409)
    testApp.advance(5 * 60_000)
    expect((await add(numbers[4])).code).toBe('step_up_required')
    await act('auth.stepUp', { password: PASSWORD })
    answers.push(await browser.ask('bankAccounts.list'))
    answers.push((await browser.act('profiles.exportData')).data)
    await testApp.drainOutbox()
    await act('bankAccounts.remove', { id })
    const dump = await dumpTables(testApp)
    expect(dump).toContain('"bank_accounts"')
    await testApp.drainOutbox()
    expect(testApp.mails.length).toBeGreaterThanOrEqual(4)
    const stored = `${dump}\n${await dumpTables(testApp)}\n${JSON.stringify([testApp.logged, testApp.mails])}`
    const kept = `${stored}\n${JSON.stringify(answers)}`
    expect(numbers.filter((number) => kept.includes(number))).toEqual([])
    expect(kept).toContain('••••9304')
    // Sort codes are printed in directories: their owner may see them, but tables and logs must not hold
    // them.
    expect(codes.filter((code) => stored.includes(code))).toEqual([])
  })
})
