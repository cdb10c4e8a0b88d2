import { expect } from 'vitest'
import { page } from 'vitest/browser'
import type { StaffRole } from '#contract/base/staff.ts'
import type { Backend } from '#tests/harness/spa/spa-bridge.ts'
import { addStaff, openAs } from './staff.ts'

export const FIRST = 'given by a colleague'

/** `/admin-home/superusers` as a superuser with colleagues of these roles. */
export async function openSuperUsers(testApp: Backend, ...others: StaffRole[]) {
  // The list shows them in the order in which they were added.
  const { email } = await addStaff(testApp, 'superuser')
  for (const role of others) await addStaff(testApp, role)
  const opened = await openAs(email, '/admin-home/superusers')
  await expect.element(row('superuser@staff.example')).toBeVisible()
  return opened
}

/** The table row of an account. */
export function row(email: string) {
  return page.getByRole('row').filter({ hasText: email })
}

export const dialog = () => page.getByRole('dialog')
export const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
export const field = (name: string) => dialog().getByRole('textbox', { name, exact: true })
export const roleSelect = () => dialog().getByRole('combobox', { name: 'Role' })

/** The texts of the table's rows, without the buttons. */
export function listed(): string[] {
  return [...document.querySelectorAll('tbody tr')].map((one) =>
    [...one.querySelectorAll('td')]
      .slice(0, 3)
      .map((cell) => cell.textContent)
      .join(' '),
  )
}

/** A toast with this text. */
export const toast = (text: string) => page.getByText(text, { exact: true }).first()
