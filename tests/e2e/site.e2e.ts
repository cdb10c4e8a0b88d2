import { checkScreen, expect, test } from './fixtures.ts'
import { london, openHome, waitForResults } from './steps.ts'

test('the dark theme is kept through a reload, on every page @once', async ({ page }) => {
  await openHome(page)
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await ground()
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await expect.poll(ground).not.toBe(light)
  const dark = await ground()
  await checkScreen(page)
  await page.reload()
  expect(await ground()).toBe(dark)
  for (const path of [london(), '/contact-us', '/about-us']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (path.startsWith('/results')) await waitForResults(page)
    expect(await ground()).toBe(dark)
    await checkScreen(page)
  }
})

test('dark by the system, light by choice @desktop', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/company-profile')
  await checkScreen(page)
  await page.getByRole('button', { name: 'Light theme' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Dark theme' })).toBeVisible()
})

test('the menu collapses below 960 pixels and closes outside, by Escape and at 960 @desktop', async ({
  page,
}) => {
  await page.setViewportSize({ width: 959, height: 800 })
  await page.goto('/about-us')
  const toggle = page.getByRole('button', { name: 'Menu' })
  const login = page.getByRole('banner').getByRole('link', { name: 'Log in' })
  await expect(login).toBeHidden()
  await toggle.click()
  await expect(login).toBeVisible()
  await checkScreen(page)
  await page.getByRole('main').click({ position: { x: 20, y: 600 } })
  await expect(login).toBeHidden()
  await toggle.press('Enter')
  await page.keyboard.press('Escape')
  await expect(login).toBeHidden()
  await expect(toggle).toBeFocused()
  await toggle.click()
  await page.setViewportSize({ width: 960, height: 800 })
  await expect(toggle).toBeHidden()
  await expect(login).toBeVisible()
  await page.setViewportSize({ width: 959, height: 800 })
  await expect(login).toBeHidden()
})

test('the promotional modal is shown once, Escape closes it, and /modal previews it @once', async ({
  page,
}) => {
  await page.goto('/home')
  const dialog = page.getByRole('dialog', { name: 'See who is free this week' })
  await expect(dialog).toBeVisible()
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Popular specialties' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^GPs/ })).toBeVisible()
  await expect(dialog).toBeHidden()

  await page.goto('/modal')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await checkScreen(page)
  const show = page.getByRole('button', { name: 'Show the notice' })
  await show.click()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(show).toBeFocused()
})

test('an address that leads nowhere: the 404 screen, with a way out @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 404: \/nowhere/, /status of 404/)
  await page.goto('/nowhere/at/all')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  await checkScreen(page)
  await page.getByRole('main').getByRole('link', { name: 'Go home' }).click()
  await expect(page).toHaveURL('/home')
})

test('a page whose code is lost shows Unexpected Application Error!, and Try again brings it @once', async ({
  page,
  problems,
}) => {
  problems.expect(/terms-of-use/, /terms/)
  const code = /\/assets\/terms-.*\.js/
  await page.goto('/about-us')
  await page.route(code, (route) => route.abort('failed'))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of use' }).click()
  const heading = page.getByRole('heading', { name: 'Unexpected Application Error!' })
  await expect(heading).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('This site has been updated.')
  await checkScreen(page)
  await page.unroute(code)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of use')
})

test('a broken answer shows a sentence, never an empty screen @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 500: .*gallery/, /status of 500/)
  await page.route(/trpc\/gallery\.homepage/, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"nonsense":' }),
  )
  await page.goto('/modal')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!')
  await expect(page.getByRole('alert')).toContainText('Something went wrong.')
  await checkScreen(page)
  await page.getByRole('link', { name: 'Go home' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Find a doctor or dentist/)
  await checkScreen(page)
})
