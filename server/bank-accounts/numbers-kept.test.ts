import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { newKey } from '#tests/harness/bank-accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

/** Digits that do not occur by chance in anything else that is stored. */
const numbers = ['60718293', '61829304', '62930415', '63041526', '64152637'] as const
const codes = ['707172', '818283'] as const

async function dump({ database }: TestApp): Promise<string> {
  const tables = await database.db.introspection.getTables()
  expect(tables.map(({ name }) => name)).toContain('bank_accounts')
  const rows: unknown[] = []
  for (const { name } of tables) {
    const all = sql<Record<string, unknown>>`select * from ${sql.table(name)}`
    rows.push(name, (await all.execute(database.db)).rows)
  }
  return JSON.stringify(rows)
}

describeEngines('the life of a bank account', (makeDatabase) => {
  test('leaves its numbers in no table, log, mail or answer', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { account } = await makeProviderAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn(account)
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
    await act('bankAccounts.edit', {
      ...form,
      id,
      version: 1,
      sort_code: codes[1],
      account_number: numbers[2],
    })
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
    const owed = await dump(testApp)
    await testApp.drainOutbox()
    expect(testApp.mails.length).toBeGreaterThanOrEqual(4)
    const kept = `${owed}\n${await dump(testApp)}\n${JSON.stringify([testApp.logged, testApp.mails, answers])}`
    expect(numbers.filter((number) => kept.includes(number))).toEqual([])
    expect(kept).toContain('••••9304')
    // Sort codes are printed in directories: their owner may see them, but tables and logs must not hold
    // them.
    const stored = `${owed}\n${await dump(testApp)}\n${JSON.stringify([testApp.logged, testApp.mails])}`
    expect(codes.filter((code) => stored.includes(code))).toEqual([])
  })
})
