import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import * as z from 'zod/mini'
import { checkScreen, enterDemo, expect, test } from './harness/fixtures.ts'

const PASSWORD = 'Apposite-demo-1'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** A second member of staff in another browser. */
async function openColleagueBrowser(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  return context.newPage()
}

test('an admin signs in, sees the day’s overview and signs out @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 401: \/trpc\/auth.signInStaff/, /console error.*401/)
  await page.goto('/admin-home/mail')
  await expect(page).toHaveURL('/admin-signin?next=%2Fadmin-home%2Fmail')
  await signIn(page, 'admin@demo.example', 'not the password')
  await expect(page.getByText('Email or password is incorrect.')).toBeVisible()
  await signIn(page, 'admin@demo.example')
  await expect(page).toHaveURL('/admin-home/mail')
  await expect(heading(page)).toHaveText('Failed emails')
  await checkScreen(page)
  await page.goto('/admin-home')
  await expect(heading(page)).toHaveText('What needs doing')
  await checkScreen(page)
  await page.getByRole('button', { name: 'Show as a table' }).click()
  await expect(page.getByRole('table', { name: 'Bookings and income by day' })).toBeVisible()
  await checkScreen(page)
  const day = page.getByRole('slider', { name: 'Day to look at' })
  await day.focus()
  const last = await day.getAttribute('aria-valuetext')
  await page.keyboard.press('ArrowLeft')
  await expect(day).toHaveAttribute('aria-valuenow', '29')
  expect(await day.getAttribute('aria-valuetext')).not.toBe(last)
  await page.getByRole('link', { name: /await verification$/ }).click()
  await expect(page).toHaveURL('/admin-home/providers?list=waiting')
  // Waits for these first: requests during the logout would be refused.
  await expect(page.getByRole('link', { name: /^Awaiting \d/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Dr\.? / }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/admin-signin')
})

test('a failed email is sent again @desktop', async ({ page }) => {
  await page.goto('/admin-signin?next=/admin-home/mail')
  await signIn(page, 'superuser@demo.example')
  await expect(page).toHaveURL('/admin-home/mail')
  const email = page.getByRole('listitem').filter({ hasText: 'Message from the contact form' })
  await email.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('We’re sending it again.')).toBeVisible()
  await expect(email).toBeHidden()
})

test('an author sees pending work, but may not do it @phone', async ({ page }) => {
  await enterDemo(page, 'author')
  await expect(page.getByText('await verification')).toBeVisible()
  await expect(page.getByRole('link', { name: /await verification$/ })).toBeHidden()
  await checkScreen(page)
  await page.getByRole('button', { name: 'Staff menu' }).click()
  await page
    .getByRole('dialog', { name: 'Staff menu' })
    .getByRole('link', { name: 'Failed emails' })
    .click()
  const again = page.getByRole('button', { name: /^Send again/ }).first()
  await expect(again).toBeDisabled()
  await expect(again).toHaveAccessibleDescription('Only superusers and admins may do this.')
  await checkScreen(page)
})

const Users = z.object({
  result: z.object({
    data: z.object({ users: z.array(z.object({ id: z.string(), email: z.string() })) }),
  }),
})

/** A change to the staff by the page's signed-in user; the page of super users has its own test. */
async function changeStaff(page: Page, verb: 'add' | 'changeRole' | 'remove', data: object) {
  const headers = { origin: new URL(page.url()).origin }
  const answer = await page.request.post(`/trpc/superUsers.${verb}`, { headers, data })
  expect(answer.status()).toBe(200)
}

/** Creates an admin who signs in with a first password and chooses their own; returns the account's id. */
async function addColleague(page: Page, other: Page): Promise<string> {
  const email = `colleague-${crypto.randomUUID().slice(0, 8)}@demo.example`
  await page.goto('/admin-signin')
  await signIn(page, 'superuser@demo.example')
  await expect(page).toHaveURL('/admin-home')
  await changeStaff(page, 'add', { email, role: 'admin', password: PASSWORD })
  await other.goto('/admin-signin')
  await signIn(other, email)
  await expect(other.getByRole('heading', { name: 'Choose a password of your own' })).toBeFocused()
  await checkScreen(other)
  await other.getByLabel('New password', { exact: true }).fill('eleven green bottles')
  await other.getByLabel('Confirm new password').fill('eleven green bottles')
  await other.getByRole('button', { name: 'Save and continue' }).click()
  await expect(heading(other)).toHaveText('What needs doing')
  await expect(other.getByRole('link', { name: /await verification$/ })).toBeVisible()
  const list = Users.parse(await (await page.request.get('/trpc/superUsers.list')).json())
  return list.result.data.users.find((one) => one.email === email)?.id ?? ''
}

test('a colleague who is demoted loses the right within a second @desktop', async ({
  page,
  browser,
  baseURL,
}) => {
  const other = await openColleagueBrowser(browser, baseURL)
  const id = await addColleague(page, other)
  await changeStaff(page, 'changeRole', { id, role: 'author' })
  await expect(other.getByText('Your role was changed')).toBeVisible({ timeout: 2_000 })
  await expect(other).toHaveURL(/\/admin-signin\?/)
  await checkScreen(other)
  await other.context().close()
})

test('a removed colleague is signed out @desktop', async ({ page, browser, baseURL }) => {
  const other = await openColleagueBrowser(browser, baseURL)
  const id = await addColleague(page, other)
  await changeStaff(page, 'remove', { id })
  await expect(other.getByText('Your account was closed')).toBeVisible({ timeout: 2_000 })
  await expect(other).toHaveURL(/\/admin-signin\?/)
  await other.context().close()
})

const FIRST = 'given by a colleague'
const OWN = 'a boat on the river'

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).click()

test('a colleague is added, signs in with a first password, gets another role and is removed @once', async ({
  page,
  secondPage,
  problems,
}) => {
  problems.expect(/answered 401: \/trpc\/auth.signInStaff/, /console error.*401/)
  const email = `nora-${crypto.randomUUID().slice(0, 8)}@staff.example`
  await page.goto('/admin-signin?next=/admin-home/superusers')
  await signIn(page, 'superuser@demo.example')
  await expect(heading(page)).toHaveText('Super Users')
  await expect(page.getByRole('button', { name: 'Edit admin@demo.example' })).toBeVisible()

  await page.getByRole('button', { name: 'Add New User' }).click()
  await expect(dialog(page)).toBeVisible()
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
  await secondPage.getByRole('button', { name: 'Save and continue' }).click()
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

test('staff changes are in the audit log, which is intact and can be exported @once', async ({
  page,
}) => {
  await page.goto('/admin-signin?next=/admin-home/audit')
  await signIn(page, 'superuser@demo.example')
  await expect(heading(page)).toHaveText('Audit log')
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
  await page.getByRole('button', { name: 'Check the log' }).click()
  await expect(page.getByText('Log intact')).toBeVisible()
  await checkScreen(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  expect(text).toContain('session.began,ok,staff,')
})
