import type { Insertable } from 'kysely'
import { ProviderId, SessionId, UserId } from '#contract/base/ids.ts'
import type { AccountRow } from '#db/tables/auth.ts'
import { createCaller } from '#server/app-router.ts'
import { makeContext, type Services, type SignedIn } from '#server/context.ts'
import { makeProvider } from './people.ts'
import type { TestApp } from './test-app.ts'

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

/** The account that a provider signs in with; `email` is theirs unless left out. */
export function makeOwner(
  testApp: TestApp,
  provider: { no: number; email?: string },
  overrides: Overrides = {},
): Promise<MadeAccount> {
  return makeAccount(testApp, {
    kind: 'provider',
    date_of_birth: null,
    provider_no: provider.no,
    ...(provider.email !== undefined && { email: provider.email }),
    ...overrides,
  })
}

/** A Verified provider together with the account they sign in with. */
export async function makeProviderAccount(testApp: TestApp, overrides: Overrides = {}) {
  const provider = await makeProvider(testApp)
  return { provider, account: await makeOwner(testApp, provider, overrides) }
}

export type AccountRef = Pick<MadeAccount, 'no' | 'id'>

/** The context of a patient who has signed in, with a network of their own. */
export function signedInAs(services: Services, account: AccountRef): SignedIn {
  const session = {
    id: SessionId.parse(`ses_${'0'.repeat(26)}`),
    accountNo: account.no,
    userId: UserId.parse(account.id),
    kind: 'patient' as const,
    steppedUpUntil: null,
    setupStep: null,
  }
  const ctx = makeContext(services, {
    viewer: { kind: 'patient', id: account.id },
    requestId: 'TEST',
    network: `10.${account.no >> 16}.${(account.no >> 8) & 255}.${account.no & 255}`,
    session,
  })
  return { ...ctx, session }
}

/** A patient with an account, a context and a caller. */
export async function makePatient(testApp: TestApp, overrides: Overrides = {}) {
  const account = await makeAccount(testApp, overrides)
  const ctx = signedInAs(testApp.services, account)
  return { account, ctx, caller: createCaller(ctx) }
}

/** A provider who has signed in, with a new account unless one is given: the account, a context and a caller. */
export async function signInOwner(
  testApp: TestApp,
  provider: { no: number; id: string; email?: string },
  existing?: MadeAccount,
) {
  const account = existing ?? (await makeOwner(testApp, provider))
  const session = {
    ...signedInAs(testApp.services, account).session,
    kind: 'provider' as const,
  }
  const ctx = makeContext(testApp.services, {
    viewer: { kind: 'provider', id: ProviderId.parse(provider.id) },
    requestId: 'TEST',
    network: `10.9.${(account.no >> 8) & 255}.${account.no & 255}`,
    session,
  })
  return { account, ctx, caller: createCaller(ctx) }
}

/** The caller of a provider who has signed in with a new account and an address of its own. */
export async function signInProviderCaller(testApp: TestApp, { no, id }: AccountRef) {
  return (await signInOwner(testApp, { no, id })).caller
}
