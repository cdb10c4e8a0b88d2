import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { openSignedIn } from '#tests/harness/spa/spa-sign-in.ts'
import { failRequests } from '#tests/spa/fake-network.ts'

const NEAR = '/results?selectedRegion=uk&latitude=51.4965&longitude=-0.0985'
const heart = () => page.getByRole('button', { name: 'Save Dr Amara Okafor', exact: true })

afterEach(() => vi.restoreAllMocks())

test('the heart of a result saves a provider, who stands in the account and leads to the profile', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider()
  const { router } = await openSignedIn(await testApp.addAccount(), NEAR)
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'false')
  await heart().click()
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'true')
  await router.navigate({ to: '/userProfile', search: { section: 'saved' } })
  const saved = page.getByRole('region', { name: 'Saved' })
  await expect.element(saved.getByText(/Next free/)).toBeVisible()
  await saved.getByRole('link', { name: 'Dr Amara Okafor' }).click()
  await expect.poll(() => router.state.location.pathname).toContain(id)
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'true')
  await heart().click()
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'false')
  await router.navigate({ to: '/userProfile', search: { section: 'saved' } })
  await expect.element(page.getByText('No saved providers yet')).toBeVisible()
})

test('what could not be saved is shown as it was before, and why', async ({ testApp }) => {
  await testApp.addProvider()
  await openSignedIn(await testApp.addAccount(), NEAR)
  await expect.element(heart()).toBeEnabled()
  failRequests('profiles.saveFavourite')
  await heart().click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/^You’re offline\./)
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'false')
})

test('whoever is not signed in is led to sign in and back to the very results', async ({
  testApp,
}) => {
  await testApp.addProvider()
  const { router } = await openPage(`${NEAR}&sort=name`)
  await page.getByRole('link', { name: 'Sign in to save Dr Amara Okafor' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/sign-in')
  expect(router.state.location.search.next).toMatch(/^\/results\?.*sort=name/)
})
