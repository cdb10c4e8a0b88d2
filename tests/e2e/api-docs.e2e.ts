import { checkScreen, expect, test } from './fixtures.ts'

test('the documentation reads well at any width, and its calls are found by a word @desktop', async ({
  page,
}) => {
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/api/docs')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('API documentation')
    await checkScreen(page)
  }
  await page.keyboard.press('/')
  await page.keyboard.type('bank delete')
  await expect(page.getByRole('status')).toHaveText('1 call')
  await page.getByRole('navigation').getByRole('link', { name: 'Delete a bank account' }).click()
  await expect(page.getByRole('heading', { name: 'Delete a bank account' })).toBeInViewport()
})

test('a command is copied by its button @desktop', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/api/docs')
  const block = page.locator('#guide-search figure')
  await block.getByRole('button', { name: 'Copy' }).click()
  await expect(block.getByRole('button')).toHaveText('Copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(await block.locator('code').textContent())
})
