import type { Page } from '@playwright/test'
import { DEMO_PASSWORD } from '#db/reference/demo.ts'
import { formErrors, makePerson, openMail, signIn } from './harness/accounts.ts'
import { createAccount } from './harness/booking.ts'
import { checkScreen, expect, signInToDemo, test } from './harness/fixtures.ts'

const REFUSAL = 'You cannot delete this primary account, as there is no secondary accounts '

const tile = (page: Page) => page.getByRole('button', { name: 'Add your account', exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
/** Toasts are dialogs too, but not modal ones. */
const modal = (page: Page) => page.locator('[role=dialog]:not([aria-modal=false])')
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name })
const press = (page: Page, name: string) =>
  modal(page).getByRole('button', { name, exact: true }).click()

/** Opens the page by way of the provider's menu. */
async function openAccounts(page: Page): Promise<void> {
  await page.goto('/dochome')
  const menu = page.getByRole('button', { name: 'Provider menu' })
  const link = page.getByRole('link', { name: 'Bank Accounts' })
  await expect(menu.or(link).first()).toBeVisible()
  if (await menu.isVisible()) await menu.click()
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Bank Accounts')
}

async function fillInUk(page: Page, account: { name: string; code: string; number: string }) {
  await field(page, 'Name on the account').fill(account.name)
  await field(page, 'Sort code').fill(account.code)
  await field(page, 'Account number').fill(account.number)
}

test('a provider adds two accounts, changes one, keeps the last and deletes the primary @once', async ({
  page,
}) => {
  const robin = makePerson('provider')
  await createAccount(page, robin)
  await signIn(page, robin)
  await openAccounts(page)
  await expect(page.getByRole('heading', { name: 'No account yet' })).toBeVisible()

  await tile(page).click()
  await expect(dialog(page, 'Bank details')).toBeVisible()
  await checkScreen(page)
  await fillInUk(page, { name: 'Robin Reed', code: '12-34-5', number: '3141 592' })
  await press(page, 'Save account')
  await expect(formErrors(page)).toHaveText([
    'A sort code has 6 digits, such as 12-34-56.',
    'An account number in the UK has 8 digits. If yours has fewer, put zeros in front.',
  ])
  await checkScreen(page)
  await fillInUk(page, { name: 'Robin Reed', code: '12 34 56', number: '3141 5926' })
  await press(page, 'Save account')
  await expect(card(page, 'Robin Reed')).toContainText('••••5926')
  await expect(card(page, 'Robin Reed')).toContainText('Primary')

  await page.getByRole('button', { name: /^Delete/ }).click()
  await expect(dialog(page, 'This account can’t be deleted')).toBeVisible()
  expect(await page.getByRole('alert').textContent()).toBe(REFUSAL)
  await checkScreen(page)
  await press(page, 'Add your account')
  await fillInUk(page, { name: 'Harbour Surgery', code: '65-43-21', number: '27182818' })
  await press(page, 'Save account')
  await expect(card(page, 'Harbour Surgery')).toContainText('••••2818')

  await card(page, 'Harbour Surgery').getByRole('button', { name: /^Edit/ }).click()
  await expect(field(page, /^Account number/)).toHaveValue('')
  await field(page, 'Name on the account').fill('Harbour Surgery Ltd')
  await press(page, 'Save account')
  await expect(card(page, 'Harbour Surgery Ltd')).toContainText('••••2818')

  await card(page, 'Robin Reed')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await press(page, 'Keep it')
  await expect(modal(page)).toBeHidden()
  await card(page, 'Robin Reed')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(dialog(page, 'Delete this account?')).toContainText('2818 (Harbour Surgery Ltd)')
  await press(page, 'Delete')
  await expect(dialog(page, 'Are you sure?')).toBeVisible()
  await checkScreen(page)
  await press(page, 'Yes, delete it')
  await expect(modal(page)).toBeHidden()
  await expect(card(page, 'Robin Reed')).toHaveCount(0)
  await expect(card(page, 'Harbour Surgery Ltd')).toContainText('Primary')

  await openMail(page, robin.email, 'A bank account was deleted')
  await expect(page.getByRole('main')).toContainText('Robin Reed, ••••5926')
})

test('in the USA the routing number is checked, and the step-up replaces the form @desktop', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 403: .*bankAccounts\.add/, /status of 403/)
  await signInToDemo(page, 'provider-us')
  await openAccounts(page)
  await expect(card(page, 'Live Oak Family Medicine')).toContainText('••••••••6789')
  // A retry or another run needs new numbers.
  const number = String(Date.now()).slice(-10)
  const name = `Rivera ${number.slice(-3)}`
  await tile(page).click()
  await field(page, 'Name on the account').fill(name)
  await field(page, 'Routing number').fill('111000026')
  await field(page, 'Account number').fill(number)
  await page.getByRole('radio', { name: 'Savings' }).check()
  await press(page, 'Save account')
  await expect(formErrors(page)).toHaveText([/^This isn’t a valid routing number/])
  await field(page, 'Routing number').fill('111-000-025')
  await press(page, 'Save account')
  await expect(dialog(page, 'Confirm it’s you')).toBeVisible()
  await checkScreen(page)
  await field(page, 'Your password').fill(DEMO_PASSWORD)
  await press(page, 'Confirm and save')
  await expect(card(page, name)).toContainText(`••••••${number.slice(-4)}`)
  await expect(card(page, name)).toContainText('Savings account')

  await card(page, name)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await press(page, 'Delete')
  await press(page, 'Yes, delete it')
  await expect(modal(page)).toBeHidden()
  await expect(card(page, name)).toHaveCount(0)
})

test('without a recent step-up it is the second confirmation; Keep keeps the account @phone', async ({
  page,
}) => {
  await signInToDemo(page, 'provider')
  await openAccounts(page)
  await card(page, 'Amara Bennett')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await press(page, 'Delete')
  await expect(dialog(page, 'Confirm it’s you')).toBeVisible()
  await expect(field(page, 'Your password')).toBeFocused()
  await checkScreen(page)
  await press(page, 'No, keep it')
  await expect(modal(page)).toBeHidden()
  await expect(card(page, 'Amara Bennett')).toContainText('••••5678')
})
