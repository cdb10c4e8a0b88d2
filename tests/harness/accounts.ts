import type { Insertable } from 'kysely'
import type { AccountRow } from '#db/tables/auth.ts'
import { makeProvider } from '#tests/harness/people.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

/** The password of every test account; hashed only once, because hashing is slow. */
export const PASSWORD = 'seven green bottles'
let passwordHash: Promise<string> | undefined

export type Overrides = Partial<Insertable<AccountRow>>

export type MadeAccount = { no: number; id: string; email: string; kind: AccountRow['kind'] }

/** A patient with a confirmed address who signs in with `PASSWORD`. Every column can be overridden. */
export async function makeAccount(
  testApp: TestApp,
  overrides: Overrides = {},
): Promise<MadeAccount> {
  const { newId, now, passwords } = testApp.services
  passwordHash ??= passwords.hash(PASSWORD)
  const id = newId('usr')
  return testApp.database.db
    .insertInto('accounts')
    .values({
      id,
      kind: 'patient',
      email: `${id.slice(-6)}@mail.example`,
      password_hash: await passwordHash,
      first_name: 'Maya',
      last_name: 'Ellis',
      phone_number: '020 7946 0123',
      date_of_birth: '1988-04-17',
      email_verified_at: now(),
      totp_last_step: 0,
      must_change_password: 0,
      default_radius: 10,
      terms_accepted_at: now(),
      created_at: now(),
      updated_at: now(),
      ...overrides,
    })
    .returning(['no', 'id', 'email', 'kind'])
    .executeTakeFirstOrThrow()
}

/** A Verified provider together with the account they sign in with. */
export async function makeProviderAccount(testApp: TestApp, overrides: Overrides = {}) {
  const provider = await makeProvider(testApp)
  const account = await makeAccount(testApp, {
    kind: 'provider',
    email: provider.email,
    date_of_birth: null,
    provider_no: provider.no,
    ...overrides,
  })
  return { provider, account }
}
