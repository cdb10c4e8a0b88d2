import type { Page } from '@playwright/test'
import { checkScreen, expect, pressDemoEntrance, tabTo, test } from './harness/fixtures.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const rows = (page: Page) =>
  page
    .getByRole('table', { name: 'Booked appointments' })
    .getByRole('row')
    .or(page.getByRole('list', { name: 'Booked appointments' }).getByRole('listitem'))
const filters = (page: Page) => page.getByRole('form', { name: 'Filters' })

async function enter(page: Page, who: 'provider' | 'unverified'): Promise<void> {
  await pressDemoEntrance(page, who)
  await expect(heading(page)).toHaveText('DashBoard')
  await expect(page.getByRole('region', { name: 'Today', exact: true })).toBeVisible()
}

/** Goes back by keyboard from the heading, which is focused on arrival, to an entry of the menu. */
async function tabToEntry(page: Page, name: string): Promise<void> {
  await expect(heading(page)).toBeFocused()
  const menu = page.getByRole('navigation', { name: 'Provider' })
  const options = { name, exact: true }
  await tabTo(
    page,
    menu.getByRole('link', options).or(menu.getByRole('button', options)),
    'Shift+Tab',
  )
}

test('a provider uses the sidebar by keyboard @desktop', async ({ page }) => {
  await enter(page, 'provider')
  for (const [name, path, title] of [
    ['Booked History', '/doctor/appointment-history', 'Booked History'],
    ['Profile', '/doctor/profile', null],
    ['All Availabilities', '/doctor/availability/all', null],
    ['Add New Availability', '/doctor/availability/new', null],
    ['Bank Accounts', '/doctor/bank-account', 'Your Bank Accounts'],
    ['DashBoard', '/dochome', 'DashBoard'],
  ] as const) {
    await tabToEntry(page, name)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(path)
    await expect(
      page.getByRole('navigation', { name: 'Provider' }).getByRole('link', { name, exact: true }),
    ).toHaveAttribute('aria-current', 'page')
    if (title !== null) await expect(heading(page)).toHaveText(title)
  }
  await tabToEntry(page, 'Logout')
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(page).toHaveURL('/home')
})

test('on a phone the menu is a drawer @phone', async ({ page }) => {
  await enter(page, 'provider')
  const open = page.getByRole('button', { name: 'Provider menu' })
  await open.click()
  const drawer = page.getByRole('dialog', { name: 'Provider menu' })
  await expect(drawer.getByRole('link', { name: 'DashBoard' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(open).toBeFocused()
  await open.click()
  await drawer.getByRole('link', { name: 'Booked History' }).click()
  await expect(page).toHaveURL('/doctor/appointment-history')
  await expect(drawer).toBeHidden()
  await expect(heading(page)).toBeFocused()
})

test('a provider filters, pages and prints the history', async ({ page }) => {
  await enter(page, 'provider')
  await page.goto('/doctor/appointment-history')
  await expect(rows(page).first()).toBeVisible()
  const status = page.getByText(/^1 to 5 of \d+ appointments$/).last()
  await expect(status).toBeVisible()

  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL('/doctor/appointment-history?page=2')
  await expect(page.getByText(/^6 to 10 of \d+ appointments$/).last()).toBeVisible()

  const fold = filters(page).getByText('Filters')
  if (await fold.isVisible()) await fold.click()
  const year = filters(page).getByRole('spinbutton', { name: 'Year' })
  await filters(page).getByRole('combobox', { name: 'Month' }).selectOption('02')
  await filters(page).getByRole('button', { name: 'Submit' }).click()
  await expect(year).toBeFocused()
  await expect(page.getByText('Please enter a year')).toBeVisible()
  await expect(page).toHaveURL('/doctor/appointment-history?page=2')
  await checkScreen(page)
  await year.fill('999')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please enter a valid year')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No appointment history found.' })).toBeVisible()
  await checkScreen(page)
  await year.fill(String(new Date().getFullYear() - 1))
  await filters(page).getByRole('combobox', { name: 'Sort' }).selectOption('Oldest to Latest')
  await filters(page).getByRole('combobox', { name: 'Month' }).selectOption('All')
  await filters(page).getByRole('combobox', { name: 'Payment method' }).selectOption('paypal')
  await page.keyboard.press('Enter')
  await filters(page).getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText(/appointments · \d{4}, paid with PayPal$/)).toBeVisible()
  await expect(rows(page).last()).toContainText('PayPal')
  await page.goBack()
  await expect(year).toHaveValue('999')
  await page.goForward()
  await expect(rows(page).last()).toContainText('PayPal')

  await page.evaluate(() => {
    Object.assign(window, { print: () => document.body.setAttribute('data-printed', '') })
  })
  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('body[data-printed]')).toBeVisible()
  // Printed: the title and the table, and no controls.
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('table', { name: 'Booked appointments' })).toBeVisible()
  await expect(heading(page)).toBeVisible()
  await expect(filters(page)).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
  const main = page.getByRole('main')
  // Names that link to a visit are plain text in print.
  const links = main.getByRole('link', { name: /^(?!Open \d+, )/ })
  const controls = main.getByRole('button').or(links).filter({ visible: true })
  await expect(controls).toHaveCount(0)
  // The width of an A4 sheet within its margins, independent of the screen.
  await page.setViewportSize({ width: 720, height: 1_000 })
  const sheet = await page.getByRole('table', { name: 'Booked appointments' }).boundingBox()
  // Columns are fractions of a pixel wide.
  expect((sheet?.x ?? 0) + (sheet?.width ?? 0)).toBeLessThan(721)
})

test('an unverified provider sees what to do, and their own day @once', async ({ page }) => {
  await enter(page, 'unverified')
  const standing = page.getByRole('region', { name: 'Your verification' })
  await expect(standing.getByText('Unverified', { exact: true })).toBeVisible()
  await checkScreen(page)
  // By then another test may have run their register check.
  const next = /^(Verify your registration|See your verification)$/
  await standing.getByRole('link', { name: next }).click()
  await expect(page).toHaveURL('/provider-verify')
})
