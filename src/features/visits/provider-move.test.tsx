import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-sign-in.ts'
import { openStaff } from '#tests/spa/staff.ts'

const dialog = () => page.getByRole('dialog', { name: 'Move this visit' })
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
    .element(dialog().getByRole('heading', { name: 'Tuesday 3 March, 09:00 – choose a new time' }))
    .toBeVisible()
  await dialog()
    .getByRole('button', { name: /^First available/ })
    .click()
  await dialog()
    .getByRole('button', { name: /^Continue with/ })
    .click()
  await expect.element(dialog().getByRole('heading', { name: 'Move this visit?' })).toHaveFocus()
  await expect.element(dialog().getByText('Agree the time with the patient first')).toBeVisible()
  await dialog()
    .getByRole('textbox', { name: /^Message to the patient/ })
    .fill('As we said.')
  await dialog().getByRole('button', { name: 'Move visit' }).click()
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
