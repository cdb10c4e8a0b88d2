import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'

const FIRST = 'given by a colleague'
const OWN = 'a boat on the river'

async function signIn(page: Page, email: string, password = 'Apposite-demo-1'): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).click()

test('a colleague is added, comes in with a first password, gets another role and is removed @once', async ({
  page,
  secondPage,
  problems,
}) => {
  problems.expect(/answered 401: \/trpc\/auth.signInStaff/, /console error.*401/)
  const email = `nora-${crypto.randomUUID().slice(0, 8)}@staff.example`
  await page.goto('/admin-signin?next=/admin-home/superusers')
  await signIn(page, 'superuser@demo.example')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Super Users')
  await expect(page.getByRole('button', { name: 'Edit admin@demo.example' })).toBeVisible()
  await checkScreen(page)

  await page.getByRole('button', { name: 'Add New User' }).click()
  await expect(dialog(page)).toBeVisible()
  await checkScreen(page)
  await press(page, 'Add User')
  await expect(dialog(page).getByRole('alert')).toHaveText('All fields are required.')
  await checkScreen(page)
  await dialog(page).getByRole('textbox', { name: 'Email' }).fill(email)
  await dialog(page).getByRole('combobox', { name: 'Role' }).selectOption('admin')
  await dialog(page).getByRole('textbox', { name: 'Password' }).fill(FIRST)
  await press(page, 'Add User')
  const edit = page.getByRole('button', { name: `Edit ${email}` })
  await expect(edit).toBeVisible()
  // On a phone the toast covers the end of the list for a while.
  await page.getByLabel('Close message').first().click()

  await secondPage.goto('/admin-signin')
  await signIn(secondPage, email, FIRST)
  await secondPage.getByLabel('New password', { exact: true }).fill(OWN)
  await secondPage.getByLabel('Confirm new password').fill(OWN)
  await secondPage.getByRole('button', { name: 'Save and go on' }).click()
  await expect(secondPage).toHaveURL('/admin-home')
  await secondPage.goto('/admin-home/superusers')
  await expect(secondPage.getByText('Only superusers may do this.')).toBeVisible()
  await expect(secondPage.getByRole('button', { name: 'Add New User' })).toBeDisabled()
  await checkScreen(secondPage)

  await edit.click()
  await expect(dialog(page).getByRole('textbox', { name: 'Email' })).toHaveValue(email)
  await checkScreen(page)
  await dialog(page).getByRole('combobox', { name: 'Role' }).selectOption('author')
  await press(page, 'Update Role')
  await expect(page.getByText('User role updated successfully!')).toBeVisible()
  await page.getByLabel('Close message').first().click()
  // A changed role requires a new sign-in.
  await expect(secondPage).toHaveURL(/\/admin-signin/)

  await page.getByRole('button', { name: `Delete ${email}` }).click()
  await expect(
    dialog(page).getByText('Are you sure you want to delete this ?', { exact: true }),
  ).toBeVisible()
  await checkScreen(page)
  await press(page, 'Yes')
  await expect(edit).toBeHidden()
  await signIn(secondPage, email, OWN)
  await expect(secondPage.getByText('Email or password is incorrect.')).toBeVisible()
})

test('what was done to the staff is in the audit log, which is whole and can be saved @once', async ({
  page,
}) => {
  await page.goto('/admin-signin?next=/admin-home/audit')
  await signIn(page, 'superuser@demo.example')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audit log')
  const log = page.getByRole('table').or(page.getByRole('list', { name: 'Audit log' }))
  await expect(log).toContainText('Signed in')
  await checkScreen(page)
  const filters = page.getByRole('button', { name: 'Filters' })
  if (await filters.isVisible()) await filters.click()
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Signed in')
  await page.getByRole('textbox', { name: 'Account' }).fill('superuser@demo.example')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page).toHaveURL(/action=session\.began/)
  await log
    .getByRole('button', { name: /^Details/ })
    .first()
    .click()
  await expect(log.getByText('session.began').first()).toBeVisible()
  await checkScreen(page)
  await page.getByRole('button', { name: 'Check the chain' }).click()
  await expect(page.getByText('Log intact')).toBeVisible()
  await checkScreen(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  expect(text).toContain('session.began,ok,staff,')
})
