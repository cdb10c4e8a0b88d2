import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'
import { london, resultNames, waitForResults } from './steps.ts'

const OFFLINE = /ERR_INTERNET_DISCONNECTED/
const statusMessage = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'You’re offline.' })

/** Opens the second result and waits for its times. */
async function openProfile(page: Page): Promise<void> {
  await page.goto(london())
  await waitForResults(page)
  await resultNames(page).nth(1).getByRole('link').click()
  await expect(page.getByRole('tab', { name: 'Other dates' })).toBeVisible()
}

test('pages without the usual header say that the network is gone, and that it is back @once', async ({
  page,
  context,
}) => {
  for (const address of ['/admin-signin', '/reset-password/none']) {
    await page.goto(address)
    await expect(page.getByRole('banner')).toHaveCount(0)
    // All scripts have loaded, so the test cuts the network and not their download.
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await expect(statusMessage(page)).toBeVisible()
    await checkScreen(page)
    await context.setOffline(false)
    await expect(statusMessage(page)).toBeHidden()
    await expect(page.getByText('You’re back online.')).toBeVisible()
  }
})

test('far down a page it is said in view, and what failed meanwhile comes by itself @phone', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(OFFLINE)
  await openProfile(page)
  await page.getByRole('tab', { name: 'Other dates' }).click()
  const next = page.getByRole('button', { name: 'Next month' })
  await expect(next).toBeEnabled()
  await context.setOffline(true)
  await next.click()
  const failure = page.getByRole('alert').filter({ hasText: 'You’re offline.' })
  await expect(failure).toBeVisible()
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await expect(statusMessage(page)).toBeInViewport()
  await context.setOffline(false)
  await expect(failure).toBeHidden()
})

test('offline, what opens over a page does, and nothing typed on it is lost @once', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(OFFLINE)
  const banner = page.waitForResponse(/\/assets\/cookie-banner-/)
  await page.goto('/contact-us')
  await banner
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('Do you also list opticians?')
  await context.setOffline(true)
  const settings = page.getByRole('button', { name: 'Cookie settings' })
  await settings.click()
  const cookies = page.getByRole('region', { name: 'Cookies' })
  await expect(cookies).toBeFocused()
  await cookies.getByRole('button', { name: 'Close' }).click()
  await expect(settings).toBeFocused()
  await expect(message).toHaveValue('Do you also list opticians?')
})

test('a message begun offline can be sent once the network is back, without a reload @phone', async ({
  page,
  context,
}) => {
  // Preloaded chunks arrive one after another, when the browser is idle.
  const lastOfWarm = page.waitForResponse(/\/assets\/logout-dialog-/)
  await openProfile(page)
  await lastOfWarm
  // The page knows the network's state after a full load, but not after client-side navigation.
  await page.reload()
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByRole('textbox', { name: 'First name' }).fill('Ann')
  await expect(statusMessage(page)).toBeVisible()
  await expect(page.getByText('didn’t load')).toHaveCount(0)
  await context.setOffline(false)
  await page.getByRole('textbox', { name: 'Last name' }).fill('Lee')
  await expect(page.getByRole('checkbox', { name: /not a robot/ })).toBeVisible()
})

test('on a phone nothing that takes focus hides behind the bar that leads to the times @phone', async ({
  page,
}) => {
  await openProfile(page)
  const bar = page.getByRole('link', { name: 'Book appointment' })
  await page.getByRole('textbox', { name: 'Message' }).focus()
  await expect(bar).toBeVisible()
  const top = (await bar.boundingBox())?.y ?? 0
  for (let press = 0; press < 20; press += 1) {
    await page.keyboard.press('Tab')
    const bottom = await page.evaluate(
      () => document.activeElement?.getBoundingClientRect().bottom ?? 0,
    )
    if (await bar.evaluate((link) => link !== document.activeElement)) {
      expect(bottom).toBeLessThanOrEqual(top)
    }
  }
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const copyright = await page.getByText(/^© 2024/).boundingBox()
  expect((copyright?.y ?? 0) + (copyright?.height ?? 0)).toBeLessThanOrEqual(top)
})
