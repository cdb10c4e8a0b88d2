import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'

const calendar = (page: Page) => page.getByRole('region', { name: /^Calendar, / })

async function enter(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Enter as a provider (provider@demo.example)' }).click()
  await expect(page).toHaveURL('/dochome')
  await expect(calendar(page)).toBeVisible()
}

/** On a phone one day is listed: the first of the week with visits, by the arrow keys. */
async function chooseBusyDay(page: Page): Promise<void> {
  const days = calendar(page).getByRole('tab')
  if ((page.viewportSize()?.width ?? 0) >= 768) return
  await expect(days).toHaveCount(7)
  await days.and(page.locator('[aria-selected=true]')).press('Home')
  await expect(days.first()).toBeFocused()
  const names = await days.allTextContents()
  const at = names.findIndex((name) => /, \d+ visits?/.test(name))
  for (let step = 0; step < at; step += 1) {
    await page.keyboard.press('ArrowRight')
    await expect(days.nth(step + 1)).toBeFocused()
  }
  await expect(page).toHaveURL(/on=\d{4}-\d\d-\d\d/)
}

test('a provider looks through the weeks and opens a visit', async ({ page }) => {
  await enter(page)
  const title = calendar(page).getByRole('heading', { level: 2 })
  const before = await title.textContent()
  await calendar(page).getByRole('button', { name: 'Week after' }).press('Enter')
  await expect(title).not.toHaveText(before ?? '')
  await chooseBusyDay(page)
  const visit = calendar(page).getByRole('listitem').getByRole('button').first()
  await expect(visit).toBeVisible()
  await checkScreen(page)
  await visit.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Visit' })
  await expect(drawer.getByRole('heading', { name: 'Patient' })).toBeVisible()
  await expect(drawer.getByText(/London time/).first()).toBeVisible()
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page).not.toHaveURL(/visit=/)
})
