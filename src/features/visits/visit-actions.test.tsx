import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-person.ts'
import { failOne } from '#tests/spa/answers.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-03-05T09:00:00Z')

afterEach(() => vi.restoreAllMocks())

const cancelButton = () => page.getByRole('button', { name: /^Cancel visit with/ })
const dialog = () => page.getByRole('dialog', { name: 'Cancel this visit?' })

test('cancelled in time: all of it comes back, and the list says so', async ({ testApp }) => {
  const provider = await testApp.addProvider({ slots: [START] })
  const account = await testApp.addAccount()
  const startsAt = new Date(START).toISOString()
  await testApp.bookVisit({ providerId: provider.id, startsAt, account })
  await openSignedIn(account, '/userProfile')
  await cancelButton().click()
  await expect.element(dialog().getByText('You get £60.00 back to your card')).toBeVisible()
  await expect
    .element(dialog().getByText('Cancellation is free until Wed 4 Mar, 09:00.'))
    .toBeVisible()
  await dialog().getByRole('button', { name: 'Keep visit' }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await cancelButton().click()
  await dialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(page.getByText('Your visit is cancelled.')).toBeVisible()
  await expect.element(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect.element(cancelButton()).not.toBeInTheDocument()
})

test('cancelled late: what comes back and what is kept is said, and that the rest may follow', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ slots: [START] })
  const account = await testApp.addAccount()
  const startsAt = new Date(START).toISOString()
  await testApp.bookVisit({ providerId: provider.id, startsAt, account })
  await testApp.passTime(50 * HOUR)
  await openSignedIn(account, '/userProfile')
  await cancelButton().click()
  await expect
    .element(dialog().getByText('You get £30.00 of £60.00 back to your card'))
    .toBeVisible()
  await expect
    .element(
      dialog().getByText(
        'Free cancellation ended on Wed 4 Mar, 09:00. Cancelling now costs £30.00. If someone else takes your time, you get the rest back.',
      ),
    )
    .toBeVisible()
  await dialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect
    .element(
      page.getByText(
        '£30.00 is kept because you cancelled late. If someone else takes your time, you get the rest back.',
      ),
    )
    .toBeVisible()
})

test('a refund that has changed meanwhile is said, shown anew, and can be confirmed', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ slots: [START] })
  const account = await testApp.addAccount()
  const startsAt = new Date(START).toISOString()
  await testApp.bookVisit({ providerId: provider.id, startsAt, account })
  await testApp.passTime(47 * HOUR)
  await openSignedIn(account, '/userProfile')
  await cancelButton().click()
  await expect.element(dialog().getByText('You get £60.00 back to your card')).toBeVisible()
  await testApp.passTime(2 * HOUR)
  await dialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(dialog().getByText(/^Your refund has changed/)).toBeVisible()
  await expect
    .element(dialog().getByText('You get £30.00 of £60.00 back to your card'))
    .toBeVisible()
  await dialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(page.getByText('Your visit is cancelled.')).toBeVisible()
})

test('an answer that is lost is no refusal: the visit is cancelled, and says so', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ slots: [START] })
  const account = await testApp.addAccount()
  const startsAt = new Date(START).toISOString()
  await testApp.bookVisit({ providerId: provider.id, startsAt, account })
  await openSignedIn(account, '/userProfile')
  await cancelButton().click()
  await expect.element(dialog().getByText('You get £60.00 back to your card')).toBeVisible()
  failOne('visits.cancel', 'internal')
  await dialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect.element(dialog()).not.toBeInTheDocument()
})
