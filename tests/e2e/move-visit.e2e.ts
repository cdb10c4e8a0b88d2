import type { Page } from '@playwright/test'
import { chooseLaterTime, findFreeTime, goToPayment, payWith, signedInPatient } from './booking.ts'
import { checkScreen, expect, test } from './fixtures.ts'

/** Books and pays by card; ends on the account. */
async function book(page: Page): Promise<void> {
  const email = await signedInPatient(page)
  await page.goto(await findFreeTime(page))
  await goToPayment(page, email)
  await page.getByRole('button', { name: /^Pay £.* by card$/ }).click()
  await payWith(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: 'Booking complete' })).toBeVisible()
  await page.goto('/userProfile')
}

test('a visit is moved with the keyboard from the account, and cancelled from there', async ({
  page,
}) => {
  await book(page)
  const move = page.getByRole('button', { name: /^Move visit with/ })
  await move.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move this visit' })
  await expect(dialog.getByText(/You can move this visit 3 more times\.$/)).toBeVisible()
  await expect(dialog.getByRole('tablist', { name: 'Day' })).toBeVisible()
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(move).toBeFocused()
  await page.keyboard.press('Enter')

  await chooseLaterTime(dialog)
  await dialog.getByRole('button', { name: /^Continue with/ }).press('Enter')
  await expect(dialog.getByRole('heading', { name: /^Move your visit with/ })).toBeFocused()
  await expect(dialog.getByText('Nothing to pay: your fee stays the same.')).toBeVisible()
  await checkScreen(page)
  const when = await dialog.getByText('New time', { exact: true }).locator('xpath=..').innerText()
  await dialog.getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(page.getByText(/^Your visit is moved to/)).toBeVisible()
  await expect(dialog).toBeHidden()
  const clock = /\d\d:\d\d/.exec(when)?.[0] ?? 'no time'
  await expect(page.getByText(clock, { exact: true }).first()).toBeVisible()
  await page.getByRole('article').locator('summary').first().click()
  await expect(page.getByText(/^By you on/)).toBeVisible()
  await checkScreen(page)

  await move.press('Enter')
  await expect(dialog.getByText(/You can move this visit 2 more times\.$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel visit' }).press('Enter')
  const cancelling = page.getByRole('dialog', { name: 'Cancel this visit?' })
  await cancelling.getByRole('button', { name: 'Cancel visit' }).press('Enter')
  await expect(page.getByText('Your visit is cancelled.')).toBeVisible()
})
