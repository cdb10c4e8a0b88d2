import { expect } from 'vitest'
import { page } from 'vitest/browser'
import type { StaffRole } from '#contract/staff.ts'
import type { Backend } from '#tests/harness/spa-bridge.ts'
import { openPage, PASSWORD } from '#tests/harness/spa-page.tsx'

export const FIRST = 'given by a colleague'

/** Adds somebody to the staff of the test. */
export function addStaff(world: Backend, role: StaffRole, email = `${role}@staff.example`) {
  return world.addAccount({ kind: 'staff', role, email, date_of_birth: null })
}

/** Fills in the sign-in of staff and sends it. */
export async function signInAsStaff(email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** Opens a page of the staff's side as somebody who signs in for it. */
export async function openAs(email: string, path: string) {
  const opened = await openPage(`/admin-signin?next=${encodeURIComponent(path)}`)
  await signInAsStaff(email)
  await expect.poll(() => opened.router.state.location.href).toBe(path)
  return opened
}

/** `/admin-home/superusers` as a superuser with colleagues of these roles. */
export async function openSuperUsers(world: Backend, ...others: StaffRole[]) {
  const { email } = await addStaff(world, 'superuser')
  for (const role of others) await addStaff(world, role)
  const opened = await openAs(email, '/admin-home/superusers')
  await expect.element(row('superuser@staff.example')).toBeVisible()
  return opened
}

/** The row of somebody in the table. */
export function row(email: string) {
  return page.getByRole('row').filter({ hasText: email })
}

export const dialog = () => page.getByRole('dialog')
export const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
export const field = (name: string) => dialog().getByRole('textbox', { name, exact: true })
export const roleSelect = () => dialog().getByRole('combobox', { name: 'Role' })

/** What stands in the rows of the table, without the buttons. */
export function listed(): string[] {
  return [...document.querySelectorAll('tbody tr')].map((one) =>
    [...one.querySelectorAll('td')]
      .slice(0, 3)
      .map((cell) => cell.textContent)
      .join(' '),
  )
}

/** Messages in the corner of the screen. */
export const toast = (text: string) => page.getByText(text, { exact: true }).first()
