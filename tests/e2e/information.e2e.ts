import { checkScreen, test } from './fixtures.ts'

test('x', async ({ page }) => {
  await page.goto('/about-us')
  await checkScreen(page)
})
