import type { Page } from '@playwright/test'
import { checkScreen, expect } from '#tests/e2e/harness/fixtures.ts'
import { emailed, enterCode, operate, type SecondFactor, setUpApp, test } from './fixtures.ts'
import type { Installation } from './installation.ts'

// One after the other in one installation: its first superuser adds everyone else.
test.describe.configure({ mode: 'serial' })

const OWN = 'a boat on the river'
const FIRST = 'given by a colleague'
const ROOT = 'Ada@Care.example'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Waits for the whole first page: what it still requests during a logout would be refused. */
async function seeHome(page: Page): Promise<void> {
  await expect(heading(page)).toHaveText('What needs doing')
  await expect(page.getByText(/await verification$/).first()).toBeVisible()
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** The two passwords of a form, sent. */
async function choosePassword(page: Page, send: string): Promise<void> {
  await page.getByLabel(/^(New password|Password)$/).fill(OWN)
  await page.getByLabel(/^Confirm (new )?password$/).fill(OWN)
  await page.getByRole('button', { name: send }).click()
}

/** From the demand for an authenticator app to the staff page with the heading `next`. */
async function finishSetup(page: Page, next = 'What needs doing'): Promise<SecondFactor> {
  await expect(page.getByText('Set up an authenticator app to continue')).toBeVisible()
  await checkScreen(page)
  const factor = await setUpApp(page, 'Set up an authenticator app')
  await checkScreen(page)
  await page.getByRole('link', { name: 'Continue to the staff pages' }).click()
  await expect(heading(page)).toHaveText(next)
  return factor
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/admin-signin$/)
}

/** What the first superuser keeps from one test to the next. */
let root: SecondFactor

async function signInRoot(page: Page): Promise<void> {
  await page.goto('/admin-signin')
  await signIn(page, ROOT, OWN)
  await enterCode(page, await root.app.code())
  await seeHome(page)
}

test('the first superuser follows the printed link, sets up the app and signs in again @once', async ({
  page,
  installation,
  problems,
}) => {
  problems.expect(/answered 401: \/trpc\/auth.signInStaff/, /console error.*401/)
  await page.goto(installation.startLink)
  await expect(heading(page)).toHaveText('Create the first superuser')
  await checkScreen(page)
  await page.getByRole('textbox', { name: 'Email' }).fill(ROOT)
  await choosePassword(page, 'Create account')
  root = await finishSetup(page)
  await seeHome(page)
  await expect(page.getByText('Demo', { exact: true })).toBeHidden()
  await logOut(page)
  await signIn(page, ROOT, OWN)
  await enterCode(page, await root.app.code())
  await seeHome(page)
})

async function addColleague(page: Page, email: string): Promise<void> {
  await page.goto('/admin-home/superusers')
  await page.getByRole('button', { name: 'Add New User' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email)
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption('admin')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(FIRST)
  await dialog.getByRole('button', { name: 'Add User', exact: true }).click()
  await expect(page.getByRole('button', { name: `Edit ${email}` })).toBeVisible()
  await page.getByLabel('Close message').first().click()
}

test('a new colleague chooses a password, sets up the app, works, and gets another role @once', async ({
  page,
  secondPage,
  problems,
}) => {
  problems.expect(/answered 401: \/trpc\/auth.signInStaff/, /console error.*401/)
  const email = 'nora@care.example'
  await signInRoot(page)
  await addColleague(page, email)
  await secondPage.goto('/admin-signin?next=/admin-home/superusers')
  await signIn(secondPage, email, FIRST)
  await expect(
    secondPage.getByRole('heading', { name: 'Choose a password of your own' }),
  ).toBeFocused()
  // Other pages lead back to what is still to do.
  await secondPage.goto('/userProfile')
  await expect(secondPage).toHaveURL(/\/admin-signin$/)
  await choosePassword(secondPage, 'Save and continue')
  await expect(secondPage.getByText('Set up an authenticator app to continue')).toBeVisible()
  await secondPage.goto('/admin-home/audit')
  await expect(secondPage).toHaveURL(/\/admin-signin\?/)
  const { app } = await finishSetup(secondPage, 'Audit log')
  await secondPage.goto('/admin-home')
  await seeHome(secondPage)

  await page.getByRole('button', { name: `Edit ${email}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption('author')
  await dialog.getByRole('button', { name: 'Update Role' }).click()
  await expect(secondPage.getByText('Your role was changed')).toBeVisible()
  await signIn(secondPage, email, OWN)
  await enterCode(secondPage, await app.code())
  await seeHome(secondPage)
  await expect(secondPage.getByRole('banner').getByText('author')).toBeAttached()
})

test('somebody without their phone signs in with a recovery code and sets up another app @once', async ({
  page,
  installation,
  problems,
}) => {
  problems.expect(/answered 401: \/trpc\/auth.signInStaff/, /console error.*401/)
  const [code = ''] = root.recoveryCodes
  await page.goto('/admin-signin?next=/userProfile?section=security')
  await signIn(page, ROOT, OWN)
  await enterCode(page, code)
  await expect(heading(page)).toHaveText('Your account')
  expect(await emailed(installation, ROOT.toLowerCase(), /(recovery code)/)).toBe('recovery code')
  const earlier = root
  root = await setUpApp(page, 'Set up another app')
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByText('On', { exact: true })).toBeVisible()
  await page.goto('/admin-home')
  await seeHome(page)
  await logOut(page)
  await signIn(page, ROOT, OWN)
  await enterCode(page, await earlier.app.code())
  await expect(page.getByText('That code isn’t right.').first()).toBeVisible()
  await enterCode(page, await root.app.code())
  await seeHome(page)
})

/** The password that the server's operator is given for the superuser. */
function recover(installation: Installation): string {
  const lines = operate(installation, 'staff:recover', ROOT).split('\n')
  expect(lines[0]).toContain(`${installation.url}/admin-signin`)
  return lines[1] ?? ''
}

test('the only superuser is recovered by the operator, more than once @once', async ({
  page,
  installation,
}) => {
  for (const _time of [1, 2]) {
    const password = recover(installation)
    await page.goto('/admin-signin')
    await signIn(page, ROOT, password)
    await expect(page.getByRole('heading', { name: 'Choose a password of your own' })).toBeFocused()
    await choosePassword(page, 'Save and continue')
    root = await finishSetup(page)
    await page.goto('/admin-home/superusers')
    await expect(page.getByRole('button', { name: 'Add New User' })).toBeEnabled()
    await page.goto('/admin-home')
    await seeHome(page)
    await logOut(page)
  }
})
