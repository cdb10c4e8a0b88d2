import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import { findFreeTime, goToPayment, payWith, signedInPatient } from './booking.ts'
import { checkScreen, expect, test } from './fixtures.ts'

/** Books and pays by card; ends on the account. */
async function book(page: Page): Promise<void> {
  const email = await signedInPatient(page)
  await page.goto(await findFreeTime(page))
  await goToPayment(page, email)
  // Before payment, the panel shows what cancelling costs, as a date or an amount.
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

const Today = z.object({
  result: z.object({
    data: z.object({ next: z.nullable(z.object({ id: z.string(), startsAt: z.string() })) }),
  }),
})

/** Id of the next visit of the demo's provider after today. */
async function nextVisit(page: Page): Promise<string> {
  const answer = await page.request.get('/trpc/booking.today?input=%7B%7D')
  const { next } = Today.parse(await answer.json()).result.data
  if (next === null) throw new Error('Nobody comes.')
  return next.id
}

test('a provider cancels a visit with a reason, and staff see what they would give back @once', async ({
  page,
  secondPage,
}) => {
  await page.goto('/')
  await page
    .getByRole('button', { name: /^Enter as a provider/ })
    .first()
    .click()
  await expect(page).toHaveURL('/dochome')
  const id = await nextVisit(page)
  await page.goto(`/doctor/visits/${id}`)

  await secondPage.goto('/')
  await secondPage.getByRole('button', { name: /^Enter as a superuser/ }).click()
  await expect(secondPage).toHaveURL('/admin-home')
  await secondPage.goto(`/admin-home/payments?visit=${id}`)
  const sheet = secondPage.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Cancel visit' }).click()
  await expect(sheet.getByText(/^£[\d.]+ of £[\d.]+ goes back$/)).toBeVisible()
  await checkScreen(secondPage)

  await page.getByRole('button', { name: 'Cancel visit' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cancel this visit?' })
  await expect(dialog.getByText(/^We’ll refund £[\d.]+ in full/)).toBeVisible()
  await checkScreen(page)
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('closed')
  await dialog.getByRole('button', { name: 'Cancel and refund' }).press('Enter')
  await expect(page.getByText('The visit is cancelled. We’ve told the patient.')).toBeVisible()
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await checkScreen(page)
})
