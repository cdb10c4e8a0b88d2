import { expect, test } from './fixtures.ts'

test('the documentation fits any width, and a path shows how to call it @desktop', async ({
  page,
}) => {
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/api/docs')
    await expect(page.getByRole('heading', { name: '4. Search' })).toBeVisible()
    const overflow = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
    expect(await overflow()).toBe(0)
  }
  await page.getByRole('button', { name: /Delete a bank account/ }).click()
  await expect(page.getByText('curl -s -X DELETE')).toBeVisible()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await expect(page.getByRole('button', { name: 'Execute' })).toBeVisible()
})
