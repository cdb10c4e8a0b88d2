import { expect } from 'vitest'
import { page } from 'vitest/browser'
import type { StaffRole } from '#contract/staff.ts'
import type { Backend } from '#tests/harness/spa-bridge.ts'
import { openPage, PASSWORD } from '#tests/harness/spa-page.tsx'
import type { AccountWish } from '#tests/harness/spa-wire.ts'

/** An account of staff that signs in with the password of all test accounts. */
export function addStaff(world: Backend, role: StaffRole, wish: AccountWish = {}) {
  return world.addAccount({ kind: 'staff', role, date_of_birth: null, ...wish })
}

/** Fills in the staff's sign-in, which is open, and sends it. */
export async function signInAsStaff(email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Signs somebody with a role in through the staff's own door and arrives at a page of theirs. */
export async function openStaff(world: Backend, role: StaffRole, address: string) {
  const account = await addStaff(world, role)
  const opened = await openPage(`/admin-signin?next=${encodeURIComponent(address)}`)
  await signInAsStaff(account.email)
  await expect
    .poll(() => opened.router.state.location.pathname)
    .toBe(new URL(address, location.origin).pathname)
  return { ...opened, account }
}
