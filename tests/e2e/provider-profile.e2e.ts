import type { Page } from '@playwright/test'
import { makePerson, signIn } from './accounts.ts'
import { createAccount } from './booking.ts'
import { checkScreen, expect, test } from './fixtures.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).press('Enter')

test('a provider edits their profile by keyboard, adds a place and sees it as patients do', async ({
  page,
  problems,
}) => {
  // The server refuses an incomplete postcode.
  problems.expect(/answered 400: .*addPlace/, /status of 400/)
  const robin = makePerson('provider')
  await createAccount(page, robin)
  await signIn(page, robin)
  await page.goto('/doctor/profile')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile')
  await expect(page.getByRole('heading', { name: /^Your profile is \d+% complete$/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'To do: Set your hours' })).toBeVisible()
  await checkScreen(page)

  await press(page, 'Edit about you')
  await expect(field(page, 'How you work')).toBeFocused()
  await field(page, 'How you work').fill('Too short')
  await press(page, 'Save')
  await expect(page.getByRole('alert')).toBeFocused()
  await checkScreen(page)
  await field(page, 'How you work').fill('I see families, and we take the time that it takes.')
  await press(page, 'Save')
  await expect(page.getByRole('button', { name: 'Edit about you' })).toBeFocused()

  await press(page, 'Edit fees and visits')
  await field(page, 'First visit, in pounds').fill('72.50')
  await page.getByRole('checkbox', { name: 'By video' }).check()
  await checkScreen(page)
  await press(page, 'Save')
  await expect(part(page, 'Fees and visits')).toContainText('£72.50')

  await press(page, 'Add a place')
  await field(page, 'Name of the practice').fill('Canal Clinic')
  await field(page, 'Street address').fill('3 Lock Lane')
  await field(page, 'Postcode').fill('SE1')
  await press(page, 'Add place')
  await expect(page.getByRole('alert').getByRole('link')).toHaveText([
    'Enter the whole postcode, such as SE1 6ET.',
  ])
  await field(page, 'Postcode').fill('M1 1AE')
  await press(page, 'Add place')
  await expect(part(page, 'Places').getByRole('heading', { level: 3 })).toHaveText([
    'Harbour Surgery',
    'Canal Clinic',
  ])
  await press(page, 'Make main place: Canal Clinic')
  await expect(part(page, 'Places').getByRole('heading', { level: 3 })).toHaveText([
    'Canal Clinic',
    'Harbour Surgery',
  ])
  await checkScreen(page)

  await press(page, 'Edit name and registration')
  await page.getByRole('combobox', { name: /^Title/ }).selectOption('Dr')
  await press(page, 'Save')
  await page.getByRole('link', { name: 'See it as patients do' }).press('Enter')
  await expect(page.getByText('This is how patients see you')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Dr Robin O'Neill-/)
  await expect(page.getByText('£72.50').first()).toBeVisible()
  await checkScreen(page)
  await page.getByRole('link', { name: 'Back to editing' }).press('Enter')
  await expect(part(page, 'Places')).toBeVisible()

  await press(page, 'Remove Harbour Surgery')
  await expect(page.getByRole('dialog', { name: 'Remove Harbour Surgery?' })).toBeVisible()
  await checkScreen(page)
  await press(page, 'Remove the place')
  await expect(part(page, 'Places').getByRole('heading', { level: 3 })).toHaveText(['Canal Clinic'])
})
