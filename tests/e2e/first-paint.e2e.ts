import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { london, resultNames, resultsStand } from './steps.ts'

/** Everything that has changed its place by itself on the page so far. */
function moves(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const seen: PerformanceEntry[] = []
    const observer = new PerformanceObserver((list) => void seen.push(...list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    await new Promise((resolve) => setTimeout(resolve, 100))
    return seen.map((entry) => JSON.stringify(entry))
  })
}

test.describe('before the program is there', () => {
  test.use({ javaScriptEnabled: false })

  test('results stand with their names, and lead on to a profile that is there as well', async ({
    page,
  }) => {
    await page.goto(london())
    await expect(page).toHaveTitle('Doctors and dentists near SE1 6ET · Apposite')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Doctors and dentists near SE1 6ET',
    )
    await expect(resultNames(page)).toHaveCount(10)
    const name = await resultNames(page).first().innerText()
    await resultNames(page).first().getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(page).toHaveTitle(new RegExp(`^${name}, `))
    await expect(page.getByRole('heading', { name: 'Choose a time' })).toBeVisible()
  })
})

test('the program takes over from what was drawn without asking again, and nothing moves', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/trpc/')) asked.push(pathname)
  })
  await page.goto(london())
  await resultsStand(page)
  await expect(resultNames(page)).toHaveCount(10)
  expect(await moves(page)).toEqual([])
  expect(asked.filter((path) => path.includes('search.providers'))).toEqual([])
  expect(asked.filter((path) => path.includes('search.specialities'))).toEqual([])
  const kept = await page.evaluate(() => localStorage.getItem('speciality_uk'))
  expect(kept).toContain('dentist')
})

test('a remembered region other than the drawn one is not contradicted on the way', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('selectedRegion', 'usa'))
  await page.route('**/assets/*.js', () => undefined)
  // The program never comes: what was drawn for the United Kingdom stays out of sight.
  const arrived = page.goto('/home').catch(() => null)
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  await expect(page.locator('[data-drawn="uk"] h1')).toHaveCount(1)
  await page.close()
  await arrived
})
