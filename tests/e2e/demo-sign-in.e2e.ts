import type { Page } from '@playwright/test'
import {
  formErrors,
  formParts,
  logOut,
  openAccountPage,
  sectionOf,
  userMenuEntry,
  waitForAccountPage,
} from './harness/accounts.ts'
import { checkScreen, expect, test } from './harness/fixtures.ts'

test.use({ isNewcomer: true })

/** Enters through the demo entrance, by one of its buttons. */
async function enterDemoAs(page: Page, who: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: who }).click()
}

/** Answers the cookie banner, then closes the homepage's modal; the two are never shown at once. */
async function closeNotices(page: Page): Promise<void> {
  const banner = page.getByRole('region', { name: 'Cookies' })
  await expect(banner).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await banner.getByRole('button', { name: 'Only necessary' }).click()
  await expect(banner).toBeHidden()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
}

test('a deep link continues after the demo entrance; the cookie banner is answered by keyboard @once', async ({
  page,
  context,
}) => {
  await page.goto('/results?selectedRegion=uk&postcode=SE1+6ET&specialty=gp')
  await expect(page).toHaveURL(/\/\?next=/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Come in and try it')
  await expect(page.getByRole('button', { name: /^Enter as a/ })).toHaveCount(8)
  await checkScreen(page)
  await page.getByRole('button', { name: 'Just look around' }).click()
  await expect(page).toHaveURL(/\/results\?.*postcode=SE1/)
  await expect(page.getByRole('list', { name: 'Results' })).toBeVisible()
  await page.goto('/contact-us')
  await expect(page).toHaveURL('/contact-us')

  const banner = page.getByRole('region', { name: 'Cookies' })
  await expect(banner).toBeVisible()
  const reach = async (name: string) => {
    await expect(async () => {
      await page.keyboard.press('Tab')
      await expect(banner.locator(':focus')).toHaveAccessibleName(name, { timeout: 50 })
    }).toPass({ intervals: [0] })
  }
  await reach('Choose')
  await page.keyboard.press('Enter')
  await expect(banner.getByRole('checkbox', { name: 'Preferences' })).toBeFocused()
  await checkScreen(page)
  await page.keyboard.press('Space')
  await expect(banner.getByRole('checkbox', { name: 'Preferences' })).toBeChecked()
  await expect(banner.getByRole('checkbox', { name: 'Statistics' })).not.toBeChecked()
  await reach('Save choice')
  await page.keyboard.press('Enter')
  await expect(banner).toBeHidden()
  const cookies = await context.cookies()
  expect(cookies.find(({ name }) => name === 'consentID')).toMatchObject({
    value: expect.stringMatching(/^[0-9a-f-]{36}$/),
    secure: true,
    sameSite: 'Strict',
    path: '/',
  })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact us')
  await expect(banner).toBeHidden()
  await page.getByRole('contentinfo').getByRole('button', { name: 'Cookie settings' }).click()
  await expect(banner).toBeFocused()
  await banner.getByRole('button', { name: 'Choose' }).click()
  await expect(banner.getByRole('checkbox', { name: 'Preferences' })).toBeChecked()
})

test('one press enters as the patient; the menu has Profile, Logout and Demo Logout', async ({
  page,
  context,
}) => {
  const header = page.getByRole('banner')
  const footer = page.getByRole('contentinfo')
  await enterDemoAs(page, 'Enter as a patient')
  await expect(page).toHaveURL('/home')
  await closeNotices(page)
  await expect(header.getByRole('link', { name: 'Log in' })).toHaveCount(0)
  await expect(footer.getByRole('button', { name: 'LOGOUT' })).toBeVisible()
  await expect(footer.getByText('REGISTER')).toHaveCount(0)

  const cookies = await context.cookies()
  expect(cookies.every((one) => one.secure && one.sameSite === 'Strict' && one.path === '/')).toBe(
    true,
  )
  const readable = cookies.filter((one) => !one.httpOnly).map(({ name }) => name)
  expect(readable.toSorted()).toEqual(['consentID', 'demo_access_token', 'user_id'])
  expect(cookies.map(({ name }) => name)).toContain('access_token')
  expect(cookies.map(({ name }) => name)).toContain('refresh_token')

  const logout = await userMenuEntry(page, 'Logout')
  await expect(header.getByText('Maya')).toBeVisible()
  await expect(header.getByRole('button', { name: 'Demo Logout' })).toBeVisible()
  await expect(header.getByRole('link', { name: 'Profile' })).toHaveAttribute(
    'href',
    '/userProfile',
  )
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(logout).toBeHidden()
  await expect(header.getByRole('button', { expanded: false })).toBeFocused()
  await userMenuEntry(page, 'Logout')
  await page.getByRole('main').click({ position: { x: 5, y: 600 } })
  await expect(logout).toBeHidden()

  await footer.getByRole('button', { name: 'LOGOUT' }).click()
  const question = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'No', exact: true }).click()
  await expect(question).toBeHidden()
  await logOut(page)
  await expect(footer.getByRole('link', { name: 'LOGIN' })).toBeVisible()
  await expect(footer.getByRole('link', { name: 'REGISTER' })).toBeVisible()
  expect((await context.cookies()).map(({ name }) => name).toSorted()).toEqual([
    'consentID',
    'demo_access_token',
    'demo_refresh_token',
  ])

  await enterDemoAs(page, 'Enter as a patient')
  await expect(page).toHaveURL('/home')
  await (await userMenuEntry(page, 'Demo Logout')).click()
  await expect(page).toHaveURL('/')
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['consentID'])
  await page.goto('/about-us')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Come in and try it')
})

for (const { email, name, status } of [
  { email: 'provider@demo.example', name: 'Amara', status: 'Verified' },
  { email: 'provider-us@demo.example', name: 'Daniel', status: 'Verified' },
  { email: 'unverified@demo.example', name: 'Nikhil', status: 'Unverified' },
]) {
  test(`one press enters as ${email} @desktop`, async ({ page }) => {
    await enterDemoAs(page, `Enter as a provider (${email})`)
    await page.getByRole('button', { name: 'Only necessary' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('DashBoard')
    await page.goto('/userProfile')
    await waitForAccountPage(page)
    await expect(page.getByRole('main').getByText(status, { exact: true })).toBeVisible()
    await userMenuEntry(page, 'Profile')
    await expect(page.getByRole('banner').getByText(name)).toBeVisible()
    await expect(page.getByRole('banner').getByRole('presentation')).toHaveAttribute(
      'src',
      /^\/media\//,
    )
  })
}

test('the user menu moves behind the toggle below 960 pixels and closes there @desktop', async ({
  page,
}) => {
  await page.setViewportSize({ width: 959, height: 800 })
  await enterDemoAs(page, 'Enter as a patient')
  await expect(page).toHaveURL('/home')
  await closeNotices(page)
  const header = page.getByRole('banner')
  const toggle = header.getByRole('button', { name: 'Menu' })
  const logout = header.getByRole('button', { name: 'Logout', exact: true })
  await toggle.click()
  await expect(logout).toBeVisible()
  await checkScreen(page)
  await page.setViewportSize({ width: 960, height: 800 })
  await expect(toggle).toBeHidden()
  await expect(logout).toBeHidden()
  await header.getByRole('button', { name: 'Maya' }).click()
  await expect(logout).toBeVisible()
  await checkScreen(page)
})

test('a demo sign-in requires a step-up before a sensitive action @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 40\d: .*exportData/, /answered 40\d: .*stepUp/, /status of 40\d/)
  await enterDemoAs(page, 'Enter as a provider (provider-us@demo.example)')
  await page.getByRole('button', { name: 'Only necessary' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('DashBoard')
  await page.goto('/userProfile')
  await waitForAccountPage(page)
  await openAccountPage(page, 'Data')
  await sectionOf(page, 'Your data').getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  const { field, press } = formParts(page, 'Confirm it’s you')
  await expect(field('Your password')).toHaveAccessibleDescription(/Apposite-demo-1/)
  await checkScreen(page)
  await field('Your password').fill('a wrong password')
  await press('Confirm')
  await expect(formErrors(page)).toHaveText(['That isn’t your current password.'])
  await expect(field('Your password')).toHaveValue('a wrong password')
  await field('Your password').fill('Apposite-demo-1')
  const arriving = page.waitForEvent('download')
  await press('Confirm')
  await arriving
  await expect(dialog).toBeHidden()
})
