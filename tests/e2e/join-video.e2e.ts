import type { Page } from '@playwright/test'
import { checkScreen, expect } from './fixtures.ts'
// A new demo has a video visit that can be joined for an hour.
import { test } from './own-site.ts'

const join = (page: Page) => page.getByRole('button', { name: /^Join video visit with/ })

async function enter(page: Page, as: RegExp): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: as }).first().click()
}

test('both join a video visit when it is time, and get to the same room', async ({
  page,
  secondPage,
}) => {
  await enter(page, /^Enter as a patient/)
  await expect(page).toHaveURL('/home')
  await page.goto('/userProfile')
  await expect(join(page)).toBeVisible()
  await expect(page.getByText(/^Takes you to localhost/)).toBeVisible()
  await checkScreen(page)
  await join(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’ve joined the video visit')
  const room = page.url()

  await enter(secondPage, /^Enter as a provider/)
  await expect(secondPage).toHaveURL('/dochome')
  await secondPage
    .getByRole('listitem')
    .filter({ hasText: 'Video visit' })
    .getByRole('link')
    .first()
    .click()
  await expect(join(secondPage)).toBeVisible()
  await checkScreen(secondPage)
  await join(secondPage).click()
  await expect(secondPage).toHaveURL(room)
})
