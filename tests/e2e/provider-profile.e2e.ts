import type { Page } from '@playwright/test'
import { makePerson, signIn } from './harness/accounts.ts'
import {
  createAccount,
  findSecondType,
  goToPayment,
  payWith,
  signedInPatient,
  stepTitle,
} from './harness/booking.ts'
import { checkScreen, enterDemo, expect, test } from './harness/fixtures.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).press('Enter')

test('a provider edits their profile by keyboard, adds a place and sees it as patients do @once', async ({
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
  await press(page, 'Remove the place')
  await expect(part(page, 'Places').getByRole('heading', { level: 3 })).toHaveText(['Canal Clinic'])
})

const types = (page: Page) => page.getByRole('group', { name: 'What is it about?' })

test('a visit of the second type is chosen, held, paid and shown by its name @once', async ({
  page,
}) => {
  const email = await signedInPatient(page)
  const { id, type } = await findSecondType(page)
  await page.goto(`/doctor-profile/${id}/1.2`)
  const chosen = types(page).getByRole('radio', { name: type.name })
  await expect(types(page).getByRole('radio').first()).toBeChecked()
  await chosen.press('Space')
  await expect(chosen).toBeChecked()
  await expect(page).toHaveURL(new RegExp(`type=${type.id}`))
  await page.getByRole('button', { name: /^First available/ }).click()
  await page.getByRole('link', { name: /^Continue with / }).click()
  await expect(stepTitle(page)).toHaveText('Appointment Info')
  await expect(page).toHaveURL(new RegExp(`type=${type.id}`))
  const fee = (type.fee.minor / 100).toFixed(2)
  await expect(page.getByText(`£${fee}`).first()).toBeVisible()
  await expect(page.getByText(`${type.name} (first visit)`).first()).toBeAttached()
  // A reload returns to the same hold, with the same type.
  await page.reload()
  await expect(page.getByText(`£${fee}`).first()).toBeVisible()
  await goToPayment(page, email)
  await page.getByRole('button', { name: /^Pay .*by card/ }).click()
  await payWith(page, '4242 4242 4242 4242')
  await expect(stepTitle(page)).toHaveText('Booking complete')
  await expect(page.getByText(`${type.name} (first visit)`).first()).toBeVisible()
})

test('a provider adds a visit type, changes it and archives it @once', async ({ page }) => {
  await enterDemo(page, 'provider', '/doctor/profile')
  const section = part(page, 'Visit types')
  const name = `Travel vaccines ${Math.random().toString(36).slice(2, 8)}`
  await section.getByRole('button', { name: 'Add a visit type' }).press('Enter')
  await section.getByRole('button', { name: 'Add visit type' }).click()
  await expect(section.getByText('Enter a fee.').first()).toBeVisible()
  await checkScreen(page)
  await section.getByRole('textbox', { name: 'Name' }).fill(name)
  await section.getByRole('textbox', { name: 'New patient, in pounds' }).fill('45')
  await section.getByRole('textbox', { name: 'Follow-up, in pounds' }).fill('30')
  await section.getByRole('button', { name: 'Add visit type' }).click()
  await expect(section.getByRole('heading', { name })).toBeVisible()
  await section.getByRole('button', { name: `Edit ${name}` }).click()
  await section.getByRole('textbox', { name: 'Length, in minutes' }).fill('40')
  await section.getByRole('button', { name: 'Save visit type' }).click()
  await expect(section.getByText('40 minutes · £45 new patient, £30 follow-up')).toBeVisible()
  await section.getByRole('button', { name: `Move up: ${name}` }).click()
  await expect(section.getByRole('heading', { name })).toBeFocused()
  await section.getByRole('button', { name: `Archive ${name}` }).click()
  await expect(section.getByRole('button', { name: `Offer again: ${name}` })).toBeVisible()
  await checkScreen(page)
})
