import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn, signIn } from '#tests/harness/spa/spa-page.tsx'
import { openDashboard } from '#tests/spa/dashboard.ts'

// Pages opened before a change elsewhere, which are opened again right after it.

const region = (name: string | RegExp) => page.getByRole('region', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const menu = (name: string) =>
  page.getByRole('navigation', { name: 'Provider' }).getByRole('link', { name }).click()

async function saveHours(): Promise<void> {
  await button('Save hours').click()
  await expect
    .element(page.getByRole('status').filter({ hasText: 'Everything is saved' }))
    .toBeVisible()
}

test('the dashboard has the hours that were just set', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', { overrides: { slots: [] } })
  await region('Today').getByRole('link', { name: 'Set your hours' }).click()
  await saveHours()
  await menu('DashBoard')
  await expect.element(region(/^Calendar, /)).toBeVisible()
  await expect.element(page.getByText('No hours yet')).not.toBeInTheDocument()
})

test('a block takes its times from the next free ones', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', { overrides: { slots: [] }, hasHours: true })
  const next = region('Next free times')
  await expect.element(next.getByRole('heading', { name: 'Today' })).toBeVisible()
  await button('Block time').click()
  const dialog = page.getByRole('dialog', { name: 'Block time' })
  await dialog.getByRole('combobox', { name: 'From' }).fill('8')
  await dialog.getByRole('combobox', { name: 'Until' }).fill('18')
  await dialog.getByRole('button', { name: 'Block this time' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(next.getByRole('heading', { name: 'Today' })).not.toBeInTheDocument()
})

test('a patient marked as arrived has arrived in the calendar too', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', { visits: [{ startsAt: '2026-03-02T09:30:00Z' }] })
  const card = region(/^Calendar, /).getByRole('button', { name: /^09:30 Maya Ellis/ })
  await expect.element(card).toBeVisible()
  await page.getByRole('button', { name: /^Arrived ?: Maya Ellis/ }).click()
  await expect.element(card).toMatchTextContent('arrived')
})

test('the hours have the place that was just added', async ({ testApp }) => {
  await testApp.addPlaces()
  await openDashboard(testApp, '/doctor/availability/new')
  await expect.element(page.getByRole('switch', { name: 'Monday' })).toBeVisible()
  await menu('Profile')
  await button('Add a place').click()
  await field('Name of the practice').fill('Canal Clinic')
  await field('Street address').fill('3 Lock Lane')
  await field('Postcode').fill('SE1 6ET')
  await button('Add place').click()
  await expect.element(page.getByRole('heading', { name: 'Canal Clinic' })).toBeVisible()
  await menu('Add New Availability')
  await expect.element(page.getByRole('combobox', { name: 'Place' })).toBeVisible()
})

test('the verification has the name that was just changed', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/provider-verify')
  const table = page.getByRole('table')
  await expect.element(table).toMatchTextContent('Okafor')
  await router.navigate({ to: '/doctor/profile' })
  await button('Edit name and registration').click()
  await field('Last name').fill('Okafor-Bell')
  await button('Save').click()
  await button('Save and hide until checked').click()
  await page.getByRole('link', { name: 'To do: Have your registration checked' }).click()
  await expect.element(table).toMatchTextContent('Okafor-Bell')
})

test('whoever signs in in another tab sees and saves their own details here, not those of the last user', async ({
  testApp,
}) => {
  const first = await testApp.addAccount({ first_name: 'Robin', phone_number: '+442079460001' })
  const second = await testApp.addAccount({ first_name: 'Ada', phone_number: '+442079460002' })
  await openSignedIn(first, '/userProfile?section=details')
  await expect.element(field('Phone number')).toHaveValue('+442079460001')
  await signIn(second)
  await expect.element(field('First name')).toHaveValue('Ada')
  await expect.element(field('Phone number')).toHaveValue('+442079460002')
})

test('visits on the screen are those of whoever has signed in since', async ({ testApp }) => {
  const { id: providerId } = await testApp.addProvider()
  const first = await testApp.addAccount()
  await testApp.bookVisit({ providerId, startsAt: '2026-03-03T09:00:00.000Z', account: first })
  await openSignedIn(first, '/userProfile')
  await expect.element(page.getByRole('link', { name: 'Dr Amara Okafor' }).first()).toBeVisible()
  await signIn(await testApp.addAccount())
  await expect.element(page.getByText('No visits yet')).toBeVisible()
})
