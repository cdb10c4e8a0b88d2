import type { Page } from '@playwright/test'
import { delayScripts } from './harness/delay-scripts.ts'
import { expect, london, placeBox, resultNames, test, waitForResults } from './harness/fixtures.ts'

/** The page's layout shifts after a moment of its own clock, in milliseconds. */
function layoutShifts(page: Page, since: number): Promise<string[]> {
  return page.evaluate(async (from) => {
    const seen: PerformanceEntry[] = []
    const observer = new PerformanceObserver((list) => void seen.push(...list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    await new Promise((resolve) => setTimeout(resolve, 100))
    return seen.filter(({ startTime }) => startTime > from).map((entry) => JSON.stringify(entry))
  }, since)
}

test.describe('before hydration', () => {
  test.use({ javaScriptEnabled: false })

  test('results are rendered with names, and link to a profile that is rendered as well', async ({
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

test('hydration sends no requests again, and nothing moves', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/trpc/')) asked.push(pathname)
  })
  const begin = await delayScripts(page)
  const arrived = page.goto(london())
  await expect(resultNames(page)).toHaveCount(10)
  // On a slow machine the page is painted, and grows, while it arrives.
  const whole = await page.evaluate(async () => {
    while (document.readyState === 'loading') {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return performance.now()
  })
  begin()
  await arrived
  await waitForResults(page)
  expect(await layoutShifts(page, whole)).toEqual([])
  expect(asked.filter((path) => path.includes('search.providers'))).toEqual([])
  expect(asked.filter((path) => path.includes('search.specialities'))).toEqual([])
  const kept = await page.evaluate(() => localStorage.getItem('speciality_uk'))
  expect(kept).toContain('dentist')
})

test('a remembered region is never contradicted by the rendered one @once', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('selectedRegion', 'usa'))
  const begin = await delayScripts(page)
  const arrived = page.goto('/home')
  // The HTML rendered for the United Kingdom stays hidden.
  await expect(page.locator('[data-assumed-region="uk"] h1')).toHaveCount(1)
  await expect(page.locator('h1')).toBeHidden()
  begin()
  await arrived
  await expect(page.locator('h1')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('radio', { name: 'USA' })).toBeChecked()
  await expect(placeBox(page)).toHaveAccessibleName('ZIP code or town')
})

test('input before hydration is not lost', async ({ page }) => {
  const begin = await delayScripts(page)
  const arrived = page.goto('/home')
  await page.getByText('USA', { exact: true }).click()
  await placeBox(page).fill('94110')
  await page.getByLabel('Distance').selectOption('Within 25 miles')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL('/home')
  begin()
  await arrived
  await expect(page).toHaveURL(/\/results\?.*selectedRegion=usa/)
  await expect(page).toHaveURL(/postcode=94110/)
  await expect(page).toHaveURL(/radius=25/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('94110')
})

test('elements keep their position during hydration', async ({ page }) => {
  const begin = await delayScripts(page)
  const arrived = page.goto('/results?selectedRegion=uk')
  const place = placeBox(page)
  await place.fill('SE1')
  const before = await place.elementHandle()
  begin()
  await arrived
  await expect(place).toBeFocused()
  await expect(place).toHaveValue('SE1')
  expect(await place.evaluate((now, then) => now === then, before)).toBe(true)
  await expect(page.getByRole('option').first()).toBeVisible()
})
