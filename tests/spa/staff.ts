import { expect } from 'vitest'
import { page } from 'vitest/browser'
import type { StaffRole } from '#contract/staff.ts'
import type { Backend } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, PASSWORD } from '#tests/harness/spa/spa-page.tsx'
import type { AccountOverrides } from '#tests/harness/spa/spa-wire.ts'

/** An account of staff, named after the role, that signs in with the password of all test accounts. */
export function addStaff(testApp: Backend, role: StaffRole, overrides: AccountOverrides = {}) {
  const email = `${role}@staff.example`
  return testApp.addAccount({ email, kind: 'staff', role, date_of_birth: null, ...overrides })
}

/** Fills in the staff's open sign-in form and submits it. */
export async function signInAsStaff(email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Opens a staff page by signing in on the staff's sign-in page. */
export async function openAs(email: string, address: string) {
  const opened = await openPage(`/admin-signin?next=${encodeURIComponent(address)}`)
  await signInAsStaff(email)
  await expect
    .poll(() => opened.router.state.location.pathname)
    .toBe(new URL(address, location.origin).pathname)
  return opened
}

/** Adds a member of staff with a role and opens a staff page as them. */
export async function openStaff(testApp: Backend, role: StaffRole, address: string) {
  const account = await addStaff(testApp, role)
  return { ...(await openAs(account.email, address)), account }
}
