import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'

afterEach(() => vi.restoreAllMocks())

test.for([
  { path: '/about-us', title: 'About us' },
  { path: '/contact-us', title: 'Contact us' },
  { path: '/terms-of-use', title: 'Terms of use' },
  { path: '/privacy-cookie', title: 'Privacy and cookies' },
  { path: '/company-profile', title: 'Company profile' },
  { path: '/modal', title: 'Promotional modal' },
])('$path is a page, and the tab is named after it', async ({ path, title }) => {
  await openPage(path)
  await expect.element(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect.poll(() => document.title).toBe(`${title} · Apposite`)
})

test.for([
  {
    path: '/privacy-cookie',
    says: [
      ['runs this site', 'Stripe or PayPal', 'information about your health', 'six years'],
      ['Information Commissioner', 'HIPAA', 'Your rights', 'support@apposite.example'],
    ].flat(),
  },
  {
    path: '/terms-of-use',
    says: ['run by', 'full refund', 'cancel free of charge', 'at least 16', '18 in the USA'],
  },
])('$path covers what an operator has to say', async ({ path, says }) => {
  await openPage(path)
  const main = page.getByRole('main')
  for (const words of says) await expect.element(main).toMatchTextContent(words)
})

test('the data sources carry the words their licences ask for', async () => {
  await openPage('/about-us')
  const main = page.getByRole('main')
  for (const words of [
    'Contains OS data © Crown copyright and database right 2025. Contains Royal Mail data © Royal Mail copyright and database right 2025. Contains National Statistics data © Crown copyright and database right 2025. Licensed under the Open Government Licence v3.0.',
    'Source: Office for National Statistics licensed under the Open Government Licence v3.0 (boundaries).',
    'Postal places: GeoNames, CC BY 4.0.',
    'Villages of England: Wikipedia, List of United Kingdom locations, CC BY-SA 3.0; waters and hills left out.',
    'Villages of Scotland, Wales and Northern Ireland: GeoNames, CC BY 4.0; places without a position of their own left out.',
  ]) {
    await expect.element(main).toMatchTextContent(words)
  }
})

test('a page whose data cannot be had shows the error screen, and Try again brings it back', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
  const cut = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  await openPage('/modal')
  await expect
    .element(page.getByRole('heading', { name: 'Unexpected Application Error!' }))
    .toBeVisible()
  await expect.element(page.getByRole('alert')).toMatchTextContent('You’re offline.')
  await expect.element(page.getByRole('link', { name: 'Go home' })).toHaveAttribute('href', '/home')
  cut.mockRestore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('heading', { name: 'Promotional modal' })).toBeVisible()
})
