import type { Page } from '@playwright/test'
import { findSecondType, goToPayment, payWith, signedInPatient, stepTitle } from './booking.ts'
import { checkScreen, expect, test } from './fixtures.ts'

const types = (page: Page) => page.getByRole('group', { name: 'What is it about?' })

test('a visit of the second type is chosen before its time, held, paid and shown by its name @once', async ({
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
  await checkScreen(page)
  await page.getByRole('link', { name: /^Continue with / }).click()
  await expect(stepTitle(page)).toHaveText('Appointment Info')
  await expect(page).toHaveURL(new RegExp(`type=${type.id}`))
  const fee = (type.fee.minor / 100).toFixed(2)
  await expect(page.getByText(`£${fee}`).first()).toBeVisible()
  await expect(page.getByText(`${type.name} (first visit)`).first()).toBeAttached()
  await checkScreen(page)
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
  await page.goto('/')
  await page.getByRole('button', { name: 'Enter as a provider (provider@demo.example)' }).click()
  await expect(page).toHaveURL('/dochome')
  await page.goto('/doctor/profile')
  const part = page.getByRole('region', { name: 'Visit types' })
  const name = `Travel vaccines ${Math.random().toString(36).slice(2, 8)}`
  await part.getByRole('button', { name: 'Add a visit type' }).press('Enter')
  await part.getByRole('button', { name: 'Add visit type' }).click()
  await expect(part.getByText('Enter a fee.').first()).toBeVisible()
  await checkScreen(page)
  await part.getByRole('textbox', { name: 'Name' }).fill(name)
  await part.getByRole('textbox', { name: 'New patient, in pounds' }).fill('45')
  await part.getByRole('textbox', { name: 'Follow-up, in pounds' }).fill('30')
  await part.getByRole('button', { name: 'Add visit type' }).click()
  await expect(part.getByRole('heading', { name })).toBeVisible()
  await part.getByRole('button', { name: `Edit ${name}` }).click()
  await part.getByRole('textbox', { name: 'Length, in minutes' }).fill('40')
  await part.getByRole('button', { name: 'Save visit type' }).click()
  await expect(part.getByText('40 minutes · £45 new patient, £30 follow-up')).toBeVisible()
  await part.getByRole('button', { name: `Move up: ${name}` }).click()
  await expect(part.getByRole('heading', { name })).toBeFocused()
  await checkScreen(page)
  await part.getByRole('button', { name: `Archive ${name}` }).click()
  await expect(part.getByRole('button', { name: `Offer again: ${name}` })).toBeVisible()
  await checkScreen(page)
})
