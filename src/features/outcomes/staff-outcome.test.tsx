import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPayments } from '#tests/spa/staff.ts'

const sheet = () => page.getByRole('dialog', { name: 'Appointment' })
const visits = [{ startsAt: '2026-03-02T08:00:00Z', isMissed: true }]
const open = { address: '/admin-home/payments', visits }

test('an admin corrects what became of a visit, with a reason', async ({ testApp }) => {
  await openPayments(testApp, 'admin', open)
  await page.getByRole('link', { name: /^Open 1/ }).click()
  await sheet().getByRole('button', { name: 'Correct outcome' }).click()
  await sheet().getByRole('button', { name: 'Cancel' }).click()
  const opener = sheet().getByRole('button', { name: 'Correct outcome' })
  await expect.element(opener).toHaveFocus()
  await opener.click()
  await sheet().getByRole('textbox', { name: 'Reason' }).fill('No')
  await sheet().getByRole('button', { name: 'Correct outcome' }).click()
  await expect
    .element(sheet().getByRole('group', { name: 'What happened?' }))
    .toHaveAccessibleDescription('Choose what happened.')
  await sheet().getByText('The visit didn’t take place').click()
  await expect.element(sheet().getByText('Refunds £60.00. This can’t be undone.')).toBeVisible()
  await sheet().getByText('The visit took place').click()
  await sheet().getByRole('button', { name: 'Correct outcome' }).click()
  await expect.element(sheet().getByText('Say why in 3 to 500 characters.').first()).toBeVisible()
  await sheet().getByRole('textbox', { name: 'Reason' }).fill('The desk confirms it.')
  await sheet().getByRole('button', { name: 'Correct outcome' }).click()
  await expect.element(page.getByText('The outcome is corrected.')).toBeVisible()
})

test('an editor sees why they cannot', async ({ testApp }) => {
  await openPayments(testApp, 'editor', open)
  await page.getByRole('link', { name: /^Open 1/ }).click()
  await expect.element(sheet().getByRole('button', { name: 'Correct outcome' })).toBeDisabled()
})
