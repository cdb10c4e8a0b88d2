import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openDashboard } from '#tests/spa/dashboard.ts'

const dialog = (name: string) => page.getByRole('dialog', { name })

test('an unverified provider’s visit is added, and the form says that no email was sent, until it is closed', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome', {
    overrides: { slots: [], verification_status: 'Unverified' },
    hasHours: true,
  })
  const calendar = page.getByRole('region', { name: /^Calendar, / })
  await calendar.getByRole('button', { name: 'Add a visit', exact: true }).click()
  const form = dialog('Add a visit')
  await form.getByRole('radio', { name: 'Walk-in' }).click()
  await form.getByLabelText('Patient’s name').fill('Ida Rowe')
  await form.getByLabelText('Day').fill('2026-03-04')
  await form.getByLabelText('Time').fill('09:30')
  await form.getByLabelText(/^Email/).fill('ida@mail.example')
  await form.getByRole('button', { name: 'Add visit' }).click()
  const alert = form.getByRole('alert')
  await expect
    .element(alert)
    .toMatchTextContent(
      /The visit is in your calendar.*We didn’t email the patient, because your registration isn’t verified yet\. Let the patient know yourself\./,
    )
  await form.getByRole('button', { name: 'Done' }).click()
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(calendar.getByRole('button', { name: /09:30 Ida Rowe/ })).toBeVisible()
  expect(await testApp.readMails()).toEqual([])
})
