import type { Page } from '@playwright/test'
import { findTimesInTwoMonths } from './harness/booking.ts'
import {
  checkScreen,
  enterDemo,
  expect,
  london,
  resultNames,
  test,
  waitForResults,
} from './harness/fixtures.ts'

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

test('pages without the usual header report lost and restored connections @once', async ({
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

test('far down a page the notice is in view, and failed content loads by itself @phone', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(OFFLINE)
  await page.goto(await findTimesInTwoMonths(page))
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

test('dialogs open offline, and typed text is kept @once', async ({ page, context, problems }) => {
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
  const lastOfWarm = page.waitForResponse(/\/assets\/sign-out-/)
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

test('no focused element is hidden by the sticky bar on a phone @phone', async ({ page }) => {
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

const MAP_CODE = /\/assets\/results-map-[^/]*\.js$/
const ABOUT_CODE = /\/assets\/about-(us|page)-[^/]*\.js$/

test('offline the map says so and the list stays; back online it loads @phone', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  await page.goto(london())
  await waitForResults(page)
  const first = await resultNames(page).first().innerText()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  const notice = page.getByRole('status').filter({ hasText: 'The map didn’t load.' })
  await expect(notice).toBeVisible()
  await notice.getByRole('button', { name: 'Try again' }).click()
  await expect(notice).toContainText('There is still no connection.')
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await expect(resultNames(page).first()).toHaveText(first)
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await expect(notice).toBeVisible()

  await context.setOffline(false)
  const map = page.getByRole('region', { name: 'Map of results' })
  await expect(map.getByRole('button', { name: `1, ${first}, ` })).toBeVisible()
  await expect(notice).toBeHidden()
})

test('when loading the map’s code fails, reloading the page helps @phone', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_FAILED/)
  await page.goto(london())
  await waitForResults(page)
  await context.route(MAP_CODE, (route) => route.abort())
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  const notice = page.getByRole('status').filter({ hasText: 'The map didn’t load.' })
  const reload = notice.getByRole('button', { name: 'Reload the page' })
  await expect(reload).toBeVisible()
  await checkScreen(page)
  await context.unroute(MAP_CODE)
  await reload.click()
  const map = page.getByRole('region', { name: 'Map of results' })
  await expect(map.getByRole('button', { name: /^1, / })).toBeVisible()
})

const UNEXPECTED = 'Unexpected Application Error!'

test('offline a page that is not there yet is waited for: this one stays, with what was typed @once', async ({
  page,
  context,
}) => {
  await page.goto('/contact-us')
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('Do you also list opticians?')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await expect(statusMessage(page)).toBeVisible()
  const register = page.getByRole('contentinfo').getByRole('link', { name: 'Register' })
  await register.hover()
  await register.click()
  const alert = page.getByRole('alert').filter({ hasText: 'You’re offline.' })
  await expect(alert).toContainText('The page you chose opens by itself once you’re back.')
  await expect(page).toHaveURL('/contact-us')
  await expect(message).toHaveValue('Do you also list opticians?')
  await checkScreen(page)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Register')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact us')
})

test('offline a dialog whose code is not there yet opens once the network is back @desktop', async ({
  page,
  context,
}) => {
  // Without what a page fetches in advance after three seconds.
  await page.addInitScript(() => {
    const later = window.setTimeout.bind(window)
    Object.assign(window, {
      setTimeout: (act: () => void, ms: number) => (ms === 3_000 ? 0 : later(act, ms)),
    })
  })
  await enterDemo(page, 'provider')
  const block = page.getByRole('button', { name: 'Block time', exact: true })
  await expect(block).toBeVisible()
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await block.click()
  const alert = page.getByRole('alert').filter({ hasText: 'This opens by itself' })
  await expect(alert).toBeVisible()
  await expect(page.getByText(UNEXPECTED)).toHaveCount(0)
  await context.setOffline(false)
  await expect(page.getByRole('dialog', { name: 'Block time' })).toBeVisible()
  await expect(alert).toBeHidden()
})

test('with a network that carries nothing a page says so, and loads once the site responds @once', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/, /Failed to fetch dynamically imported module/)
  await page.goto(london())
  await waitForResults(page)
  await context.route('**/*', (route) => route.abort('internetdisconnected'))
  await page.getByRole('contentinfo').getByRole('link', { name: 'About us' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'You’re offline.' })
  await expect(alert).toBeVisible()
  await expect(page.getByText(UNEXPECTED)).toHaveCount(0)
  await checkScreen(page)
  await context.unroute('**/*')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About us')
})

test('code replaced by a release reloads the page once @once', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/answered 404/, /Failed to (load|fetch)/)
  await page.goto(london())
  await waitForResults(page)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await context.route(ABOUT_CODE, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('contentinfo').getByRole('link', { name: 'About us' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'This site has been updated.' })
  await expect(alert).toBeVisible()
  await expect.poll(() => loads).toBe(1)
  await context.unroute(ABOUT_CODE)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About us')
  expect(loads).toBe(2)
})
