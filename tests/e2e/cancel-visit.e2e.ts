import type { Page } from '@playwright/test'
import { payWith, signedInPatient, someFreeTime, toPayment } from './booking.ts'
import { checkScreen, expect, test } from './fixtures.ts'

/** Books and pays by card; ends on the account. */
async function book(page: Page): Promise<void> {
  const email = await signedInPatient(page)
  await page.goto(await someFreeTime(page))
  await toPayment(page, email)
  // Before anything is paid: what cancelling costs, as a date or an amount.
  const panel = page.getByRole('region', { name: 'Payment' })
  await expect(
    panel.getByText(/^(Free cancellation until \w{3} \d|Cancelling costs £)/),
  ).toBeVisible()
  await page.getByRole('button', { name: /^Pay £.* by card$/ }).click()
  await payWith(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: 'Booking complete' })).toBeVisible()
  await page.goto('/userProfile')
}

test('a visit is cancelled with the keyboard from the account, and the refund is said first @once', async ({
  page,
}) => {
  await book(page)
  const cancel = page.getByRole('button', { name: /^Cancel visit with/ })
  await cancel.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cancel this visit?' })
  await expect(dialog.getByText(/^You get £[\d.]+( of £[\d.]+)? back to your card$/)).toBeVisible()
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(cancel).toBeFocused()
  await page.keyboard.press('Enter')
  const confirm = dialog.getByRole('button', { name: 'Cancel visit' })
  await expect(confirm).toBeEnabled()
  await confirm.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your visit is cancelled.')).toBeVisible()
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await checkScreen(page)
})
