import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPayments } from '#tests/spa/staff.ts'

const sheet = () => page.getByRole('dialog', { name: 'Appointment' })

test('an admin cancels for the patient: what was agreed goes back, with a reason', async ({
  testApp,
}) => {
  // In five hours: cancelling is no longer free.
  await openPayments(testApp, 'admin', {
    address: '/admin-home/payments',
    visits: [{ startsAt: '2026-03-02T14:00:00Z' }],
  })
  await page.getByRole('link', { name: /^Open 1/ }).click()
  await sheet().getByRole('button', { name: 'Cancel visit' }).click()
  await sheet().getByRole('textbox', { name: 'Reason' }).fill('They called.')
  await sheet().getByRole('button', { name: 'Cancel and refund' }).click()
  await expect.element(sheet().getByText('Choose who asked.').first()).toBeVisible()
  await sheet().getByText('The provider', { exact: true }).click()
  await expect.element(sheet().getByText('£60.00 of £60.00 goes back')).toBeVisible()
  await sheet().getByText('The patient', { exact: true }).click()
  await sheet().getByRole('textbox', { name: 'Reason' }).fill('They called: the car broke down.')
  await expect.element(sheet().getByText('£30.00 of £60.00 goes back')).toBeVisible()
  await sheet().getByRole('button', { name: 'Cancel and refund' }).click()
  await expect.element(page.getByText(/^The visit is cancelled. We’ve told both/)).toBeVisible()
  await expect.element(sheet().getByText('Cancelled', { exact: true }).first()).toBeVisible()
  await expect
    .element(sheet().getByRole('button', { name: 'Cancel visit' }))
    .not.toBeInTheDocument()
})

test('an editor sees why they cannot', async ({ testApp }) => {
  await openPayments(testApp, 'editor', {
    address: '/admin-home/payments',
    visits: [{ startsAt: '2026-03-02T14:00:00Z' }],
  })
  await page.getByRole('link', { name: /^Open 1/ }).click()
  await expect.element(sheet().getByRole('button', { name: 'Cancel visit' })).toBeDisabled()
})
