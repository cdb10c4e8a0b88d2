import type { StaffRole } from '#contract/staff.ts'
import { type SuperUser, SuperUsers } from '#contract/super-users.ts'
import { type MadeAccount, makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import type { World } from '#tests/harness/world.ts'

/** Somebody on the staff, who signs in with `PASSWORD`. */
export function makeStaff(world: World, role: StaffRole, email?: string): Promise<MadeAccount> {
  const named = email === undefined ? {} : { email }
  return makeAccount(world, { kind: 'staff', role, date_of_birth: null, ...named })
}

/** Signs somebody of staff in, by the password of all test accounts unless another is given. */
export function signInStaff(browser: Browser, email: string, password = PASSWORD) {
  return browser.act('auth.signInStaff', { email, password })
}

/** A new colleague in a browser and a network of their own, with a fresh proof. */
export async function enterAs(world: World, role: StaffRole, at = '192.0.2.1') {
  const account = await makeStaff(world, role)
  const browser = new Browser(world, at)
  const { status } = await signInStaff(browser, account.email)
  if (status !== 200) throw new Error(`The ${role} is not let in.`)
  return { account, browser }
}

/** The list of staff as somebody sees it. */
export async function staffSeenBy(browser: Browser): Promise<SuperUser[]> {
  return SuperUsers.parse((await browser.ask('superUsers.list')).data).users
}
