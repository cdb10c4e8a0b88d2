import { StaffRole } from '#contract/base/staff.ts'
import { type SuperUser, SuperUsers } from '#contract/super-users.ts'
import type { Db } from '#db/engine.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { type MadeAccount, makeAccount, type Overrides, PASSWORD } from './accounts.ts'
import { Browser } from './browser.ts'

/** A member of staff who signs in with `PASSWORD`. */
export function makeStaff(
  testApp: TestApp,
  role: StaffRole,
  overrides: Overrides = {},
): Promise<MadeAccount> {
  return makeAccount(testApp, {
    kind: 'staff',
    role,
    first_name: 'Ada',
    last_name: 'Lindqvist',
    date_of_birth: null,
    ...overrides,
  })
}

/** Signs in as one of the demo's staff through the demo's entrance, in a browser and network of their own. */
export async function signInDemoStaff(testApp: TestApp, role: StaffRole): Promise<Browser> {
  const { email } = await makeStaff(testApp, role, { email: `${role}@demo.example` })
  const browser = new Browser(testApp, `10.0.3.${StaffRole.options.indexOf(role) + 1}`)
  const { code } = await browser.act('auth.enterDemo', { email })
  if (code !== null) throw new Error(`Demo sign-in was refused: ${code}`)
  return browser
}

/** Signs in a member of staff, with the password of all test accounts unless another is given. */
export function signInStaff(browser: Browser, email: string, password = PASSWORD) {
  return browser.act('auth.signInStaff', { email, password })
}

/** A new member of staff, just signed in (and so stepped up), in a browser and network of their own. */
export async function signInNewStaff(testApp: TestApp, role: StaffRole, at = '192.0.2.1') {
  const account = await makeStaff(testApp, role)
  const browser = new Browser(testApp, at)
  const { status } = await signInStaff(browser, account.email)
  if (status !== 200) throw new Error(`The ${role} could not sign in.`)
  return { account, browser }
}

/** The list of staff as this browser's user sees it. */
export async function listStaffAs(browser: Browser): Promise<SuperUser[]> {
  return SuperUsers.parse((await browser.ask('superUsers.list')).data).users
}

/** Number of superusers who can sign in. */
export async function countSuperusers(db: Db): Promise<number> {
  const rows = await db
    .selectFrom('accounts')
    .select('no')
    .where('role', '=', 'superuser')
    .where('suspended_at', 'is', null)
    .where('erased_at', 'is', null)
    .execute()
  return rows.length
}
