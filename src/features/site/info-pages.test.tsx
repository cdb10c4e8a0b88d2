import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { failRequests } from '#tests/spa/fake-network.ts'

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

test('a preview that does not load says so on its own page, and Try again brings it', async () => {
  const cut = failRequests('gallery.homepage')
  await openPage('/modal')
  const alert = page.getByRole('alert')
  await expect.element(alert).toMatchTextContent(/The notice didn’t load.*You’re offline\./)
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Promotional modal')
  cut.mockRestore()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('There is no notice yet')).toBeVisible()
})
