import type { BankAccountType } from '#contract/bank-accounts.ts'
import { toFlag } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import type { BankAccountRow } from '#db/tables/bank-accounts.ts'
import { idFrom } from '#demo/ids.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'

const BANK_ACCOUNTS_KEY = 'demo_bank_accounts'

type AccountSeed = {
  provider: string
  name: string
  account_type: BankAccountType | null
  code: string
  number: string
}

/**
 * Test numbers that banks and gateways print in their manuals; they belong to nobody and pass every check.
 */
const ACCOUNTS: readonly AccountSeed[] = [
  {
    provider: 'provider@demo.example',
    name: 'Riverside Family Practice',
    account_type: null,
    code: '108800',
    number: '00012345',
  },
  {
    provider: 'provider@demo.example',
    name: 'Amara Bennett',
    account_type: null,
    code: '200000',
    number: '12345678',
  },
  {
    provider: 'provider-us@demo.example',
    name: 'Live Oak Family Medicine',
    account_type: 'checking',
    code: '110000000',
    number: '000123456789',
  },
]

type SealedNumbers = Pick<BankAccountRow, 'sealed' | 'key_id' | 'fingerprint'>

type Options = {
  now: number
  /** Passed in: encryption does not belong to database code. */
  seal: (
    of: { id: string; providerId: string },
    numbers: { code: string; number: string },
  ) => SealedNumbers
}

async function writeBankAccounts(db: Db, { now, seal }: Options): Promise<void> {
  const providers = await db
    .selectFrom('providers')
    .select(['no', 'id', 'email'])
    .where(
      'email',
      'in',
      ACCOUNTS.map(({ provider }) => provider),
    )
    .execute()
  const rows = providers.flatMap((provider) =>
    ACCOUNTS.filter((one) => one.provider === provider.email).map((one, at) => {
      const id = idFrom('bnk', `bank account ${one.number}`)
      const { code, number } = one
      return {
        id,
        provider_no: provider.no,
        name: one.name,
        account_type: one.account_type,
        ...seal({ id, providerId: provider.id }, { code, number }),
        add_key: id,
        is_primary: toFlag(at === 0),
        version: 1,
        created_at: now,
        updated_at: now,
      }
    }),
  )
  if (rows.length > 0) await db.insertInto('bank_accounts').values(rows).execute()
}

/**
 * Writes the bank accounts of the demo's providers once, after their profiles. Returns whether this
 * call wrote them.
 */
export async function seedBankAccounts(database: Database, options: Options): Promise<boolean> {
  if ((await readMeta(database.db, BANK_ACCOUNTS_KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, BANK_ACCOUNTS_KEY, '1'))) return false
    await writeBankAccounts(db, options)
    return true
  })
}
