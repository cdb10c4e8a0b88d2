import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'

const calendar = (page: Page) => page.getByRole('region', { name: /^Calendar, / })

async function enter(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Enter as a provider (provider@demo.example)' }).click()
  await expect(page).toHaveURL('/dochome')
  await expect(calendar(page)).toBeVisible()
}

test('a provider looks through the weeks and opens a visit', async ({ page }) => {
  await enter(page)
  const title = calendar(page).getByRole('heading', { level: 2 })
  const before = await title.textContent()
  await calendar(page).getByRole('button', { name: 'Week after' }).press('Enter')
  await expect(title).not.toHaveText(before ?? '')
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
