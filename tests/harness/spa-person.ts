import { expect } from 'vitest'
import { page } from 'vitest/browser'
import type { StaffRole } from '#contract/staff.ts'
import type { Backend } from '#tests/harness/spa-bridge.ts'
import { openPage, PASSWORD } from '#tests/harness/spa-page.tsx'

/** Opens the sign-in page, signs in as an account of the test and arrives at `next`. */
export async function openSignedIn(account: { email: string; kind: string }, next: string) {
  const as = account.kind === 'provider' ? '&as=provider' : ''
  const opened = await openPage(`/sign-in?next=${encodeURIComponent(next)}${as}`)
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect
    .poll(() => opened.router.state.location.pathname)
    .toBe(new URL(next, location.origin).pathname)
  return opened
}

/** Opens a page of staff as somebody with a role, who came in by the staff's sign-in. */
export async function openAsStaff(world: Backend, role: StaffRole, next: string) {
  const { email } = await world.addAccount({ kind: 'staff', role, date_of_birth: null })
  const opened = await openPage(`/admin-signin?next=${encodeURIComponent(next)}`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect
    .poll(() => opened.router.state.location.pathname)
    .toBe(new URL(next, location.origin).pathname)
  return opened
}
