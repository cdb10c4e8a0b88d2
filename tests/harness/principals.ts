import { scopesFor, type TokenScope } from '#contract/access-tokens.ts'
import type { StaffRole } from '#contract/base/staff.ts'
import { createAccessToken } from '#server/access-tokens/access-tokens.ts'
import { type Account, getAccount } from '#server/auth/accounts/account-store.ts'
import { openSession } from '#server/auth/sessions/sessions.ts'
import type { Session } from '#server/context.ts'
import type { Principal } from '#server/kernel/access.ts'
import type { SetupStep } from '#server/kernel/security/setup-steps.ts'
import type { TokenFault } from '#server/kernel/security/token-scopes.ts'
import { newTotpSecret } from '#server/kernel/security/totp.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { type MadeAccount, makeAccount, makeProviderAccount } from './accounts.ts'
import { Browser } from './browser.ts'

/** A caller with a browser and a network of their own. */
export type Person = {
  name: string
  browser: Browser
  /** Column of the access matrix they belong to. */
  as: Principal
  /** What they have to do before anything else. */
  setupStep: SetupStep | null
  /** Has confirmed their identity (step-up) within the last five minutes. */
  isSteppedUp: boolean
  /** For a script with a token: its scopes, or what is wrong with it. */
  token: PersonToken | null
  /** Id of the account; null for a stranger. */
  userId: string | null
  /** Id of the provider's profile. */
  providerId: string | null
}

export type PersonToken = { id: string } & (
  | { scopes: readonly TokenScope[]; fault: null }
  | { scopes: null; fault: TokenFault }
)

type Kind = Pick<Person, 'name' | 'as'> &
  Partial<Person> & {
    /** The account they sign in with; none for a stranger. */
    account?: (testApp: TestApp) => Promise<MadeAccount>
    /** The scopes of the token they call with instead of their session. */
    scopes?: readonly TokenScope[]
    fault?: TokenFault
    /** Signs in with the password, which may not be enough. */
    signsIn?: true
    /** Changes the session before the call. */
    afterwards?: (testApp: TestApp, account: MadeAccount, browser: Browser) => Promise<unknown>
  }

/** An authenticator app that was set up long ago. */
const confirmedFactor = ({ services }: TestApp) => ({
  totp_confirmed_at: 1,
  totp_secret: services.secrets.seal('totp', newTotpSecret()),
})

const patient = (testApp: TestApp) => makeAccount(testApp)
const provider = async (testApp: TestApp) =>
  (await makeProviderAccount(testApp, confirmedFactor(testApp))).account
const staff =
  (role: StaffRole, hasFactor = true) =>
  (testApp: TestApp) =>
    makeStaff(testApp, role, hasFactor ? confirmedFactor(testApp) : {})

/** Changes the account while the session stays open. */
const changeAccount =
  (change: (now: number) => object) =>
  (testApp: TestApp, { no }: MadeAccount) =>
    testApp.database.db
      .updateTable('accounts')
      .set(change(testApp.services.now()))
      .where('no', '=', no)
      .execute()

const expireSessions = (testApp: TestApp, { no }: MadeAccount) => {
  const { db } = testApp.database
  const sessions = db.selectFrom('sessions').select('id').where('account_no', '=', no)
  return db
    .updateTable('tokens')
    .set({ expires_at: testApp.services.now() })
    .where('session_id', 'in', sessions)
    .execute()
}

const withAccessCookie =
  (value: (browser: Browser) => string) => (_: TestApp, __: MadeAccount, browser: Browser) => {
    browser.jar.set('access_token', { value: value(browser), attributes: [] })
    return Promise.resolve()
  }

/** Changes the token while the script keeps using it. */
const changeToken =
  (change: (now: number) => object) =>
  (testApp: TestApp, { no }: MadeAccount) =>
    testApp.database.db
      .updateTable('access_tokens')
      .set(change(testApp.services.now()))
      .where('account_no', '=', no)
      .execute()

/** All kinds of callers the matrix is tested with. */
const KINDS: Kind[] = [
  { name: 'a visitor', as: 'visitor' },
  { name: 'a patient', as: 'patient', account: patient },
  { name: 'a patient without a fresh proof', as: 'patient', account: patient, isSteppedUp: false },
  { name: 'a provider', as: 'provider', account: provider },
  {
    name: 'a provider who is not Verified',
    as: 'provider',
    account: provider,
    afterwards: (testApp, { no }) =>
      testApp.database.db
        .updateTable('providers')
        .set({ verification_status: 'Unverified' })
        .where(
          'no',
          '=',
          testApp.database.db.selectFrom('accounts').select('provider_no').where('no', '=', no),
        )
        .execute(),
  },
  {
    name: 'a provider before the second factor',
    as: 'provider',
    account: async (testApp) => (await makeProviderAccount(testApp)).account,
    setupStep: 'second_factor',
  },
  { name: 'a superuser', as: 'superuser', account: staff('superuser') },
  {
    name: 'a superuser without a fresh proof',
    as: 'superuser',
    account: staff('superuser'),
    isSteppedUp: false,
  },
  { name: 'an admin', as: 'admin', account: staff('admin') },
  { name: 'an editor', as: 'editor', account: staff('editor') },
  { name: 'an author', as: 'author', account: staff('author') },
  {
    name: 'a superuser before the second factor',
    as: 'superuser',
    account: staff('superuser', false),
    setupStep: 'second_factor',
  },
  {
    name: 'a superuser with a first password',
    as: 'superuser',
    account: staff('superuser'),
    afterwards: changeAccount(() => ({ must_change_password: 1 })),
    setupStep: 'password',
  },
  {
    name: 'a superuser with a first password, before the second factor',
    as: 'superuser',
    account: staff('superuser', false),
    afterwards: changeAccount(() => ({ must_change_password: 1 })),
    setupStep: 'password',
  },
  {
    name: 'a superuser just made an author',
    as: 'author',
    account: staff('superuser'),
    afterwards: changeAccount(() => ({ role: 'author' })),
  },
  {
    name: 'a patient whose session was ended',
    as: 'visitor',
    account: patient,
    afterwards: (testApp, { no }) =>
      testApp.database.db
        .updateTable('sessions')
        .set({ ended_at: testApp.services.now(), end_reason: 'everywhere' })
        .where('account_no', '=', no)
        .execute(),
  },
  {
    name: 'a patient whose address is not confirmed',
    as: 'visitor',
    account: (testApp) => makeAccount(testApp, { email_verified_at: null }),
    signsIn: true,
  },
  {
    name: 'a patient whose token ran out',
    as: 'visitor',
    account: patient,
    afterwards: expireSessions,
  },
  {
    name: 'an admin who was suspended',
    as: 'visitor',
    account: staff('admin'),
    afterwards: changeAccount((now) => ({ suspended_at: now })),
  },
  {
    name: 'a patient who was erased',
    as: 'visitor',
    account: patient,
    afterwards: changeAccount((now) => ({ erased_at: now })),
  },
  {
    name: 'a refresh token as an access token',
    as: 'visitor',
    account: staff('superuser'),
    afterwards: withAccessCookie((browser) => browser.cookie('refresh_token') ?? ''),
  },
  {
    name: 'a token that says "alg: none"',
    as: 'visitor',
    account: patient,
    afterwards: withAccessCookie(() => 'eyJhbGciOiJub25lIn0.eyJyb2xlIjoic3VwZXJ1c2VyIn0.'),
  },
  {
    name: 'a patient’s token that may do everything',
    as: 'patient',
    account: patient,
    scopes: scopesFor('patient'),
  },
  {
    name: 'a provider’s token that may do everything',
    as: 'provider',
    account: provider,
    scopes: scopesFor('provider'),
  },
  {
    name: 'a provider’s token that may only read hours',
    as: 'provider',
    account: provider,
    scopes: ['availability:read'],
  },
  {
    name: 'a provider’s token that may only change hours',
    as: 'provider',
    account: provider,
    scopes: ['availability:write'],
  },
  {
    name: 'a superuser’s token that may do everything',
    as: 'superuser',
    account: staff('superuser'),
    scopes: scopesFor('staff'),
  },
  {
    name: 'an author’s token that may do everything',
    as: 'author',
    account: staff('author'),
    scopes: scopesFor('staff'),
  },
  {
    name: 'a token that was revoked',
    as: 'visitor',
    account: patient,
    scopes: scopesFor('patient'),
    fault: 'revoked',
    afterwards: changeToken((now) => ({ ended_at: now, end_reason: 'revoked' })),
  },
  {
    name: 'a token that ran out',
    as: 'visitor',
    account: provider,
    scopes: scopesFor('provider'),
    fault: 'expired',
    afterwards: changeToken((now) => ({ expires_at: now })),
  },
  {
    name: 'a superuser’s token when they are an author',
    as: 'visitor',
    account: staff('superuser'),
    scopes: scopesFor('staff'),
    fault: 'role',
    afterwards: changeAccount(() => ({ role: 'author' })),
  },
]

/** Creates a token as its owner would; the browser calls with it from now on. */
async function createToken(
  testApp: TestApp,
  kind: Kind,
  who: { account: Account; sessionId: string; browser: Browser },
) {
  const { scopes, fault } = kind
  const { account } = who
  const session: Session = {
    id: who.sessionId,
    accountNo: account.no,
    userId: account.id,
    kind: account.kind,
    steppedUpUntil: null,
    setupStep: null,
  }
  const input = { name: 'A script', scopes: [...(scopes ?? [])], days: 90 }
  const made = await createAccessToken({ ...testApp.context(), session }, input)
  who.browser.accessToken = made.secret
  const { id, scopes: given } = made.token
  return fault === undefined ? { id, scopes: given, fault: null } : { id, scopes: null, fault }
}

type SignInResult = Pick<Person, 'token' | 'userId' | 'providerId'>

/** Opens a session for a caller, and creates a token where the kind has one. */
async function openSessionFor(
  testApp: TestApp,
  kind: Kind,
  who: { account: MadeAccount; browser: Browser },
) {
  const { account, browser } = who
  const ctx = testApp.context()
  const row = await getAccount(testApp.database.db, account.no)
  const session = await ctx.transaction((tx) =>
    openSession(ctx, tx, { account: row, proved: kind.isSteppedUp ?? true }),
  )
  browser.jar.set('access_token', { value: session.access, attributes: [] })
  browser.jar.set('refresh_token', { value: session.refresh, attributes: [] })
  const maker = { account: row, sessionId: session.id, browser }
  const script = kind.scopes && (await createToken(testApp, kind, maker))
  await kind.afterwards?.(testApp, account, browser)
  return script ?? null
}

async function signInPerson(testApp: TestApp, kind: Kind, browser: Browser): Promise<SignInResult> {
  if (kind.account === undefined) return { token: null, userId: null, providerId: null }
  const account = await kind.account(testApp)
  let token: PersonToken | null = null
  if (kind.signsIn) await browser.signIn(account)
  else token = await openSessionFor(testApp, kind, { account, browser })
  const profile = await testApp.database.db
    .selectFrom('providers')
    .innerJoin('accounts', 'accounts.provider_no', 'providers.no')
    .select('providers.id')
    .where('accounts.no', '=', account.no)
    .executeTakeFirst()
  return { token, userId: account.id, providerId: profile?.id ?? null }
}

/** Creates the callers one by one, each with a session as described by its kind. */
async function* generatePeople(testApp: TestApp): AsyncGenerator<Person> {
  for (const [at, kind] of KINDS.entries()) {
    const browser = new Browser(testApp, `10.0.0.${at + 1}`)
    const entered = await signInPerson(testApp, kind, browser)
    const { name, as, setupStep = null } = kind
    yield {
      name,
      as,
      browser,
      setupStep,
      isSteppedUp: as !== 'visitor' && kind.isSteppedUp !== false && entered.token === null,
      ...entered,
    }
  }
}

/** Creates all callers. For a test app without demo mode. */
export function makePeople(testApp: TestApp): Promise<Person[]> {
  return Array.fromAsync(generatePeople(testApp))
}

/** The first caller that fits; later ones are not created. For a test app without demo mode. */
export async function makePerson(
  testApp: TestApp,
  fits: (person: Person) => boolean,
): Promise<Person | undefined> {
  for await (const person of generatePeople(testApp)) if (fits(person)) return person
  return undefined
}
