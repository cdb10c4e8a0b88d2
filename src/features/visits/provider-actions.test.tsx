import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { openDashboard } from '#tests/spa/dashboard.ts'
import { openStaff } from '#tests/spa/staff.ts'

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

test('a visit that began meanwhile cannot be cancelled, which trying again would not change', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome', { visits: [{ startsAt: '2026-03-02T09:10:00Z' }] })
  await page.getByRole('link', { name: 'Maya Ellis' }).click()
  await expect.element(button()).toBeVisible()
  await testApp.advanceClock(15 * 60_000)
  await button().click()
  const alert = dialog().getByRole('alert')
  await expect.element(alert).toMatchTextContent(/^This visit can’t be cancelled/)
  await expect.element(alert.getByRole('button')).not.toBeInTheDocument()
  await dialog().getByRole('button', { name: 'Close' }).click()
  await expect.element(button()).not.toBeInTheDocument()
})

const moveDialog = () => page.getByRole('dialog', { name: 'Move this visit' })
const sheet = () => page.getByRole('dialog', { name: 'Appointment' })

/** A visit tomorrow at nine with its provider, who has free times after it. */
async function bookVisit(testApp: Backend) {
  const provider = await testApp.addProvider({})
  const account = await testApp.addAccount({ first_name: 'Maya', last_name: 'Ellis' })
  const startsAt = '2026-03-03T09:00:00Z'
  return { provider, id: await testApp.bookVisit({ providerId: provider.id, startsAt, account }) }
}

test('a provider moves a visit as agreed, with a message, and the page says where it was', async ({
  testApp,
}) => {
  const { id, provider } = await bookVisit(testApp)
  const { no: provider_no, email } = provider
  const account = await testApp.addAccount({ kind: 'provider', email, provider_no })
  await openSignedIn(account, `/doctor/visits/${id}`)
  await page.getByRole('button', { name: 'Move visit' }).click()
  await expect
    .element(
      moveDialog().getByRole('heading', { name: 'Tuesday 3 March, 09:00 – choose a new time' }),
    )
    .toBeVisible()
  await moveDialog()
    .getByRole('button', { name: /^First available/ })
    .click()
  await moveDialog()
    .getByRole('button', { name: /^Continue with/ })
    .click()
  await expect
    .element(moveDialog().getByRole('heading', { name: 'Move this visit?' }))
    .toHaveFocus()
  await expect
    .element(moveDialog().getByText('Agree the time with the patient first'))
    .toBeVisible()
  await moveDialog()
    .getByRole('textbox', { name: /^Message to the patient/ })
    .fill('As we said.')
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect
    .element(page.getByText('The visit is moved to Tue 3 Mar, 09:30. We’ve told the patient.'))
    .toBeVisible()
  await expect.element(page.getByText(/^By you on/)).toBeVisible()
})

test('an admin moves for the provider with a reason, and the timeline says so', async ({
  testApp,
}) => {
  const { id } = await bookVisit(testApp)
  await openStaff(testApp, 'admin', `/admin-home/payments?visit=${id}`)
  await sheet().getByRole('button', { name: 'Move visit' }).click()
  await sheet()
    .getByRole('button', { name: /^First available/ })
    .click()
  await sheet()
    .getByRole('button', { name: /^Continue with/ })
    .click()
  await sheet().getByText('The provider', { exact: true }).click()
  await sheet().getByRole('textbox', { name: 'Reason' }).fill('They called: a burst pipe.')
  await sheet().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(page.getByText(/^The visit is moved\. We’ve told both/)).toBeVisible()
  await expect.element(sheet().getByText('Visit moved')).toBeVisible()
  await expect.element(sheet().getByText(/They called: a burst pipe\.$/)).toBeVisible()
})
