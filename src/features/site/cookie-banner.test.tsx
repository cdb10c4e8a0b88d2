import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'

const banner = () => page.getByRole('region', { name: 'Cookies' })
const press = (name: string) => banner().getByRole('button', { name }).click()

test('the banner stands beside the page, which works without an answer', async () => {
  const { router } = await openPage('/about-us', { hasCookieConsent: false })
  await expect.element(banner()).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Contact us' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/contact-us')
  expect(document.cookie).not.toContain('consentID=')
})

test('an answer makes the consentID and the banner goes', async () => {
  await openPage('/about-us', { hasCookieConsent: false })
  await press('Only necessary')
  await expect.element(banner()).not.toBeInTheDocument()
  expect(document.cookie).toMatch(/consentID=[0-9a-f-]{36}/)
})

test('the answer can be changed from the footer, under the same id', async () => {
  await openPage('/about-us', { hasCookieConsent: false })
  await press('Accept all')
  await expect.element(banner()).not.toBeInTheDocument()
  const id = /consentID=([0-9a-f-]{36})/.exec(document.cookie)?.[1]

  const settings = page.getByRole('contentinfo').getByRole('button', { name: 'Cookie settings' })
  await settings.click()
  await expect.element(banner()).toHaveFocus()
  await press('Choose')
  const statistics = banner().getByRole('checkbox', { name: 'Statistics' })
  await expect.element(statistics).toBeChecked()
  await statistics.click()
  await press('Save choice')
  await expect.element(banner()).not.toBeInTheDocument()
  await expect.element(settings).toHaveFocus()
  expect(document.cookie).toContain(`consentID=${id}`)
})
