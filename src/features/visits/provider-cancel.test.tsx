import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openDashboard } from '#tests/spa/dashboard.ts'

const dialog = () => page.getByRole('dialog', { name: 'Cancel this visit?' })
const button = () => page.getByRole('button', { name: 'Cancel visit' })

test('a provider cancels a visit with a reason: all of the fee goes back, and the page says so', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome', { visits: [{ startsAt: '2026-03-02T14:30:00Z' }] })
  await page.getByRole('link', { name: 'Maya Ellis' }).click()
  await button().click()
  await expect.element(dialog().getByText(/^We’ll refund £60.00 in full/)).toBeVisible()
  await dialog().getByRole('button', { name: 'Cancel and refund' }).click()
  await expect.element(dialog().getByText('Choose a reason.').first()).toBeVisible()
  await dialog().getByRole('combobox', { name: 'Reason' }).selectOptions('unwell')
  await dialog()
    .getByRole('textbox', { name: /^Message to the patient/ })
    .fill('Sorry!')
  await dialog().getByRole('button', { name: 'Cancel and refund' }).click()
  await expect
    .element(page.getByText('The visit is cancelled. We’ve told the patient.'))
    .toBeVisible()
  await expect.element(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect.element(page.getByText('£60.00 refunded')).toBeVisible()
  await expect.element(button()).not.toBeInTheDocument()
})

test('a visit that is over cannot be cancelled', async ({ testApp }) => {
  await openDashboard(testApp, '/doctor/appointment-history', {
    visits: [{ startsAt: '2025-11-04T10:00:00Z' }],
  })
  await page.getByRole('link', { name: /^Open 1, Maya Ellis/ }).click()
  await expect.element(page.getByText('Over', { exact: true })).toBeVisible()
  await expect.element(button()).not.toBeInTheDocument()
})
