import { expect, test } from 'vitest'
import {
  RoutingNumber,
  SortCode,
  UkAccountNumber,
  UsAccountNumber,
} from '#contract/bank-accounts.ts'
import { BankAccountId } from '#contract/base/ids.ts'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { seedDemo } from '#demo/seed.ts'
import { insertTestAreas } from '#demo/test-areas.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { seedBankAccounts, seedDemoPayments } from './demo-payments.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

describeEngines('the demo bank accounts', (makeDatabase) => {
  test('are written once: two in the UK, one in the USA, with valid numbers', async () => {
    const database = await makeDatabase()
    await insertTestAreas(database)
    await seedDemo(database, {
      now: NOW,
      mediaFolder: '',
      providersPerRegion: 40,
      reindex: () => Promise.resolve(),
      copy: () => Promise.resolve(new Map<string, string>()),
    })
    const seal = (of: { id: string }, { code, number }: { code: string; number: string }) => ({
      sealed: `${code} ${number}`,
      key_id: 'demo',
      fingerprint: of.id,
    })
    const wrote = await Promise.all([
      seedBankAccounts(database, { now: NOW, seal }),
      seedBankAccounts(database, { now: NOW, seal }),
    ])
    expect(wrote.toSorted()).toEqual([false, true])
    expect(await seedBankAccounts(database, { now: NOW, seal })).toBe(false)
    const rows = await database.db
      .selectFrom('bank_accounts as b')
      .innerJoin('providers as p', 'p.no', 'b.provider_no')
      .select(['b.id', 'b.sealed', 'b.is_primary', 'p.email', 'p.region'])
      .orderBy('b.no')
      .execute()
    expect(rows.map(({ email, is_primary }) => `${email} ${is_primary}`).toSorted()).toEqual([
      'provider-us@demo.example 1',
      'provider@demo.example 0',
      'provider@demo.example 1',
    ])
    for (const { id, sealed, region } of rows) {
      const [code, number] = sealed.split(' ')
      const [Code, Number] =
        region === 'uk' ? [SortCode, UkAccountNumber] : [RoutingNumber, UsAccountNumber]
      expect(BankAccountId.safeParse(id).success).toBe(true)
      expect([Code.safeParse(code).success, Number.safeParse(number).success]).toEqual([true, true])
    }
  })
})

test('payments for staff are written once by concurrent starts', async () => {
  const database = openDatabase('sqlite::memory:')
  try {
    await migrateToLatest(database)
    const wrote = [
      await seedDemoPayments(database, { now: NOW }),
      await seedDemoPayments(database, { now: NOW }),
    ]
    expect(wrote).toEqual([true, false])
    const found = await database.db
      .selectFrom('payment_differences')
      .select(['kind', 'dealt_at'])
      .orderBy('found_at', 'desc')
      .execute()
    expect(found.map(({ dealt_at: dealt }) => dealt === null)).toEqual([true, true, false])
  } finally {
    await database.close()
  }
})
