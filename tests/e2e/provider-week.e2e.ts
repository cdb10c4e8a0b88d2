import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'

const calendar = (page: Page) => page.getByRole('region', { name: /^Calendar, / })

async function enter(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Enter as a provider (provider@demo.example)' }).click()
  await expect(page).toHaveURL('/dochome')
  await expect(calendar(page)).toBeVisible()
}

test('a provider looks through the weeks and opens a visit', async ({ page, isMobile }) => {
  await enter(page)
  // Tomorrow may be next week: the demo has visits in the coming days.
  const names = page.getByRole('button', { name: isMobile ? 'Grace Adeyemi' : /Grace Adeyemi/ })
  const visit = calendar(page).locator(names).first()
  if (!(await visit.isVisible())) {
    await calendar(page).getByRole('button', { name: 'Week after' }).press('Enter')
  }
  await expect(visit).toBeVisible()
  await checkScreen(page)
  await visit.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Visit' })
  await expect(drawer.getByRole('heading', { name: 'Grace Adeyemi' })).toBeVisible()
  await expect(drawer.getByRole('button', { name: /^Show purpose/ }).first()).toBeVisible()
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page).not.toHaveURL(/visit=/)
})
