import type { Insertable } from 'kysely'
import type { Database, Db } from '#db/engine.ts'
import { DEMO_ACCOUNTS, DEMO_PASSWORD, DEMO_PATIENT } from '#db/reference/demo.ts'
import type { AccountRow } from '#db/tables/auth.ts'
import { idFrom } from '#demo/random.ts'
import { readMeta, seedOnce } from '#demo/store.ts'

type Named = Pick<AccountRow, 'first_name' | 'last_name' | 'phone_number'>

/** The people behind the accounts that are not providers'. Ofcom reserves their phone numbers for drama. */
const PEOPLE: Record<string, Named> = {
  [DEMO_PATIENT]: { first_name: 'Maya', last_name: 'Ellis', phone_number: '020 7946 0123' },
  'superuser@demo.example': { first_name: 'Sam', last_name: 'Okoro', phone_number: '' },
  'admin@demo.example': { first_name: 'Ada', last_name: 'Lindqvist', phone_number: '' },
  'editor@demo.example': { first_name: 'Edith', last_name: 'Moreau', phone_number: '' },
  'author@demo.example': { first_name: 'Arun', last_name: 'Pillai', phone_number: '' },
}

const PATIENT_BIRTHDAY = '1988-04-17'

type Seeding = { now: number; passwordHash: string }

function rowFor(
  account: (typeof DEMO_ACCOUNTS)[number],
  person: Named & { provider_no: number | null },
  { now, passwordHash }: Seeding,
): Insertable<AccountRow> {
  const { role } = account
  const isStaff = role !== 'patient' && role !== 'provider'
  return {
    id: idFrom('usr', `account ${account.email}`),
    kind: isStaff ? 'staff' : role,
    email: account.email,
    password_hash: passwordHash,
    ...person,
    date_of_birth: account.role === 'patient' ? PATIENT_BIRTHDAY : null,
    role: isStaff ? role : null,
    email_verified_at: now,
    totp_last_step: 0,
    must_change_password: 0,
    default_radius: 10,
    terms_accepted_at: now,
    created_at: now,
    updated_at: now,
  }
}

/** Writes the demo accounts, those of providers bound to the profiles of the same address. */
async function writeAccounts(db: Db, seeding: Seeding): Promise<void> {
  const providers = await db
    .selectFrom('providers')
    .select(['no', 'email', 'first_name', 'last_name', 'phone'])
    .where(
      'email',
      'in',
      DEMO_ACCOUNTS.map(({ email }) => email),
    )
    .execute()
  const rows = DEMO_ACCOUNTS.flatMap((account) => {
    const provider = providers.find(({ email }) => email === account.email)
    const person = PEOPLE[account.email]
    if (provider !== undefined) {
      const { no, first_name, last_name, phone } = provider
      const named = { first_name, last_name, phone_number: phone ?? '', provider_no: no }
      return [rowFor(account, named, seeding)]
    }
    return person === undefined ? [] : [rowFor(account, { ...person, provider_no: null }, seeding)]
  })
  await db.insertInto('accounts').values(rows).execute()
}

const ACCOUNTS_KEY = 'demo_accounts'

type Options = {
  now: number
  /** Passed in: hashing does not belong to database code. */
  hash: (password: string) => Promise<string>
}

/**
 * Writes the demo accounts once, after the providers they belong to. Their shared password is hashed only
 * once. Returns whether this call wrote them.
 */
export async function seedAccounts(database: Database, options: Options): Promise<boolean> {
  if ((await readMeta(database.db, ACCOUNTS_KEY)) !== undefined) return false
  const passwordHash = await options.hash(DEMO_PASSWORD)
  return seedOnce(database, ACCOUNTS_KEY, (db) =>
    writeAccounts(db, { now: options.now, passwordHash }),
  )
}

const FAVOURITES_KEY = 'demo_favourites'
const HOUR = 3_600_000
/** How many are saved: the provider visitors look at first, and the next one of the region. */
const SAVED = 2

/** Gives the patient people sign in as two saved providers. Runs once; returns whether this call did it. */
export async function seedFavourites(
  database: Database,
  { now }: { now: number },
): Promise<boolean> {
  return seedOnce(database, FAVOURITES_KEY, async (db) => {
    const patient = await db
      .selectFrom('accounts')
      .select('no')
      .where('email', '=', DEMO_PATIENT)
      .where('kind', '=', 'patient')
      .executeTakeFirst()
    const providers = await db
      .selectFrom('providers')
      .select('no')
      .where('email', 'like', '%@demo.example')
      .where('verification_status', '=', 'Verified')
      .where('region', '=', 'uk')
      .orderBy('no')
      .limit(SAVED)
      .execute()
    if (patient === undefined || providers.length === 0) return
    const rows = providers.map(({ no }, at) => ({
      account_no: patient.no,
      provider_no: no,
      created_at: now - (at + 1) * 26 * HOUR,
    }))
    await db
      .insertInto('favourites')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['account_no', 'provider_no']).doNothing())
      .execute()
  })
}
