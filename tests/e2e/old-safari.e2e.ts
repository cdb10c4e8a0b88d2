import { formParts } from './harness/accounts.ts'
import { findFreeTime, goToPayment, newPatient, payWith, stepTitle } from './harness/booking.ts'
import { checkScreen, enterDemo, expect, test } from './harness/fixtures.ts'

test.describe('without what iOS 16.4 lacks', () => {
  test.use({ isOldSafari: true })

  test('a patient opens a profile, signs in, books and pays @once', async ({ page }) => {
    const { email, password } = await newPatient(page)
    const address = await findFreeTime(page)
    await page.goto(address.replace('/appointment/', '/doctor-profile/').replace('?', '/1.2?'))
    expect(await page.evaluate(() => 'groupBy' in Map || 'any' in AbortSignal)).toBe(false)
    await expect(page.getByRole('tablist', { name: 'Day' })).toBeVisible()
    await page.getByRole('link', { name: /^Continue with / }).click()
    await expect(stepTitle(page)).toHaveText('Sign in to book this time')
    await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click()
    const { field, press } = formParts(page, 'Sign in')
    await field('Email').fill(email)
    await field('Password').fill(password)
    await press('Sign in')
    await expect(stepTitle(page)).toHaveText('Appointment Info')
    await goToPayment(page, email)
    await page.getByRole('button', { name: /^Pay £.* by card$/ }).click()
    await payWith(page, '4242 4242 4242 4242')
    await expect(page.getByRole('heading', { name: 'Booking complete' })).toBeVisible()
  })

  test('a provider sees the day, the week and the hours @once', async ({ page }) => {
    await enterDemo(page, 'provider')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Next free times' })).toBeVisible()
    for (const path of ['availability/all', 'availability/new', 'profile', 'appointment-history']) {
      await page.goto(`/doctor/${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
    }
  })

  test('staff read the log @once', async ({ page }) => {
    await enterDemo(page, 'superuser', '/admin-home/audit')
    const entry = page.getByRole('main').getByRole('button', { expanded: false }).first()
    await entry.click()
    await expect(
      page.getByRole('main').getByRole('button', { expanded: true }).first(),
    ).toBeVisible()
  })
})

test('visitors with an older browser are told which ones work @once', async ({
  page,
  problems,
}) => {
  problems.expect(/toSorted/)
  await page.addInitScript(() => Reflect.deleteProperty(Array.prototype, 'toSorted'))
  await page.goto('/sign-in')
  const warning = page
    .getByRole('alert')
    .filter({ hasText: 'This browser is too old for Apposite' })
  await expect(warning).toContainText(
    'use Safari 16.4, Chrome 111, Edge 111, Firefox 128 or anything newer.',
  )
  await checkScreen(page)
})
