import { checkScreen, expect, test } from './fixtures.ts'

test('a visit leads to its receipt, which fits the screen and the paper @once', async ({
  page,
  site,
}) => {
  const headers = { origin: site.url, 'sec-fetch-site': 'same-origin' }
  const data = { email: 'patient@demo.example' }
  expect((await page.request.post('/trpc/auth.enterDemo', { headers, data })).status()).toBe(200)
  await page.goto('/userProfile')
  const past = page.getByRole('region', { name: 'Past visits' }).getByRole('article').first()
  await past.getByText('Details').click()
  await past.getByRole('link', { name: 'Receipt' }).click()
  await expect(page).toHaveURL(/\/receipt\/pay_/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Receipt')
  await expect(page.getByText(/^AP-/)).toBeVisible()
  await expect(page.getByRole('row', { name: /^Total / })).toBeVisible()
  await checkScreen(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('row', { name: /^Total / })).toBeVisible()
})
